// EdgeTap: a live sample of the decoded edges, for readers such as `sashctl tap`.
//
// The engine thread passes every batch to the tap before it processes the batch. It never waits for
// a reader: each reader has its own ring, and edges beyond the free space of the ring or the
// requested rate are skipped and counted. So the cost of a tap is bounded by its rate, plus one
// comparison per edge for a reader that wants the edges of one vertex.
//
// Thread safety: Pass() belongs to the engine thread; OnFilled() must be called before it. Open()
// may be called from any thread; a reader belongs to one thread.
//
// Invariants
//   (1) Without readers, Pass() only reads one atomic.
//   (2) A reader gets an evenly spaced sample of the edges of a batch that it wants; all of them,
//       if its rate and ring allow.
//   (3) The edges that a reader received plus the sum of their `skipped` is the number of edges
//       that it wanted, from its first batch to the newest edge that it received.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

// A decoded edge. It may still turn out to be late.
struct TappedEdge {
  VertexKey source;
  VertexKey target;  // meaningless for kRemoveVertex
  Weight weight;
  Operation operation = Operation::kAdd;
  EventTime time;
  PartitionIndex partition = 0;
  std::int64_t offset = 0;
  std::string type;           // empty: it has none
  std::uint8_t mapping = 0;   // of several mappings of the source, from 0
  std::uint64_t skipped = 0;  // edges the reader wanted, since the previous one
};

struct TapWish {
  std::optional<VertexKey> key{};  // only edges from or to this vertex
  std::uint32_t rate = 100;        // most edges a second, and at once after a pause
};

class EdgeTap {
 public:
  static constexpr std::size_t kMostReaders = 8;
  static constexpr std::size_t kRing = 1024;  // waiting edges of a reader
  static constexpr std::uint32_t kMostRate = 1000;

  class Reader;

  EdgeTap(KeyKind keys, const Clock& clock) : keys_(keys), clock_(clock) {}

  // `call` is called in the engine thread when readers have new edges, but not for every batch.
  void OnFilled(std::function<void()> call) { on_filled_ = std::move(call); }

  // Called once per round of the engine; `batch` is null in a round without a batch.
  void Pass(const EventBatch* batch);

  // Null when there are already kMostReaders. Destroying the reader removes it; a reader may
  // outlive the tap.
  std::unique_ptr<Reader> Open(TapWish wish);

 private:
  class Ring;
  // Shared with the threads that open and close readers.
  struct Board {
    Mutex mutex;
    std::vector<std::shared_ptr<Ring>> rings SASH_GUARDED_BY(mutex);
    std::atomic<std::uint64_t> version = 0;  // changes with `rings`
  };

  void LookAtBoard();

  const KeyKind keys_;
  const Clock& clock_;
  std::function<void()> on_filled_ = [] {};
  const std::shared_ptr<Board> board_ = std::make_shared<Board>();

  // Used by the engine thread only.
  std::vector<std::shared_ptr<Ring>> rings_;
  std::uint64_t seen_ = 0;  // the board's version
  bool filled_ = false;     // since the last on_filled_()
  SteadyTime said_{};
};

class EdgeTap::Reader {
 public:
  Reader(std::shared_ptr<Board> board, std::shared_ptr<Ring> ring);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The oldest waiting edge.
  std::optional<TappedEdge> Take();

 private:
  const std::shared_ptr<Board> board_;
  const std::shared_ptr<Ring> ring_;
};

}  // namespace sash
