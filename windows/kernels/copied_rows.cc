#include "windows/kernels/copied_rows.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {

CopiedRows::CopiedRows(Row first, std::span<const std::uint32_t> counts) : first_(first) {
  SASH_CHECK(counts.size() <= kMost);
  // How many lists there are of each length, from the longest on, becomes where they begin.
  std::array<std::uint32_t, kToldApart + 1> next{};
  const auto class_of = [](std::uint32_t count) {
    return kToldApart - std::min(count, kToldApart);
  };
  std::size_t edges = 0;
  for (const std::uint32_t count : counts) {
    ++next[class_of(count)];
    edges += count;
  }
  std::uint32_t lists = 0;
  for (std::uint32_t& of_class : next) lists += std::exchange(of_class, lists);

  runs_.resize(counts.size() + kRunsAhead);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    runs_[next[class_of(counts[i])]++] = {nullptr, counts[i], first + static_cast<Row>(i)};
  }
  entries_ = std::make_unique_for_overwrite<Row[]>(edges);
  const Row* list = entries_.get();
  for (RowRun& run : runs_) {
    run.entries = list;
    list += run.count;
  }
}

}  // namespace sash
