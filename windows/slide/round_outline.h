// RoundOutline: how a round of the engine began: its moment, and the number of records from each
// partition in their order. Together with the records, which can be read again, this is enough to
// repeat the round exactly (RoundReplay).
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/slice.h"

namespace sash {

// The readings of both clocks.
struct Moment {
  SteadyTime steady{};
  EventTime wall{};
};
// 73 years. Code that reads steady times, or differences of them, from files rejects values farther
// from zero, so that the sum of any three fits 64 bits.
inline constexpr Duration kFarthestSteady{std::int64_t{1} << 61};
inline bool IsPlausible(Duration steady) {
  return steady >= -kFarthestSteady && steady <= kFarthestSteady;
}
inline bool IsPlausible(SteadyTime steady) {
  return IsPlausible(Duration(steady.time_since_epoch()));
}

// Everything that the clocks can change in a round without a batch. A round that changes none of it
// has no effect.
struct Decided {
  std::uint64_t slices_closed = 0;
  std::optional<EventTime> watermark;
  std::optional<PartitionIndex> holder;  // Watermark::holder()
  std::optional<Position> by_clock;      // panes by processing time have closed until here
  bool operator==(const Decided&) const = default;
};

struct RoundOutline {
  enum class ItemKind : std::uint8_t {
    kEvents,
    kRefused,
    kGap,
    kCaughtUp,
    kBehind,
    kJoins,
    kLeaves,
  };
  static constexpr std::uint8_t kItemKinds = 7;

  struct Item {
    ItemKind kind = ItemKind::kEvents;
    PartitionIndex partition = 0;
    std::int64_t offset = 0;  // of the last event, of the refused record, or of Mark::kJoins
    std::uint64_t count = 0;  // kEvents: the number of events; else 0
    friend bool operator==(const Item&, const Item&) = default;
  };

  Moment at;
  bool has_batch = false;  // else a Tick()
  bool caught_up = false;  // EventBatch::caught_up
  std::vector<Item> items;
  std::vector<EventTime> times;  // of the events; empty if the records have them
  // Partitions that joined, by index; the indices continue after the partitions named before.
  std::vector<TopicPartition> named{};
};

// `with_times`: the records do not contain the times of their events.
RoundOutline Outline(const EventBatch& batch, const Moment& at, bool with_times);

}  // namespace sash
