#include "windows/slide/account_totals.h"

#include <algorithm>

namespace sash {
namespace {

void Widen(WindowTotal& total, PartitionIndex partition, std::int64_t least,
           std::int64_t greatest) {
  if (partition >= total.offsets.size()) total.offsets.resize(partition + 1);
  WindowTotal::Offsets& offsets = total.offsets[partition];
  offsets.least = std::min(offsets.least, least);
  offsets.greatest = std::max(offsets.greatest, greatest);
}

// Adds the members that the accounts of slices and totals have in common.
template <typename Account>
void TakeCounts(WindowTotal& total, const Account& account) {
  total.late += account.late;
  total.refused += account.refused;
  total.last_accepted = std::max(total.last_accepted, account.last_accepted);
  total.gap = total.gap || account.gap;
  if (!account.least_time) return;
  total.least_time = std::min(total.least_time.value_or(*account.least_time), *account.least_time);
  total.greatest_time =
      std::max(total.greatest_time.value_or(*account.greatest_time), *account.greatest_time);
}

}  // namespace

void WindowTotal::Take(const RetainedSlice& slice) {
  TakeCounts(*this, slice.account);
  for (const auto& [partition, share] : slice.account.shares) {
    if (share.has_events()) Widen(*this, partition, share.least, share.greatest);
  }
}

void WindowTotal::Take(const WindowTotal& other) {
  TakeCounts(*this, other);
  for (PartitionIndex p = 0; p < other.offsets.size(); ++p) {
    Widen(*this, p, other.offsets[p].least, other.offsets[p].greatest);
  }
}

void LiveTotal::Take(EventTime time) {
  least = std::min(least.value_or(time), time);
  greatest = std::max(greatest.value_or(time), time);
}

void LiveTotal::Take(const RetainedSlice& slice) {
  late += slice.account.late;
  refused += slice.account.refused;
  if (!slice.account.least_time) return;
  Take(*slice.account.least_time);
  Take(*slice.account.greatest_time);
}

void LiveTotal::Take(const LiveTotal& other) {
  late += other.late;
  refused += other.refused;
  if (!other.least) return;
  Take(*other.least);
  Take(*other.greatest);
}

void RewindTotal::Take(const RewindPosition& position) {
  if (position.partition >= first.size()) first.resize(position.partition + 1);
  std::optional<RewindPosition>& known = first[position.partition];
  if (!known || position.offset < known->offset) known = position;
}

void RewindTotal::Take(PartitionIndex partition, const PartitionShare& share) {
  Take(RewindPosition{partition, share.rewind_offset, share.newest_before});
}

void RewindTotal::Take(const RetainedSlice& slice) {
  for (const auto& [partition, share] : slice.account.shares) Take(partition, share);
}

void RewindTotal::Take(const SliceRewind& slice) {
  for (const RewindPosition& position : slice.positions) Take(position);
}

void RewindTotal::Take(const RewindTotal& other) {
  for (const auto& position : other.first) {
    if (position) Take(*position);
  }
}

}  // namespace sash
