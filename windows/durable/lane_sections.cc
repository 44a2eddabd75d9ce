#include "windows/durable/lane_sections.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "windows/durable/account_text.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/event_columns.h"
#include "windows/durable/manifest_reading.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/window_text.h"
#include "windows/store/lists/edge_block.h"

namespace sash {
namespace {

// Writes events with the numbers of their keys.
void PutEvents(const PartitionLog& log, KeyNumbering& numbering, ByteWriter& writer) {
  std::vector<std::int64_t> times;
  EventColumns events;
  events.weights = WeightColumn(log.size(), log.weights());
  log.ForEach([&](const PartitionLog::Edge& edge, Weight weight, Operation operation) {
    events.weights.Set(times.size(), weight);
    times.push_back(edge.time.time_since_epoch().count());
    events.sources.push_back(numbering.NumberOf(edge.source));
    events.targets.push_back(numbering.NumberOf(edge.target));
    if (!log.only_adds()) events.operations.push_back(operation);
  });
  writer.Put(static_cast<std::uint64_t>(times.size()));
  writer.PutColumn(std::span<const std::int64_t>(times));
  writer.PutText(EncodeColumns(events));
}

void PutSlicer(const SlicerState& slicer, const PartitionTable& partitions, KeyNumbering& numbering,
               ByteWriter& writer, ByteWriter& events) {
  writer.Put(slicer.closed_until);
  writer.Put(slicer.next_id);
  writer.Put(static_cast<std::uint64_t>(slicer.newest_panes.size()));
  for (const auto& pane : slicer.newest_panes) writer.PutOptional(pane);
  writer.Put(static_cast<std::uint8_t>(slicer.waiting.has_value()));
  PutAccount(slicer.waiting.value_or(SliceAccount()), partitions, writer);
  writer.Put(static_cast<std::uint64_t>(slicer.open.size()));
  for (const OpenSliceState& open : slicer.open) {
    writer.Put(open.begin);
    PutAccount(open.account, partitions, writer);
    writer.Put(static_cast<std::uint64_t>(open.logs.size()));
    for (const PartitionLog& log : open.logs) {
      writer.Put(log.partition());
      writer.Put(log.first_offset());
      writer.Put(log.last_offset());
      PutEvents(log, numbering, events);
    }
  }
}

// A pane begins at a multiple of its length and ends within 64 bits.
bool IsPaneBegin(Position position, const LaneState& lane) {
  return position % lane.pane == 0 && position <= std::numeric_limits<Position>::max() - lane.pane;
}

// Nothing has closed yet, or whole panes have closed and the next events lie after them.
bool IsOpenBehind(Position closed_until, const LaneState& lane, Position processing_time) {
  if (closed_until == std::numeric_limits<Position>::min()) return true;
  if (!IsPaneBegin(closed_until, lane)) return false;
  switch (lane.axis) {
    case WindowAxis::kEventTime:
      return true;  // events before it are late
    case WindowAxis::kProcessingTime:
      return closed_until <= processing_time;
    case WindowAxis::kEvents:
      break;
  }
  return closed_until >= 0 && static_cast<std::uint64_t>(closed_until) <= lane.accepted;
}

class LaneReader {
 public:
  // `named`: by number of the key.
  LaneReader(std::uint32_t format, const PartitionTable& partitions, EngineState& state,
             OpenLogs& logs, std::vector<bool>& named)
      : format_(format), partitions_(partitions), state_(state), logs_(logs), named_(named) {}

  Status ReadLane(ByteReader& reader, ByteReader& events) {
    LaneState& lane = state_.lanes.emplace_back();
    lane.serial = reader.Get<std::uint64_t>();
    lane.axis = static_cast<WindowAxis>(reader.GetBelow(3));
    lane.pane = reader.Get<Position>();
    lane.retained = reader.Get<std::uint64_t>();
    lane.begun_before = reader.GetBool();
    lane.complete_from = reader.GetOptional<Position>();
    lane.accepted = reader.Get<std::uint64_t>();
    lane.last_on_time = reader.GetOptional<Position>();
    const bool is_new = axes_.insert(lane.axis).second && serials_.insert(lane.serial).second;
    if (!reader.ok() || lane.pane <= 0 || lane.serial >= state_.next_serial || !is_new) {
      return MalformedManifest("lane is malformed");
    }
    constexpr std::size_t kLeastWindow = 64;
    const std::size_t windows = reader.GetCount(kLeastWindow);
    for (std::size_t w = 0; w < windows; ++w) {
      lane.windows.push_back(GetWindow(lane.axis, reader));
      if (!reader.ok() || !IsSound(lane.windows.back(), lane)) {
        return MalformedManifest("window is malformed");
      }
    }
    return ReadSlicer(lane, reader, events);
  }

