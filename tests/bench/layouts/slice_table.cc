#include "tests/bench/layouts/slice_table.h"

#include <algorithm>
#include <array>
#include <bit>

#include "windows/base/check.h"

namespace sash::bench {
namespace {

// The shifts of the digits that are non-zero in some key: passes over the others are skipped.
std::vector<unsigned> PassShifts(const std::vector<std::uint64_t>& keys, unsigned bits) {
  std::uint64_t any = 0;
  for (const std::uint64_t key : keys) any |= key;
  std::vector<unsigned> shifts;
  for (const unsigned half : {0U, 32U}) {
    const auto width = static_cast<unsigned>(std::bit_width((any >> half) & 0xFFFF'FFFF));
    for (unsigned shift = 0; shift < width; shift += bits) shifts.push_back(half + shift);
  }
  return shifts;
}

// Sorts keys of owner and neighbour in ascending order: least significant digit first.
void SortKeys(std::vector<std::uint64_t>& keys) {
  constexpr std::size_t kSmall = 512;  // below it, clearing the counters costs more than comparing
  if (keys.size() < kSmall) {
    std::ranges::sort(keys);
    return;
  }
  constexpr unsigned kBits = 9;
  std::vector<std::uint64_t> scratch(keys.size());
  for (const unsigned shift : PassShifts(keys, kBits)) {
    std::array<std::uint32_t, 1U << kBits> places{};
    const auto digit = [&](std::uint64_t key) {
      return ((shift < 32 ? key & 0xFFFF'FFFF : key) >> shift) & ((1U << kBits) - 1);
    };
    for (const std::uint64_t key : keys) ++places[digit(key)];
    std::uint32_t place = 0;
    for (std::uint32_t& count : places) {
      const std::uint32_t next = place + count;
      count = place;
      place = next;
    }
    for (const std::uint64_t key : keys) scratch[places[digit(key)]++] = key;
    keys.swap(scratch);
  }
}

}  // namespace

std::vector<OwnedDeath> ByOwner(std::span<const Death> deaths, Direction direction) {
  std::vector<OwnedDeath> owned;
  owned.reserve(deaths.size());
  for (const Death& death : deaths) {
    if (direction == Direction::kOut) {
      owned.push_back({death.source, death.target, death.slice});
    } else {
      owned.push_back({death.target, death.source, death.slice});
    }
  }
  std::ranges::sort(owned, [](const OwnedDeath& a, const OwnedDeath& b) {
    return a.owner != b.owner ? a.owner < b.owner : a.neighbour < b.neighbour;
  });
  return owned;
}

SliceTable::SliceTable(const Slice& slice, Direction direction) {
  SASH_CHECK(slice.operations.empty());
  const auto& owners = direction == Direction::kOut ? slice.sources : slice.targets;
  const auto& others = direction == Direction::kOut ? slice.targets : slice.sources;
  std::vector<std::uint64_t> keys(slice.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<std::uint64_t>(owners[i]) << 32 | others[i];
  }
  SortKeys(keys);

  neighbours_.reserve(keys.size());
  for (const std::uint64_t key : keys) {
    const auto owner = static_cast<VertexId>(key >> 32);
    if (vertices_.empty() || vertices_.back() != owner) {
      vertices_.push_back(owner);
      starts_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
    }
    neighbours_.push_back(static_cast<VertexId>(key));
  }
  starts_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  vertices_.shrink_to_fit();
  starts_.shrink_to_fit();
}

std::uint32_t SliceTable::LowerBound(VertexId v) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(vertices_, v) - vertices_.begin());
}

std::uint32_t SliceTable::SlotOf(std::uint32_t fragment, VertexId neighbour) const {
  const std::span<const VertexId> edges = row(fragment);
  const auto found = std::ranges::lower_bound(edges, neighbour);
  SASH_CHECK(found != edges.end() && *found == neighbour);
  return begin(fragment) + static_cast<std::uint32_t>(found - edges.begin());
}

}  // namespace sash::bench
