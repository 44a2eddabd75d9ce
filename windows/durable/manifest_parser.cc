// Reads a manifest, and checks everything that the engine relies on.
#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "windows/durable/account_text.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/filter_text.h"
#include "windows/durable/history_text.h"
#include "windows/durable/manifest.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/place_text.h"
#include "windows/durable/stream_text.h"
#include "windows/durable/type_text.h"
#include "windows/durable/window_text.h"
#include "windows/ingest/window_filter.h"
#include "windows/store/lists/edge_block.h"

namespace sash {
namespace {

Error Malformed(const std::string& what) {
  return {ErrorCode::kCorruption, "the manifest's " + what};
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

bool LacksPlaces(const Manifest::NumberedLog& log) {
  return !log.times.empty() && log.places.empty();
}

}  // namespace

class ManifestParser {
 public:
  explicit ManifestParser(Manifest& manifest) : manifest_(manifest), state_(manifest.state_) {}

  Status Parse(std::optional<KeyKind> kind) {
    if (Status read = ReadStream(); !read) return read;
    if (Status read = ReadIfThere(kJournalSection, "journal section is malformed",
                                  [&](ByteReader& reader) { GetJournal(reader, state_); });
        !read) {
      return read;
    }
    if (const auto mapping = manifest_.file_.Find(kMappingSection)) {
      state_.mapping = std::string(mapping.value());
    }
    if (Status read = ReadIfThere(kAnchorSection, "newest records of partitions are malformed",
                                  [&](ByteReader& reader) { GetAnchors(reader, state_); });
        !read) {
      return read;
    }
    const Result<std::string_view> keys = manifest_.file_.Find(kOpenKeySection);
    if (!keys) return keys.error();
    Result<KeyTable> table = KeyTable::Parse(keys.value(), kind);
    if (!table) return table.error();
    manifest_.keys_ = std::move(table).value();
    named_.resize(manifest_.keys_.size());
    if (Status read = ReadLanes(); !read) return read;
    if (Status read = ReadOffsets(); !read) return read;
    if (Status read = ReadIdentities(); !read) return read;
    if (Status read = ReadJoined(); !read) return read;
    if (Status read = ReadHistories(); !read) return read;
    if (Status read = ReadFiltering(); !read) return read;
    if (Status read = ReadDedupe(); !read) return read;
    if (Status read = ReadTyping(); !read) return read;
    if (Status read = ReadPlaces(); !read) return read;
    if (!std::ranges::all_of(named_, [](bool is_named) { return is_named; })) {
      return Malformed("keys include one that no event uses");
    }
    if (Status coherent = CheckCoherent(state_); !coherent) return coherent;
    return ReadSlices();
  }

 private:
  Status ReadStream() {
    const Result<std::string_view> bytes = manifest_.file_.Find(kStreamSection);
    if (!bytes) return bytes.error();
    ByteReader reader(bytes.value());
    GetStream(reader, state_);
    for (PartitionIndex p = 0; p < state_.partitions.size(); ++p) {
      if (partitions_.Index(state_.partitions[p].pair) != p) {
        return Malformed("partitions are named twice");
      }
    }
    if (!reader.done()) return Malformed("stream is malformed");
    return Ok{};
  }

  Status ReadLanes() {
    const Result<std::string_view> bytes = manifest_.file_.Find(kLaneSection);
    if (!bytes) return bytes.error();
    const Result<std::string_view> event_bytes = manifest_.file_.Find(kOpenEventSection);
    if (!event_bytes) return event_bytes.error();
    ByteReader reader(bytes.value());
    ByteReader events(event_bytes.value());
    constexpr std::size_t kLeastLane = 64;
    const std::size_t count = reader.GetCount(kLeastLane);
    for (std::size_t i = 0; i < count; ++i) {
      if (Status read = ReadLane(reader, events); !read) return read;
    }
    if (!reader.done() || !events.done()) {
      return Malformed("lanes are malformed");
    }
    return Ok{};
  }

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
      return Malformed("lane is malformed");
    }
    constexpr std::size_t kLeastWindow = 64;
    const std::size_t windows = reader.GetCount(kLeastWindow);
    for (std::size_t w = 0; w < windows; ++w) {
      lane.windows.push_back(GetWindow(lane.axis, reader));
      if (!reader.ok() || !IsSound(lane.windows.back(), lane)) {
        return Malformed("window is malformed");
      }
    }
    return ReadSlicer(lane, reader, events);
  }

