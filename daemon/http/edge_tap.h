// EdgeTap: a sample of the edges that pass by, for who looks at them live.
//
// The engine thread shows it every batch before it works on it. That waits for nobody: each reader
// has a ring of its own, and what neither the ring nor the rate that was asked for has room for is
// skipped and counted. So what a tap costs is bounded by the rate, and by one look at each edge for
// a reader that wants those of one vertex.
//
// Thread safety: Pass() belongs to the engine thread, OnFilled() comes before it. Open() may be
// called from any thread; a reader belongs to one.
//
// Invariants
//   (1) Without readers Pass() reads one atomic.
//   (2) Of a batch a reader gets edges that lie evenly among those that it wants: all of them, if
//       its rate and ring allow.
//   (3) `skipped` of the edges that a reader got, with these edges themselves, counts every edge
//       that it wanted from the first batch it was shown to the newest edge that it got.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

// An edge as it was decoded. It may still turn out to be late.
struct TappedEdge {
  VertexKey source;
  VertexKey target;  // nothing of meaning where a vertex is removed
  Weight weight;
  Operation operation = Operation::kAdd;
  EventTime time;
  PartitionIndex partition = 0;
  std::int64_t offset = 0;
  std::uint64_t skipped = 0;  // of those that the reader wanted, since the one before
};

struct TapWish {
  std::optional<VertexKey> key{};  // only edges from or to this vertex
  std::uint32_t rate = 100;        // edges a second, at most; as many at once after a silence
};

class EdgeTap {
 public:
  static constexpr std::size_t kMostReaders = 8;
  static constexpr std::size_t kRing = 1024;  // edges of a reader that wait
  static constexpr std::uint32_t kMostRate = 1000;

  class Reader;

  EdgeTap(KeyKind keys, const Clock& clock) : keys_(keys), clock_(clock) {}

  // `call` is called in the engine thread when readers have got something, but not all the time.
  void OnFilled(std::function<void()> call) { on_filled_ = std::move(call); }

  // A round of the engine; null: without a batch.
  void Pass(const EventBatch* batch);

  // Null when there are kMostReaders. It leaves when it is destroyed, which may be after the tap.
  std::unique_ptr<Reader> Open(TapWish wish);

 private:
  class Ring;
  // Of the threads that open and leave.
  struct Board {
    Mutex mutex;
    std::vector<std::shared_ptr<Ring>> rings SASH_GUARDED_BY(mutex);
    std::atomic<std::uint64_t> version = 0;  // changes with them
  };

  void LookAtBoard();

  const KeyKind keys_;
  const Clock& clock_;
  std::function<void()> on_filled_ = [] {};
  const std::shared_ptr<Board> board_ = std::make_shared<Board>();

  // The engine thread's.
  std::vector<std::shared_ptr<Ring>> rings_;
  std::uint64_t seen_ = 0;  // the board's version
  bool filled_ = false;     // since it was last said
  SteadyTime said_{};
};

class EdgeTap::Reader {
 public:
  Reader(std::shared_ptr<Board> board, std::shared_ptr<Ring> ring);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The oldest that waits.
  std::optional<TappedEdge> Take();

 private:
  const std::shared_ptr<Board> board_;
  const std::shared_ptr<Ring> ring_;
};

}  // namespace sash
