#include "windows/ingest/waiting_counts.h"

#include <algorithm>

#include "windows/base/allocated_bytes.h"

namespace sash {
namespace {

PaneCounts CountsOf(Position begin, const SliceAccount& account) {
  return {EventTime(Duration(begin)), account.late, account.refused};
}

// `from` counts records that were read before those of `into`.
void MergeAccounts(const SliceAccount& from, SliceAccount& into) {
  into.late += from.late;
  into.refused += from.refused;
  for (const auto& [partition, share] : from.shares) {
    const auto [found, added] = into.shares.try_emplace(partition, share);
    if (!added && share.rewind_offset < found->second.rewind_offset) {
      found->second.rewind_offset = share.rewind_offset;
      found->second.newest_before = share.newest_before;
    }
  }
}

}  // namespace

void WaitingCounts::PassUntil(Position begin) {
  while (!counted_.empty() && counted_.begin()->first < begin) {
    if (keeps_apart_) {
      passed_.insert(counted_.extract(counted_.begin()));
      continue;
    }
    MergeAccounts(counted_.begin()->second, waiting_);
    has_waiting_ = true;
    counted_.erase(counted_.begin());
  }
}

void WaitingCounts::MoveTo(Slice& slice) {
  PassUntil(slice.begin);
  if (const auto counted = counted_.extract(slice.begin)) {
    MergeAccounts(counted.mapped(), slice.account);
  }
  if (keeps_apart_) {
    closed_apart_ = TakeApart();
    return;
  }
  if (!has_waiting_ || !slice.account.has_on_time) return;
  MergeAccounts(waiting_, slice.account);
  waiting_ = SliceAccount();
  has_waiting_ = false;
}

// Works on a copy, which closes slices that have nothing but these counts.
void WaitingCounts::ForecastFor(std::vector<OpenTail>& open) const {
  if (counted_.empty() && !has_waiting_) return;
  WaitingCounts copy = *this;
  for (OpenTail& tail : open) {
    Slice slice;
    slice.begin = tail.begin;
    slice.account.has_on_time = tail.has_on_time;
    copy.MoveTo(slice);
    tail.late += slice.account.late;
    tail.refused += slice.account.refused;
  }
}

std::vector<PaneCounts> WaitingCounts::Counts() const {
  std::vector<PaneCounts> counts;
  if (has_waiting_) counts.push_back({{}, waiting_.late, waiting_.refused});
  for (const auto* const panes : {&passed_, &counted_}) {
    for (const auto& [begin, account] : *panes) counts.push_back(CountsOf(begin, account));
  }
  return counts;
}

// Takes the counts of panes that have closed, and the counts without a pane.
std::vector<PaneCounts> WaitingCounts::TakeApart() {
  std::vector<PaneCounts> counts;
  if (std::exchange(has_waiting_, false)) {
    counts.push_back({{}, waiting_.late, waiting_.refused});
    waiting_ = SliceAccount();
  }
  for (const auto& [begin, account] : passed_) counts.push_back(CountsOf(begin, account));
  passed_.clear();
  return counts;
}

void WaitingCounts::AddTo(SlicerState& state) const {
  for (const auto& [begin, account] : counted_) {
    const auto place = std::ranges::lower_bound(state.open, begin, {}, &OpenSliceState::begin);
    if (place != state.open.end() && place->begin == begin) {
      MergeAccounts(account, place->account);
    } else {
      state.open.insert(place, {.begin = begin, .account = account, .logs = {}});
    }
  }
  if (has_waiting_) state.waiting = waiting_;
}

void WaitingCounts::RestoreWithoutPane(std::optional<SliceAccount> waiting) {
  has_waiting_ = waiting.has_value();
  if (has_waiting_) waiting_ = *std::move(waiting);
}

std::size_t WaitingCounts::bytes() const {
  return (counted_.size() + passed_.size()) * (sizeof(SliceAccount) + kMapNodeBytes);
}

}  // namespace sash
