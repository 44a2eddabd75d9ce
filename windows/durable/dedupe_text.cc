#include "windows/durable/dedupe_text.h"

#include <algorithm>
#include <utility>

#include "windows/durable/account_text.h"

namespace sash {
namespace {

void PutId(EdgeId id, ByteWriter& writer) {
  writer.Put(id.high);
  writer.Put(id.low);
}

EdgeId GetId(ByteReader& reader) {
  EdgeId id;
  id.high = reader.Get<std::uint64_t>();
  id.low = reader.Get<std::uint64_t>();
  return id;
}

PartitionIndex GetPartition(std::size_t partitions, ByteReader& reader) {
  const auto partition = reader.Get<PartitionIndex>();
  if (partition >= partitions) reader.Refuse();
  return partition;
}

bool HasRepeatedIds(const std::vector<IdentifiedEdge>& edges) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ids;
  ids.reserve(edges.size());
  for (const IdentifiedEdge& edge : edges) ids.emplace_back(edge.id.high, edge.id.low);
  std::ranges::sort(ids);
  return std::ranges::adjacent_find(ids) != ids.end();
}

}  // namespace

void PutCounted(const std::vector<IdentifiedEdge>& counted, ByteWriter& writer) {
  writer.Put(static_cast<std::uint64_t>(counted.size()));
  for (const IdentifiedEdge& edge : counted) {
    PutId(edge.id, writer);
    writer.Put(static_cast<std::int64_t>(edge.time.time_since_epoch().count()));
    writer.Put(edge.offset);
    writer.Put(edge.partition);
  }
}

std::vector<IdentifiedEdge> GetCounted(std::size_t partitions, ByteReader& reader) {
  constexpr std::size_t kEdgeBytes = 36;
  std::vector<IdentifiedEdge> counted(reader.GetCount(kEdgeBytes));
  for (IdentifiedEdge& edge : counted) {
    edge.id = GetId(reader);
    edge.time = EventTime(Duration(reader.Get<std::int64_t>()));
    edge.offset = reader.Get<std::int64_t>();
    edge.partition = GetPartition(partitions, reader);
    if (!edge.id.is_set()) reader.Refuse();
  }
  if (HasRepeatedIds(counted)) reader.Refuse();
  return counted;
}

void PutReach(const std::vector<SliceRewind>& reach, ByteWriter& writer) {
  writer.Put(static_cast<std::uint64_t>(reach.size()));
  for (const SliceRewind& slice : reach) {
    writer.Put(slice.end);
    writer.Put(static_cast<std::uint64_t>(slice.positions.size()));
    for (const RewindPosition& position : slice.positions) {
      writer.Put(position.partition);
      writer.Put(position.offset);
      PutTime(position.newest_before, writer);
    }
  }
}

std::vector<SliceRewind> GetReach(std::size_t partitions, ByteReader& reader) {
  constexpr std::size_t kLeastSlice = 16;
  constexpr std::size_t kPositionBytes = 21;
  std::vector<SliceRewind> reach(reader.GetCount(kLeastSlice));
  for (SliceRewind& slice : reach) {
    slice.end = reader.Get<Position>();
    slice.positions.resize(reader.GetCount(kPositionBytes));
    for (RewindPosition& position : slice.positions) {
      position.partition = GetPartition(partitions, reader);
      position.offset = reader.Get<std::int64_t>();
      position.newest_before = GetTime(reader);
    }
  }
  if (!std::ranges::is_sorted(reach, {}, &SliceRewind::end)) reader.Refuse();
  return reach;
}

void PutLoggedIds(const PartitionLog& log, ByteWriter& writer) {
  writer.Put(static_cast<std::uint8_t>(log.has_ids()));
  if (!log.has_ids()) return;
  log.ForEachEvent([&](const BufferedEvent& event) {
    PutId(event.id, writer);
    writer.Put(event.id.is_set() ? event.offset : std::int64_t{0});
  });
}

std::vector<LoggedId> GetLoggedIds(std::size_t events, std::int64_t first, std::int64_t last,
                                   ByteReader& reader) {
  std::vector<LoggedId> ids;
  if (!reader.GetBool()) return ids;
  for (std::size_t i = 0; i < events && reader.ok(); ++i) {
    LoggedId& logged = ids.emplace_back();
    logged.id = GetId(reader);
    logged.offset = reader.Get<std::int64_t>();
    if (logged.id.is_set() && (logged.offset < first || logged.offset > last)) reader.Refuse();
  }
  return ids;
}

}  // namespace sash
