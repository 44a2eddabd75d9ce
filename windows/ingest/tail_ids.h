// TailIds: the ids of the events of an open slice that have one (SliceTail), and the events of each
// id.
//
// Thread safety: like a vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "windows/ingest/edge_id.h"
#include "windows/ingest/edge_id_hash.h"

namespace sash {

// The id of an event. Events of one record have one partition and offset.
struct TailId {
  std::uint32_t event = 0;  // its number
  std::int64_t offset = 0;
  EdgeId id{};
};

class TailIds {
 public:
  // The id of an event that is newer than all before.
  void Add(const TailId& id) {
    const auto place = static_cast<std::uint32_t>(ids_.size());
    const auto [newest, is_first] = newest_.try_emplace(id.id, place);
    ids_.push_back({id, is_first ? kNone : newest->second});
    newest->second = place;
  }

  // The id of the event of this number; none: it has none.
  std::optional<EdgeId> Of(std::uint32_t event) const {
    const auto found = std::ranges::lower_bound(ids_, event, {},
                                                [](const Entry& entry) { return entry.id.event; });
    if (found == ids_.end() || found->id.event != event) return std::nullopt;
    return found->id.id;
  }

  // The events with this id, the newest first.
  std::vector<TailId> With(EdgeId id) const {
    std::vector<TailId> events;
    const auto newest = newest_.find(id);
    std::uint32_t next = newest == newest_.end() ? kNone : newest->second;
    for (; next != kNone; next = ids_[next].before) events.push_back(ids_[next].id);
    return events;
  }

  std::size_t bytes() const {  // about
    return ids_.size() * sizeof(Entry) + newest_.size() * kNodeBytes;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
  static constexpr std::size_t kNodeBytes = 64;  // of the map, with its bucket

  struct Entry {
    TailId id{};
    std::uint32_t before = kNone;  // the place of the entry before it with the same id
  };

  std::deque<Entry> ids_;  // by event
  std::unordered_map<EdgeId, std::uint32_t, EdgeIdHash> newest_;
};

}  // namespace sash
