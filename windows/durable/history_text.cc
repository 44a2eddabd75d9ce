#include "windows/durable/history_text.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "windows/ingest/axis_position.h"

namespace sash {
namespace {

using Past = WindowHistory::Past;

// The partitions that the history names, each once, in ascending order.
std::map<TopicPartition, std::uint32_t> NumberPartitions(const std::vector<Past>& history) {
  std::map<TopicPartition, std::uint32_t> numbers;
  for (const Past& past : history) {
    for (const auto& [partition, span] : past.provenance.offsets) numbers.emplace(partition, 0);
  }
  std::uint32_t next = 0;
  for (auto& [partition, number] : numbers) number = next++;
  return numbers;
}

void PutPast(const Past& past, const std::map<TopicPartition, std::uint32_t>& numbers,
             ByteWriter& writer) {
  const Provenance& about = past.provenance;
  writer.Put(about.snapshot.value);
  writer.Put(past.end);
  writer.Put(past.ordinal);
  writer.Put(past.newest_slice);
  writer.Put(past.slices);
  writer.Put(past.bytes);
  writer.Put(ToPosition(about.window_start));
  writer.Put(ToPosition(about.window_end));
  writer.PutOptional(about.watermark ? std::optional(ToPosition(*about.watermark))
                                     : std::optional<std::int64_t>());
  writer.Put(static_cast<std::uint8_t>(about.empty));
  writer.Put(static_cast<std::uint8_t>(about.gap));
  writer.Put(about.edges);
  writer.Put(about.vertices);
  writer.Put(about.late);
  writer.Put(about.refused);
  writer.PutOptional(about.accepted);
  writer.Put(static_cast<std::uint64_t>(about.offsets.size()));
  for (const auto& [partition, span] : about.offsets) {
    writer.Put(numbers.at(partition));
    writer.Put(span.least);
    writer.Put(span.greatest);
  }
}

Past GetPast(const std::vector<TopicPartition>& partitions, ByteReader& reader) {
  Past past;
  Provenance& about = past.provenance;
  about.snapshot.value = reader.Get<std::uint64_t>();
  past.end = reader.Get<std::int64_t>();
  past.ordinal = reader.Get<std::int64_t>();
  past.newest_slice = reader.Get<std::uint64_t>();
  past.slices = reader.Get<std::uint64_t>();
  past.bytes = reader.Get<std::uint64_t>();
  about.window_start = ToTime(reader.Get<std::int64_t>());
  about.window_end = ToTime(reader.Get<std::int64_t>());
  if (const auto watermark = reader.GetOptional<std::int64_t>()) {
    about.watermark = ToTime(*watermark);
  }
  about.empty = reader.GetBool();
  about.gap = reader.GetBool();
  about.edges = reader.Get<std::uint64_t>();
  about.vertices = reader.Get<std::uint64_t>();
  about.late = reader.Get<std::uint64_t>();
  about.refused = reader.Get<std::uint64_t>();
  about.accepted = reader.GetOptional<std::uint64_t>();
  constexpr std::size_t kSpan = 20;
  const std::size_t spans = reader.GetCount(kSpan);
  for (std::size_t i = 0; i < spans; ++i) {
    const auto number = reader.Get<std::uint32_t>();
    OffsetSpan span;
    span.least = reader.Get<std::int64_t>();
    span.greatest = reader.Get<std::int64_t>();
    if (number >= partitions.size() || span.least > span.greatest) {
      reader.Refuse();
      return past;
    }
    about.offsets.emplace(partitions[number], span);
  }
  return past;
}

// Whether the newest `held` slices before `next_id` are those of the window and newer ones.
bool HoldsAll(const Past& past, std::uint64_t next_id, std::uint64_t held) {
  if (past.slices == 0) return true;
  if (past.newest_slice >= next_id) return false;
  const std::uint64_t behind = next_id - 1 - past.newest_slice;
  return behind <= held && past.slices <= held - behind;
}

}  // namespace

void PutHistory(const std::vector<Past>& history, ByteWriter& writer) {
  const std::map<TopicPartition, std::uint32_t> numbers = NumberPartitions(history);
  writer.Put(static_cast<std::uint64_t>(numbers.size()));
  for (const auto& [partition, number] : numbers) {
    writer.PutText(partition.topic);
    writer.Put(partition.partition);
  }
  writer.Put(static_cast<std::uint64_t>(history.size()));
  for (const Past& past : history) PutPast(past, numbers, writer);
}

std::vector<Past> GetHistory(const LaneState& lane, const WindowState& window, ByteReader& reader) {
  constexpr std::size_t kLeastPartition = 12;
  std::vector<TopicPartition> partitions(reader.GetCount(kLeastPartition));
  for (TopicPartition& partition : partitions) {
    partition.topic = std::string(reader.GetText());
    partition.partition = reader.Get<std::int32_t>();
  }
  constexpr std::size_t kLeastPast = 100;
  const std::size_t count = reader.GetCount(kLeastPast);
  std::vector<Past> history;
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    Past past = GetPast(partitions, reader);
    past.provenance.window = window.spec.leader().value_or("");
    const bool follows = history.empty() || (history.back().end < past.end &&
                                             history.back().provenance.snapshot.value <
                                                 past.provenance.snapshot.value);
    if (!follows || !HoldsAll(past, lane.slicer.next_id, window.state.slices)) reader.Refuse();
    history.push_back(std::move(past));
  }
  return history;
}

}  // namespace sash