 private:
  Status ReadSlicer(LaneState& lane, ByteReader& reader, ByteReader& events) {
    SlicerState& slicer = lane.slicer;
    slicer.closed_until = reader.Get<Position>();
    slicer.next_id = reader.Get<std::uint64_t>();
    const std::size_t panes = reader.GetCount(1 + sizeof(Position));
    for (std::size_t p = 0; p < panes; ++p) {
      slicer.newest_panes.push_back(reader.GetOptional<Position>());
    }
    const bool has_waiting = reader.GetBool();
    SliceAccount waiting = GetAccount(reader, partitions_, format_);
    if (has_waiting) slicer.waiting = std::move(waiting);
    constexpr std::size_t kLeastSlice = 64;
    const std::size_t count = reader.GetCount(kLeastSlice);
    for (std::size_t i = 0; i < count; ++i) {
      OpenSliceState& open = slicer.open.emplace_back();
      open.begin = reader.Get<Position>();
      open.account = GetAccount(reader, partitions_, format_);
      const bool in_order = i == 0 || open.begin > slicer.open[i - 1].begin;
      if (!reader.ok() || !in_order || open.begin < slicer.closed_until ||
          !IsPaneBegin(open.begin, lane)) {
        return MalformedManifest("open slice is malformed");
      }
      if (Status read = ReadLogs(open, reader, events); !read) return read;
    }
    if (!reader.ok() || lane.retained > slicer.next_id || slicer.next_id > EdgeBlock::kMostSlices ||
        panes > state_.partitions.size() ||
        !IsOpenBehind(slicer.closed_until, lane, state_.processing_time)) {
      return MalformedManifest("slicer is malformed");
    }
    return Ok{};
  }

  Status ReadLogs(OpenSliceState& open, ByteReader& reader, ByteReader& events) {
    std::vector<NumberedLog>& logs = logs_.emplace_back();
    const std::size_t count = reader.GetCount(sizeof(PartitionIndex) + 2 * sizeof(std::int64_t));
    std::uint64_t open_events = 0;
    for (std::size_t i = 0; i < count; ++i) {
      NumberedLog& log = logs.emplace_back();
      log.partition = reader.Get<PartitionIndex>();
      log.first_offset = reader.Get<std::int64_t>();
      log.last_offset = reader.Get<std::int64_t>();
      log.times = events.GetColumn<std::int64_t>(events.GetCount(sizeof(std::int64_t)));
      Result<EventColumns> columns = ParseColumns(events.GetText(), named_.size());
      if (!columns) return columns.error();
      log.events = std::move(columns).value();
      const std::size_t size = log.times.size();
      const bool offsets_ascend = size == 1 ? log.first_offset == log.last_offset
                                            : size > 1 && log.first_offset <= log.last_offset;
      const bool in_order = i == 0 || logs[i - 1].partition <= log.partition;
      if (!reader.ok() || !events.ok() || !offsets_ascend || !in_order ||
          log.events.sources.size() != size || !open.account.shares.contains(log.partition)) {
        return MalformedManifest("open events are malformed");
      }
      NoteKeys(log.events, named_);
      open_events += size;
    }
    CompleteAccount(format_, open_events, open.account);
    return Ok{};
  }

  const std::uint32_t format_;
  const PartitionTable& partitions_;
  EngineState& state_;
  OpenLogs& logs_;
  std::vector<bool>& named_;
  std::set<WindowAxis> axes_;
  std::set<std::uint64_t> serials_;
};

}  // namespace

LaneSections EncodeLanes(const EngineState& state, const PartitionTable& partitions,
                         KeyNumbering& numbering) {
  ByteWriter lanes;
  ByteWriter events;
  lanes.Put(static_cast<std::uint64_t>(state.lanes.size()));
  for (const LaneState& lane : state.lanes) {
    lanes.Put(lane.serial);
    lanes.Put(static_cast<std::uint8_t>(lane.axis));
    lanes.Put(lane.pane);
    lanes.Put(lane.retained);
    lanes.Put(static_cast<std::uint8_t>(lane.begun_before));
    lanes.PutOptional(lane.complete_from);
    lanes.Put(lane.accepted);
    lanes.PutOptional(lane.last_on_time);
    lanes.Put(static_cast<std::uint64_t>(lane.windows.size()));
    for (const WindowState& window : lane.windows) PutWindow(window, lanes);
    PutSlicer(lane.slicer, partitions, numbering, lanes, events);
  }
  return {std::move(lanes).Take(), std::move(events).Take()};
}

Status ReadLanes(const SectionedFile& file, const KeyTable& keys, const PartitionTable& partitions,
                 EngineState& state, OpenLogs& logs) {
  const Result<std::string_view> bytes = file.Find(kLaneSection);
  if (!bytes) return bytes.error();
  const Result<std::string_view> event_bytes = file.Find(kOpenEventSection);
  if (!event_bytes) return event_bytes.error();
  ByteReader reader(bytes.value());
  ByteReader events(event_bytes.value());
  std::vector<bool> named(keys.size());
  LaneReader lanes(file.format(), partitions, state, logs, named);
  constexpr std::size_t kLeastLane = 64;
  const std::size_t count = reader.GetCount(kLeastLane);
  for (std::size_t i = 0; i < count; ++i) {
    if (Status read = lanes.ReadLane(reader, events); !read) return read;
  }
  if (!reader.done() || !events.done()) {
    return MalformedManifest("lanes are malformed");
  }
  if (!std::ranges::all_of(named, [](bool is_named) { return is_named; })) {
    return MalformedManifest("keys include one that no event uses");
  }
  return Ok{};
}

}  // namespace sash