  // Reads a section with get(reader). Without the section, what it would read keeps its values.
  template <typename Get>
  Status ReadIfThere(ManifestSection section, const char* malformed, const Get& get) {
    const Result<std::string_view> bytes = manifest_.file_.Find(section);
    if (!bytes) return Ok{};
    ByteReader reader(bytes.value());
    get(reader);
    if (!reader.done()) return Malformed(malformed);
    return Ok{};
  }

  Status ReadOffsets() {
    return ReadOfWindows(kOffsetSection, "offsets of windows are malformed",
                         [](ByteReader& reader, const LaneState& lane, WindowState& window) {
                           window.spec.offset = reader.Get<std::int64_t>();
                           if (!HasSoundOffset(window.spec, lane)) reader.Refuse();
                         });
  }

  Status ReadIdentities() {
    return ReadOfWindows(kIdentitySection, "identities of edges are malformed",
                         [](ByteReader& reader, const LaneState&, WindowState& window) {
                           window.spec.identity = static_cast<EdgeIdentity>(reader.GetBelow(2));
                         });
  }

  Status ReadJoined() {
    return ReadOfWindows(kJoinedSection, "windows that joined are malformed",
                         [](ByteReader& reader, const LaneState&, WindowState& window) {
                           window.state.only_joined = reader.GetBool();
                         });
  }

  Status ReadHistories() {
    return ReadOfWindows(kHistorySection, "history of windows is malformed",
                         [](ByteReader& reader, const LaneState& lane, WindowState& window) {
                           window.history = GetHistory(lane, window, reader);
                           if (!window.history.empty() && !window.spec.is_historian()) {
                             reader.Refuse();
                           }
                         });
  }

  // Calls `read` for each window, lane by lane. When the section is missing, every window keeps the
  // default.
  template <typename Read>
  Status ReadOfWindows(ManifestSection section, const char* malformed, const Read& read) {
    return ReadIfThere(section, malformed, [&](ByteReader& reader) {
      for (LaneState& lane : state_.lanes) {
        for (WindowState& window : lane.windows) read(reader, std::as_const(lane), window);
      }
    });
  }

  // The section is missing when there is no filter.
  Status ReadFiltering() {
    const Result<std::string_view> bytes = manifest_.file_.Find(kFilterSection);
    if (!bytes) return Ok{};
    ByteReader reader(bytes.value());
    state_.filters = GetFilters(reader);
    auto logs = manifest_.logs_.begin();
    for (LaneState& lane : state_.lanes) {
      for (WindowState& window : lane.windows) {
        if (const auto filter = reader.Get<FilterBits>(); filter != kNoFilter) {
          const auto number = static_cast<std::size_t>(std::countr_zero(filter));
          if (!std::has_single_bit(filter) || number >= state_.filters.size() ||
              lane.axis == WindowAxis::kEvents) {
            reader.Refuse();
            break;
          }
          WindowFilter parsed = ParseFilterText(state_.filters[number]);
          window.spec.types = std::move(parsed.types);
          window.spec.where = std::move(parsed.where);
          if (window.spec.filter() != state_.filters[number]) reader.Refuse();
        }
        window.state.begun = reader.GetBool();
      }
      for (OpenSliceState& open : lane.slicer.open) {
        open.account.on_time_passes = reader.Get<FilterBits>();
        for (Manifest::NumberedLog& log : *logs++) {
          log.passes = GetPasses(log.times.size(), state_.filters.size(), reader);
        }
      }
    }
    if (!reader.done()) return Malformed("filters of windows are malformed");
    return Ok{};
  }

