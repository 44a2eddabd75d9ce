#include "windows/durable/manifest.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/event_sections.h"
#include "windows/durable/lane_sections.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/numbered_name.h"
#include "windows/durable/stream_text.h"
#include "windows/durable/type_text.h"
#include "windows/durable/window_sections.h"

namespace sash {
namespace {

constexpr std::string_view kSlicePrefix = "slice-";

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
  LaneSections lanes = EncodeLanes(state, partitions, numbering);
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
  sections.push_back({kLaneSection, std::move(lanes.lanes)});
  sections.push_back({kSliceSection, std::move(entries).Take()});
  sections.push_back({kOpenKeySection, numbering.TakeKeys()});
  sections.push_back({kOpenEventSection, std::move(lanes.events)});
  AddWindowSections(state, sections);
  AddEventSections(state, sections);
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
