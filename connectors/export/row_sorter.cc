#include "connectors/export/row_sorter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "windows/base/check.h"
#include "windows/base/radix_sort.h"

namespace sash {

void RowSorter::Sort() {
  SASH_CHECK(entries_.size() < std::uint64_t{1} << 32);
  SortByPlace();
  if (weights_.empty()) return;
  for (std::size_t first = 0; first < entries_.size();) {
    std::size_t last = first + 1;
    while (last < entries_.size() && place(last) == place(first)) ++last;
    if (last - first > 1) {
      std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(first),
                entries_.begin() + static_cast<std::ptrdiff_t>(last),
                [this](std::uint64_t a, std::uint64_t b) { return ComesFirst(a, b); });
    }
    first = last;
  }
}

// Least significant digit first, as RadixSort(), with memory that stays from row to row.
void RowSorter::SortByPlace() {
  using Digits = RadixDigits<std::uint64_t>;
  constexpr std::size_t kSmall = 256;  // below, clearing the counters costs more than comparing
  if (entries_.size() < kSmall) {
    std::ranges::sort(entries_);
    return;
  }
  std::uint64_t varying = 0;
  for (const std::uint64_t entry : entries_) varying |= entry ^ entries_[0];
  const Digits digits(varying >> 32 << 32);
  scratch_.resize(entries_.size());
  for (const unsigned shift : digits.shifts()) {
    std::array<std::uint32_t, Digits::kValues> places{};
    for (const std::uint64_t entry : entries_) ++places[Digits::Value(entry, shift)];
    std::uint32_t place = 0;
    for (std::uint32_t& count : places) place += std::exchange(count, place);
    for (const std::uint64_t entry : entries_) {
      scratch_[places[Digits::Value(entry, shift)]++] = entry;
    }
    std::swap(entries_, scratch_);
  }
}

// An integer comes before an equal double, as in lists of edges, so that the order is total.
bool RowSorter::ComesFirst(std::uint64_t a, std::uint64_t b) const {
  const auto one = static_cast<std::uint32_t>(a);
  const auto other = static_cast<std::uint32_t>(b);
  if (!types_.empty() && types_[one] != types_[other]) return types_[one] < types_[other];
  const Weight weight = weights_[one];
  const Weight than = weights_[other];
  if (weight < than) return true;
  if (than < weight) return false;
  return weight.is_integer() && !than.is_integer();
}

}  // namespace sash