  // The section is missing when no edge has an id.
  Status ReadDedupe() {
    const Result<std::string_view> bytes = manifest_.file_.Find(kDedupeSection);
    if (!bytes) return Ok{};
    ByteReader reader(bytes.value());
    auto logs = manifest_.logs_.begin();
    for (LaneState& lane : state_.lanes) {
      lane.slicer.counted = GetCounted(state_.partitions.size(), reader);
      lane.reach = GetReach(state_.partitions.size(), reader);
      for (std::size_t i = 0; i < lane.slicer.open.size(); ++i) {
        for (Manifest::NumberedLog& log : *logs++) {
          log.ids = GetLoggedIds(log.times.size(), log.first_offset, log.last_offset, reader);
        }
      }
    }
    if (!reader.done()) return Malformed("ids of edges are malformed");
    return Ok{};
  }

  // The section is missing when no edge has had a type.
  Status ReadTyping() {
    const Result<std::string_view> bytes = manifest_.file_.Find(kTypeSection);
    if (!bytes) return Ok{};
    ByteReader reader(bytes.value());
    state_.types = GetTypeWords(reader);
    for (std::vector<Manifest::NumberedLog>& logs : manifest_.logs_) {
      for (Manifest::NumberedLog& log : logs) {
        log.types = GetTypes(log.times.size(), state_.types.size(), reader);
      }
    }
    if (!reader.done()) return Malformed("types of edges are malformed");
    return Ok{};
  }

  // The section is missing when no log keeps places.
  Status ReadPlaces() {
    if (const auto bytes = manifest_.file_.Find(kPlaceSection)) {
      ByteReader reader(bytes.value());
      for (std::vector<Manifest::NumberedLog>& logs : manifest_.logs_) {
        for (Manifest::NumberedLog& log : logs) {
          log.places = GetPlaces(log.times.size(), log.first_offset, log.last_offset, reader);
        }
      }
      if (!reader.done()) return Malformed("places of events are malformed");
    }
    auto logs = manifest_.logs_.begin();
    for (const LaneState& lane : state_.lanes) {
      for (std::size_t i = 0; i < lane.slicer.open.size(); ++i, ++logs) {
        if (lane.axis != WindowAxis::kEventTime) continue;
        state_.lacks_places = state_.lacks_places || std::ranges::any_of(*logs, LacksPlaces);
      }
    }
    return Ok{};
  }

  Status ReadSlicer(LaneState& lane, ByteReader& reader, ByteReader& events) {
    SlicerState& slicer = lane.slicer;
    slicer.closed_until = reader.Get<Position>();
    slicer.next_id = reader.Get<std::uint64_t>();
    const std::size_t panes = reader.GetCount(1 + sizeof(Position));
    for (std::size_t p = 0; p < panes; ++p) {
      slicer.newest_panes.push_back(reader.GetOptional<Position>());
    }
    const bool has_waiting = reader.GetBool();
    SliceAccount waiting = GetAccount(reader, partitions_, manifest_.file_.format());
    if (has_waiting) slicer.waiting = std::move(waiting);
    constexpr std::size_t kLeastSlice = 64;
    const std::size_t count = reader.GetCount(kLeastSlice);
    for (std::size_t i = 0; i < count; ++i) {
      OpenSliceState& open = slicer.open.emplace_back();
      open.begin = reader.Get<Position>();
      open.account = GetAccount(reader, partitions_, manifest_.file_.format());
      const bool in_order = i == 0 || open.begin > slicer.open[i - 1].begin;
      if (!reader.ok() || !in_order || open.begin < slicer.closed_until ||
          !IsPaneBegin(open.begin, lane)) {
        return Malformed("open slice is malformed");
      }
      if (Status read = ReadLogs(open, reader, events); !read) return read;
    }
    if (!reader.ok() || lane.retained > slicer.next_id || slicer.next_id > EdgeBlock::kMostSlices ||
        panes > state_.partitions.size() ||
        !IsOpenBehind(slicer.closed_until, lane, state_.processing_time)) {
      return Malformed("slicer is malformed");
    }
    return Ok{};
  }

