// EventSlides: edges, by default the generator's, as events for an engine, in 4 partitions, slide
// by slide. A slide has a fixed number of edges and represents a second.
//
// Thread safety: belongs to one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "daemon/generate/edge_stream.h"
#include "tests/bench/bench_options.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_table.h"

namespace sash::bench {

inline constexpr const char* kTopic = "bench";
inline constexpr Duration kSlide = std::chrono::seconds(1);
inline constexpr std::size_t kBatchEvents = 4096;

class EventSlides {
 public:
  // `run`: this number of events of a partition follow each other, then those of the next.
  EventSlides(const BenchOptions& options, std::size_t slide_size, std::size_t run);
  // The edges that next() returns, each at its place in the slide.
  EventSlides(std::function<GeneratedEdge()> next, std::size_t slide_size, std::size_t run);

  // Adds the partitions to the table, and makes the batch that begins the stream.
  static EventBatch Begin(PartitionTable& partitions);

  // Appends the next slide to `batches`, in batches of at most `batch_events`.
  void AddNext(std::vector<EventBatch>& batches, std::size_t batch_events = kBatchEvents);

  std::size_t slide_size() const { return slide_size_; }
  std::uint64_t slides() const { return next_; }  // the number made so far

 private:
  const std::size_t slide_size_;
  const std::size_t run_;
  const std::function<GeneratedEdge()> next_edge_;
  std::uint64_t next_ = 0;  // the next slide
  std::uint64_t events_ = 0;
  std::vector<std::int64_t> offsets_;  // the next offset of each partition
};

}  // namespace sash::bench
