// EventSlides: the generator's edges as events for an engine, of 4 partitions, slide by slide. A
// slide has a number of edges and stands for a second.
//
// Thread safety: belongs to one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/generate/edge_stream.h"
#include "tests/bench/bench_options.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_table.h"

namespace sash::bench {

inline constexpr const char* kTopic = "bench";
inline constexpr Duration kSlide = std::chrono::seconds(1);

class EventSlides {
 public:
  // `run`: so many events of a partition follow each other, then come those of the next.
  EventSlides(const BenchOptions& options, std::size_t slide_size, std::size_t run);

  // Adds the partitions to the table, and makes the batch that begins the stream.
  static EventBatch Begin(PartitionTable& partitions);

  // The next slide, behind the batches that are there.
  void AddNext(std::vector<EventBatch>& batches);

  std::size_t slide_size() const { return slide_size_; }
  std::uint64_t slides() const { return next_; }  // that have been made

 private:
  const std::size_t slide_size_;
  const std::size_t run_;
  EdgeStream stream_;
  std::uint64_t next_ = 0;  // the slide that comes next
  std::uint64_t events_ = 0;
  std::vector<std::int64_t> offsets_;  // that come next, by partition
};

}  // namespace sash::bench
