#include "windows/durable/event_sections.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "windows/durable/byte_text.h"
#include "windows/durable/dedupe_text.h"
#include "windows/durable/filter_text.h"
#include "windows/durable/manifest_reading.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/place_text.h"
#include "windows/durable/type_text.h"
#include "windows/ingest/window_filter.h"

namespace sash {
namespace {

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

Status ReadFiltering(const SectionedFile& file, EngineState& state, OpenLogs& open_logs) {
  return ReadIfThere(file, kFilterSection, "filters of windows are malformed",
                     [&](ByteReader& reader) {
                       state.filters = GetFilters(reader);
                       auto logs = open_logs.begin();
                       for (LaneState& lane : state.lanes) {
                         for (WindowState& window : lane.windows) {
                           if (const auto filter = reader.Get<FilterBits>(); filter != kNoFilter) {
                             const auto number = static_cast<std::size_t>(std::countr_zero(filter));
                             if (!std::has_single_bit(filter) || number >= state.filters.size() ||
                                 lane.axis == WindowAxis::kEvents) {
                               reader.Refuse();
                               break;
                             }
                             WindowFilter parsed = ParseFilterText(state.filters[number]);
                             window.spec.types = std::move(parsed.types);
                             window.spec.where = std::move(parsed.where);
                             if (window.spec.filter() != state.filters[number]) reader.Refuse();
                           }
                           window.state.begun = reader.GetBool();
                         }
                         for (OpenSliceState& open : lane.slicer.open) {
                           open.account.on_time_passes = reader.Get<FilterBits>();
                           for (NumberedLog& log : *logs++) {
                             log.passes = GetPasses(log.times.size(), state.filters.size(), reader);
                           }
                         }
                       }
                     });
}

Status ReadDedupe(const SectionedFile& file, EngineState& state, OpenLogs& open_logs) {
  return ReadIfThere(file, kDedupeSection, "ids of edges are malformed", [&](ByteReader& reader) {
    auto logs = open_logs.begin();
    for (LaneState& lane : state.lanes) {
      lane.slicer.counted = GetCounted(state.partitions.size(), reader);
      lane.reach = GetReach(state.partitions.size(), reader);
      for (std::size_t i = 0; i < lane.slicer.open.size(); ++i) {
        for (NumberedLog& log : *logs++) {
          log.ids = GetLoggedIds(log.times.size(), log.first_offset, log.last_offset, reader);
        }
      }
    }
  });
}

Status ReadTyping(const SectionedFile& file, EngineState& state, OpenLogs& open_logs) {
  return ReadIfThere(file, kTypeSection, "types of edges are malformed", [&](ByteReader& reader) {
    state.types = GetTypeWords(reader);
    for (std::vector<NumberedLog>& logs : open_logs) {
      for (NumberedLog& log : logs) {
        log.types = GetTypes(log.times.size(), state.types.size(), reader);
      }
    }
  });
}

bool LacksPlaces(const NumberedLog& log) { return !log.times.empty() && log.places.empty(); }

Status ReadLoggedPlaces(const SectionedFile& file, EngineState& state, OpenLogs& open_logs) {
  Status read =
      ReadIfThere(file, kPlaceSection, "places of events are malformed", [&](ByteReader& reader) {
        for (std::vector<NumberedLog>& logs : open_logs) {
          for (NumberedLog& log : logs) {
            log.places = GetPlaces(log.times.size(), log.first_offset, log.last_offset, reader);
          }
        }
      });
  if (!read) return read;
  auto logs = open_logs.begin();
  for (const LaneState& lane : state.lanes) {
    for (std::size_t i = 0; i < lane.slicer.open.size(); ++i, ++logs) {
      if (lane.axis != WindowAxis::kEventTime) continue;
      state.lacks_places = state.lacks_places || std::ranges::any_of(*logs, LacksPlaces);
    }
  }
  return Ok{};
}

}  // namespace

void AddEventSections(const EngineState& state, std::vector<FileSection>& sections) {
  const auto add = [&](ManifestSection section, const auto& put) {
    ByteWriter writer;
    put(state, writer);
    sections.push_back({section, std::move(writer).Take()});
  };
  if (!state.filters.empty()) add(kFilterSection, PutFiltering);
  if (std::ranges::any_of(state.lanes, HasIds)) add(kDedupeSection, PutDedupe);
  if (!state.types.empty()) add(kTypeSection, PutTyping);
  if (std::ranges::any_of(state.lanes, KeepsPlaces)) add(kPlaceSection, PutLoggedPlaces);
}

Status ReadEventSections(const SectionedFile& file, EngineState& state, OpenLogs& logs) {
  if (Status read = ReadFiltering(file, state, logs); !read) return read;
  if (Status read = ReadDedupe(file, state, logs); !read) return read;
  if (Status read = ReadTyping(file, state, logs); !read) return read;
  return ReadLoggedPlaces(file, state, logs);
}

}  // namespace sash
