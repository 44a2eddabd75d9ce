#include "windows/durable/manifest.h"

#include <algorithm>
#include <span>
#include <utility>

#include "windows/base/check.h"
#include "windows/durable/account_text.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/filter_text.h"
#include "windows/durable/history_text.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/numbered_name.h"
#include "windows/durable/stream_text.h"
#include "windows/durable/type_text.h"
#include "windows/durable/window_text.h"

namespace sash {
namespace {

constexpr std::string_view kSlicePrefix = "slice-";

// Adds a section with a number for each window, lane by lane, unless all numbers are 0.
template <typename NumberOf>
void AddOfWindows(const EngineState& state, ManifestSection section, const NumberOf& number_of,
                  std::vector<FileSection>& sections) {
  ByteWriter writer;
  bool is_needed = false;
  for (const LaneState& lane : state.lanes) {
    for (const WindowState& window : lane.windows) {
      const auto number = number_of(window);
      is_needed = is_needed || number != 0;
      writer.Put(number);
    }
  }
  if (is_needed) sections.push_back({section, std::move(writer).Take()});
}

std::int64_t OffsetOf(const WindowState& window) { return window.spec.offset; }

std::uint8_t IdentityOf(const WindowState& window) {
  static_assert(static_cast<int>(EdgeIdentity::kPair) == 0);
  return static_cast<std::uint8_t>(window.spec.identity);
}

std::uint8_t JoinedOf(const WindowState& window) { return window.state.only_joined ? 1 : 0; }

// Writes the history of every window, lane by lane.
void PutHistories(const EngineState& state, ByteWriter& writer) {
  for (const LaneState& lane : state.lanes) {
    for (const WindowState& window : lane.windows) PutHistory(window.history, writer);
  }
}

bool HasHistory(const LaneState& lane) {
  return std::ranges::any_of(lane.windows,
                             [](const WindowState& window) { return !window.history.empty(); });
}

void PutPassesOf(const PartitionLog& log, std::size_t filters, ByteWriter& writer) {
  std::vector<FilterBits> passes;
  if (log.has_passes()) {
    log.ForEachWithPasses([&](const PartitionLog::Edge&, Weight, Operation, FilterBits bits) {
      passes.push_back(bits);
    });
  }
  PutPasses(passes, filters, writer);
}

// The filters; then lane by lane those of the windows, and what open slices and their events pass.
void PutFiltering(const EngineState& state, ByteWriter& writer) {
  PutFilters(state.filters, writer);
  for (const LaneState& lane : state.lanes) {
    for (const WindowState& window : lane.windows) {
      writer.Put(FilterOf(window.spec.filter(), state.filters));
      writer.Put(static_cast<std::uint8_t>(window.state.begun));
    }
    for (const OpenSliceState& open : lane.slicer.open) {
      writer.Put(open.account.on_time_passes);
      for (const PartitionLog& log : open.logs) PutPassesOf(log, state.filters.size(), writer);
    }
  }
}

bool HasIds(const LaneState& lane) {
  return !lane.slicer.counted.empty() || !lane.reach.empty() ||
         std::ranges::any_of(lane.slicer.open, [](const OpenSliceState& open) {
           return std::ranges::any_of(open.logs, &PartitionLog::has_ids);
         });
}

void PutDedupe(const EngineState& state, ByteWriter& writer) {
  for (const LaneState& lane : state.lanes) {
    PutCounted(lane.slicer.counted, writer);
    PutReach(lane.reach, writer);
    for (const OpenSliceState& open : lane.slicer.open) {
      for (const PartitionLog& log : open.logs) PutLoggedIds(log, writer);
    }
  }
}

// The words; then lane by lane the types of open events.
void PutTyping(const EngineState& state, ByteWriter& writer) {
  PutTypeWords(state.types, writer);
  for (const LaneState& lane : state.lanes) {
    for (const OpenSliceState& open : lane.slicer.open) {
      for (const PartitionLog& log : open.logs) {
        TypeColumn types(log.size(), log.types());
        std::size_t i = 0;
        log.ForEachEvent([&](const BufferedEvent& event) { types.Set(i++, event.type); });
        PutTypes(types, log.size(), writer);
      }
    }
  }
}

bool KeepsPlaces(const LaneState& lane) {
  return std::ranges::any_of(lane.slicer.open, [](const OpenSliceState& open) {
    return std::ranges::any_of(open.logs, &PartitionLog::keeps_places);
  });
}

void PutLoggedPlaces(const EngineState& state, ByteWriter& writer) {
  for (const LaneState& lane : state.lanes) {
    for (const OpenSliceState& open : lane.slicer.open) {
      for (const PartitionLog& log : open.logs) PutPlaces(log, writer);
    }
  }
}

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

}  // namespace

std::string SliceFileName(std::uint64_t file) { return NumberedName(kSlicePrefix, file); }

std::optional<std::uint64_t> SliceFileNumber(std::string_view name) {
  return NumberIn(name, kSlicePrefix);
}

void NamePartitions(const EngineState& state, PartitionTable& partitions) {
  for (PartitionIndex p = 0; p < state.partitions.size(); ++p) {
    const TopicPartition& pair = state.partitions[p].pair;
    SASH_CHECK(partitions.Index(pair) == p);
  }
}

std::vector<FileSection> EncodeManifest(const EngineState& state,
                                        const std::vector<SliceEntry>& slices,
                                        KeyNumbering& numbering) {
  PartitionTable partitions;  // as of the moment of the state
  NamePartitions(state, partitions);
  ByteWriter stream;
  PutStream(state, stream);
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
  ByteWriter entries;
  entries.Put(static_cast<std::uint64_t>(slices.size()));
  for (const SliceEntry& entry : slices) {
    entries.Put(entry.lane);
    entries.Put(entry.id);
    entries.Put(entry.file);
    entries.Put(entry.stamp.bytes);
    entries.Put(entry.stamp.crc);
  }
  std::vector<FileSection> sections;
  sections.push_back({kStreamSection, std::move(stream).Take()});
  sections.push_back({kLaneSection, std::move(lanes).Take()});
  sections.push_back({kSliceSection, std::move(entries).Take()});
  sections.push_back({kOpenKeySection, numbering.TakeKeys()});
  sections.push_back({kOpenEventSection, std::move(events).Take()});
  AddOfWindows(state, kOffsetSection, OffsetOf, sections);
  AddOfWindows(state, kIdentitySection, IdentityOf, sections);
  AddOfWindows(state, kJoinedSection, JoinedOf, sections);
  if (std::ranges::any_of(state.lanes, HasHistory)) {
    ByteWriter histories;
    PutHistories(state, histories);
    sections.push_back({kHistorySection, std::move(histories).Take()});
  }
  if (!state.filters.empty()) {
    ByteWriter filtering;
    PutFiltering(state, filtering);
    sections.push_back({kFilterSection, std::move(filtering).Take()});
  }
  if (std::ranges::any_of(state.lanes, HasIds)) {
    ByteWriter dedupe;
    PutDedupe(state, dedupe);
    sections.push_back({kDedupeSection, std::move(dedupe).Take()});
  }
  if (!state.types.empty()) {
    ByteWriter typing;
    PutTyping(state, typing);
    sections.push_back({kTypeSection, std::move(typing).Take()});
  }
  if (std::ranges::any_of(state.lanes, KeepsPlaces)) {
    ByteWriter places;
    PutLoggedPlaces(state, places);
    sections.push_back({kPlaceSection, std::move(places).Take()});
  }
  if (std::ranges::any_of(state.partitions, [](const PartitionState& partition) {
        return partition.anchor.has_value();
      })) {
    ByteWriter anchors;
    PutAnchors(state, anchors);
    sections.push_back({kAnchorSection, std::move(anchors).Take()});
  }
  if (state.journal != 0) {
    ByteWriter journal;
    PutJournal(state, journal);
    sections.push_back({kJournalSection, std::move(journal).Take()});
  }
  if (!state.mapping.empty()) sections.push_back({kMappingSection, state.mapping});
  return sections;
}

EngineState Manifest::TakeState(VertexDictionary& keys, PartitionTable& partitions) && {
  NamePartitions(state_, partitions);
  const std::vector<VertexId> ids = keys_.Intern(keys);
  const std::vector<TypeNumber> types = InternTypes(state_.types, keys.types());
  auto logs = logs_.begin();
  for (LaneState& lane : state_.lanes) {
    for (OpenSliceState& open : lane.slicer.open) {
      for (const NumberedLog& from : *logs++) {
        PartitionLog& log = open.logs.emplace_back(from.partition, !from.places.empty());
        const EventColumns& events = from.events;
        for (std::size_t i = 0; i < from.times.size(); ++i) {
          log.Append(
              {.time = EventTime(Duration(from.times[i])),
               .offset = from.OffsetOf(i),
               .weight = events.weights[i],
               .source = ids[events.sources[i]],
               .target = ids[events.targets[i]],
               .partition = from.partition,
               .edges_before = from.places.empty() ? 0 : from.places[i].edges_before,
               .operation = events.operations.empty() ? Operation::kAdd : events.operations[i],
               .type = types[from.types[i]],
               .passes = from.passes.empty() ? kPassesAll : from.passes[i],
               .id = from.ids.empty() ? EdgeId() : from.ids[i].id});
        }
      }
    }
  }
  return std::move(state_);
}

}  // namespace sash
