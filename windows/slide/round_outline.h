// RoundOutline: what a round of the engine began with: when it was, and how much came from which
// partition in which order. With the records, which can be read again, it is enough to do the
// round again as it was (RoundReplay).
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

// What the clocks said.
struct Moment {
  SteadyTime steady{};
  EventTime wall{};
};
// 73 years. Who reads steady times, and differences of them, from outside believes none that is
// farther from zero, so that the sum of any three lies within 64 bits.
inline constexpr Duration kFarthestSteady{std::int64_t{1} << 61};
inline bool IsPlausible(Duration steady) {
  return steady >= -kFarthestSteady && steady <= kFarthestSteady;
}
inline bool IsPlausible(SteadyTime steady) {
  return IsPlausible(Duration(steady.time_since_epoch()));
}

// What the clocks can decide in a round to which nothing came. One that leaves all of it as it was
// could as well not have been.
struct Decided {
  std::uint64_t slices_closed = 0;
  std::optional<EventTime> watermark;
  std::optional<PartitionIndex> holder;  // Watermark::holder()
  std::optional<Position> by_clock;      // panes by processing time have closed until there
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
    std::uint64_t count = 0;  // of events; of the others 0
    friend bool operator==(const Item&, const Item&) = default;
  };

  Moment at;
  bool has_batch = false;  // else the clock alone had its say
  bool caught_up = false;  // EventBatch::caught_up
  std::vector<Item> items;
  std::vector<EventTime> times;  // of the events, or empty: the records tell them
  // Partitions that joined, by index: those behind the ones that were named before.
  std::vector<TopicPartition> named{};
};

// `with_times`: the records do not tell when their events happened.
RoundOutline Outline(const EventBatch& batch, const Moment& at, bool with_times);

}  // namespace sash
