#include "tests/bench/event_slides.h"

#include <array>
#include <charconv>
#include <utility>

#include "tests/bench/bench_edges.h"

namespace sash::bench {
namespace {

constexpr PartitionIndex kPartitions = 4;

KeyRef Key(std::uint64_t vertex, EventBatch& batch) {
  std::array<char, 24> text{'v'};
  const auto [end, error] = std::to_chars(text.data() + 1, text.data() + text.size(), vertex);
  return KeyRef::Text(batch.Store({text.data(), end}));
}

}  // namespace

EventSlides::EventSlides(const BenchOptions& options, std::size_t slide_size, std::size_t run)
    : EventSlides([stream = EdgeStream(StreamOptions(options))]() mutable { return stream.Next(); },
                  slide_size, run) {}

EventSlides::EventSlides(std::function<GeneratedEdge()> next, std::size_t slide_size,
                         std::size_t run)
    : slide_size_(slide_size), run_(run), next_edge_(std::move(next)), offsets_(kPartitions) {}

EventBatch EventSlides::Begin(PartitionTable& partitions) {
  EventBatch batch;
  batch.start.emplace();
  for (PartitionIndex p = 0; p < kPartitions; ++p) {
    batch.start->partitions.push_back(partitions.Index(kTopic, static_cast<std::int32_t>(p)));
  }
  return batch;
}

void EventSlides::AddNext(std::vector<EventBatch>& batches, std::size_t batch_events) {
  const auto begin = EventTime(static_cast<std::int64_t>(next_++) * kSlide);
  for (std::size_t i = 0; i < slide_size_; ++i) {
    if (i % batch_events == 0) {
      batches.push_back(batches.empty() ? EventBatch() : EventBatch::AsLargeAs(batches.back()));
    }
    const GeneratedEdge edge = next_edge_();
    const KeyRef source = Key(edge.source, batches.back());
    const KeyRef target = Key(edge.target, batches.back());
    EdgeEvent& event = batches.back().Add();
    event.time =
        begin + kSlide * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(slide_size_);
    event.partition = static_cast<PartitionIndex>(events_++ / run_ % kPartitions);
    event.offset = offsets_[event.partition]++;
    event.source = source;
    event.target = target;
    event.operation = edge.operation;
  }
}

}  // namespace sash::bench
