#include "windows/durable/stream_text.h"

#include <cstddef>
#include <cstdint>

#include "windows/durable/account_text.h"
#include "windows/ingest/record_anchor.h"

namespace sash {
namespace {

constexpr std::int64_t kNoAnchor = -1;  // in place of an offset

}  // namespace

void PutStream(const EngineState& state, ByteWriter& writer) {
  PutTime(state.watermark, writer);
  PutTime(state.gap_until, writer);
  writer.Put(state.numbered);
  writer.Put(state.processing_time);
  writer.Put(state.next_serial);
  writer.Put(static_cast<std::uint64_t>(state.partitions.size()));
  for (const PartitionState& partition : state.partitions) {
    PutPair(partition.pair, writer);
    writer.Put(static_cast<std::uint8_t>(partition.assigned));
    writer.Put(static_cast<std::uint8_t>(partition.gap));
    writer.PutOptional(partition.next_offset);
    PutTime(partition.newest, writer);
  }
}

void GetStream(ByteReader& reader, EngineState& state) {
  state.watermark = GetTime(reader);
  state.gap_until = GetTime(reader);
  state.numbered = reader.Get<std::uint64_t>();
  state.processing_time = reader.Get<Position>();
  state.next_serial = reader.Get<std::uint64_t>();
  constexpr std::size_t kLeastPartition = 32;
  const std::size_t count = reader.GetCount(kLeastPartition);
  for (std::size_t p = 0; p < count; ++p) {
    PartitionState& partition = state.partitions.emplace_back();
    partition.pair = GetPair(reader);
    partition.assigned = reader.GetBool();
    partition.gap = reader.GetBool();
    partition.next_offset = reader.GetOptional<std::int64_t>();
    partition.newest = GetTime(reader);
  }
}

void PutJournal(const EngineState& state, ByteWriter& writer) {
  writer.Put(state.journal);
  for (const PartitionState& partition : state.partitions) {
    writer.Put(static_cast<std::int64_t>(partition.silent.count()));
    writer.Put(static_cast<std::uint8_t>(partition.caught_up));
  }
}

void GetJournal(ByteReader& reader, EngineState& state) {
  state.journal = reader.Get<std::uint64_t>();
  for (PartitionState& partition : state.partitions) {
    partition.silent = Duration(reader.Get<std::int64_t>());
    partition.caught_up = reader.GetBool();
    if (partition.silent < Duration::zero() || !IsPlausible(partition.silent)) reader.Refuse();
  }
}

void PutAnchors(const EngineState& state, ByteWriter& writer) {
  for (const PartitionState& partition : state.partitions) {
    const RecordAnchor anchor = partition.anchor.value_or(RecordAnchor{.offset = kNoAnchor});
    writer.Put(anchor.offset);
    writer.PutOptional(anchor.timestamp_ms);
    writer.Put(anchor.crc);
  }
}

void GetAnchors(ByteReader& reader, EngineState& state) {
  for (PartitionState& partition : state.partitions) {
    RecordAnchor anchor;
    anchor.offset = reader.Get<std::int64_t>();
    anchor.timestamp_ms = reader.GetOptional<std::int64_t>();
    anchor.crc = reader.Get<std::uint32_t>();
    if (anchor.offset >= 0) partition.anchor = anchor;
  }
}

}  // namespace sash