  Status ReadLogs(OpenSliceState& open, ByteReader& reader, ByteReader& events) {
    std::vector<Manifest::NumberedLog>& logs = manifest_.logs_.emplace_back();
    const std::size_t count = reader.GetCount(sizeof(PartitionIndex) + 2 * sizeof(std::int64_t));
    std::uint64_t open_events = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Manifest::NumberedLog& log = logs.emplace_back();
      log.partition = reader.Get<PartitionIndex>();
      log.first_offset = reader.Get<std::int64_t>();
      log.last_offset = reader.Get<std::int64_t>();
      log.times = events.GetColumn<std::int64_t>(events.GetCount(sizeof(std::int64_t)));
      Result<EventColumns> columns = ParseColumns(events.GetText(), manifest_.keys_.size());
      if (!columns) return columns.error();
      log.events = std::move(columns).value();
      const std::size_t size = log.times.size();
      const bool offsets_ascend = size == 1 ? log.first_offset == log.last_offset
                                            : size > 1 && log.first_offset <= log.last_offset;
      const bool in_order = i == 0 || logs[i - 1].partition <= log.partition;
      if (!reader.ok() || !events.ok() || !offsets_ascend || !in_order ||
          log.events.sources.size() != size || !open.account.shares.contains(log.partition)) {
        return Malformed("open events are malformed");
      }
      NoteKeys(log.events, named_);
      open_events += size;
    }
    CompleteAccount(manifest_.file_.format(), open_events, open.account);
    return Ok{};
  }

  // Exactly the retained slices have files.
  Status ReadSlices() {
    const Result<std::string_view> bytes = manifest_.file_.Find(kSliceSection);
    if (!bytes) return bytes.error();
    ByteReader reader(bytes.value());
    constexpr std::size_t kEntryBytes = 36;
    const std::size_t count = reader.GetCount(kEntryBytes);
    std::uint64_t retained = 0;
    for (const LaneState& lane : state_.lanes) retained += lane.retained;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (std::size_t i = 0; i < count; ++i) {
      SliceEntry& entry = manifest_.slices_.emplace_back();
      entry.lane = reader.Get<std::uint64_t>();
      entry.id = reader.Get<std::uint64_t>();
      entry.file = reader.Get<std::uint64_t>();
      entry.stamp.bytes = reader.Get<std::uint64_t>();
      entry.stamp.crc = reader.Get<std::uint32_t>();
      const auto lane = std::ranges::find(state_.lanes, entry.lane, &LaneState::serial);
      if (lane == state_.lanes.end() || entry.id < lane->first_retained() ||
          entry.id >= lane->slicer.next_id || !seen.insert({entry.lane, entry.id}).second) {
        return Malformed("list of slices names one that no lane retains");
      }
    }
    if (!reader.done() || seen.size() != retained) {
      return Malformed("list of slices lacks one that a lane retains");
    }
    return Ok{};
  }

  Manifest& manifest_;
  EngineState& state_;
  PartitionTable partitions_;  // of the manifest
  std::vector<bool> named_;    // by number of the key
  std::set<WindowAxis> axes_;
  std::set<std::uint64_t> serials_;
};

Result<Manifest> Manifest::Parse(SectionedFile file, std::optional<KeyKind> kind) {
  Manifest manifest(std::move(file));
  if (Status parsed = ManifestParser(manifest).Parse(kind); !parsed) return parsed.error();
  return manifest;
}

}  // namespace sash
