#include "connectors/export/slices/shard_merge.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// Where the files of some slices of a shard are missing: between two others.
struct LostSlices {
  EventTime from{};
  EventTime to{};
  std::uint64_t count = 0;
};

std::vector<LostSlices> LostIn(const std::vector<SliceFacts>& slices) {
  std::vector<LostSlices> lost;
  for (std::size_t i = 1; i < slices.size(); ++i) {
    const std::uint64_t missing = slices[i].number - slices[i - 1].number - 1;
    if (missing == 0) continue;
    lost.push_back({slices[i - 1].end, slices[i].previous.value_or(slices[i].begin), missing});
  }
  return lost;
}

// Each shard removes slices by its own newest one. What ends before this is not whole.
std::optional<EventTime> WholeSince(const std::vector<ShardSlices>& shards) {
  std::optional<EventTime> since;
  for (const ShardSlices& shard : shards) {
    if (!shard.slices.empty()) since = std::max(since, shard.slices.front().previous);
  }
  return since;
}

class ShardMerger {
 public:
  explicit ShardMerger(const std::vector<ShardSlices>& shards)
      : closed_until_(ClosedByAll(shards)), whole_since_(WholeSince(shards)) {}

  void Take(std::size_t folder, ShardSlices shard) {
    std::ranges::move(LostIn(shard.slices), std::back_inserter(lost_));
    std::ranges::move(shard.about.counts, std::back_inserter(apart_));
    for (SliceFacts& facts : shard.slices) {
      // The manifest has the counts of slices that are not in it yet.
      if (facts.end <= shard.about.closed_until) {
        apart_.insert(apart_.end(), facts.apart.begin(), facts.apart.end());
      }
      if (facts.end > closed_until_) {
        ++merged_.left_out;
        merged_.first_left_out = std::min(merged_.first_left_out.value_or(facts.end), facts.end);
      } else if (!whole_since_ || facts.begin >= *whole_since_) {
        Take(folder, std::move(facts));
      }
    }
  }

  MergedShards Finish() {
    std::optional<EventTime> previous = whole_since_;
    for (auto& [begin, slice] : slices_) {
      slice.previous = std::exchange(previous, slice.end);
    }
    for (const PaneCounts& counts : apart_) Place(counts);
    for (const LostSlices& lost : lost_) Note(lost);
    for (auto& [begin, slice] : slices_) merged_.slices.push_back(std::move(slice));
    return std::move(merged_);
  }

 private:
  void Take(std::size_t folder, SliceFacts facts) {
    StreamSlice& slice = slices_[facts.begin];
    slice.begin = facts.begin;
    slice.end = facts.end;
    slice.late += facts.late;
    slice.refused += facts.refused;
    slice.gap = slice.gap || facts.gap;
    slice.parts.push_back({folder, std::move(facts)});
  }

  // In the slice of that pane, or else in the next one that has an edge in time. Without a pane, in
  // the first slice of the stream.
  void Place(const PaneCounts& counts) {
    if (whole_since_ && (!counts.begin || *counts.begin < *whole_since_)) return;
    auto at = counts.begin ? slices_.lower_bound(*counts.begin) : slices_.begin();
    const auto is_late_alone = [](const StreamSlice& slice) {
      return std::ranges::none_of(
          slice.parts, [](const StreamSlice::Part& part) { return part.facts.has_on_time; });
    };
    while (counts.begin && at != slices_.end() && at->first != *counts.begin &&
           is_late_alone(at->second)) {
      ++at;
    }
    if (at == slices_.end()) return;  // a slice that is not whole yet will have it
    at->second.late += counts.late;
    at->second.refused += counts.refused;
  }

  // Other shards may have edges of the panes of the lost slices.
  void Note(const LostSlices& lost) {
    for (auto& [begin, slice] : slices_) {
      if (begin >= lost.to) {
        slice.lost += lost.count;
        slice.previous = std::max(slice.previous, std::optional(lost.to));
        return;
      }
      if (begin >= lost.from) slice.gap = true;
    }
  }

  const EventTime closed_until_;
  const std::optional<EventTime> whole_since_;
  MergedShards merged_;
  std::map<EventTime, StreamSlice> slices_;  // by `begin`
  std::vector<PaneCounts> apart_;
  std::vector<LostSlices> lost_;
};

}  // namespace

EventTime ClosedByAll(const std::vector<ShardSlices>& shards) {
  std::optional<EventTime> least = shards.front().about.closed_until;
  for (const ShardSlices& shard : shards) least = std::min(least, shard.about.closed_until);
  SASH_CHECK(least.has_value());
  return *least;
}

MergedShards MergeShards(std::vector<ShardSlices> shards) {
  ShardMerger merger(shards);
  for (std::size_t i = 0; i < shards.size(); ++i) merger.Take(i, std::move(shards[i]));
  return merger.Finish();
}

}  // namespace sash
