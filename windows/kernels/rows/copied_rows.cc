#include "windows/kernels/rows/copied_rows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

constexpr CopiedRows::Row kLowLimit = 1 << 16;  // entries below it fit in two bytes

// Splits a list. Memory for the longest list is kept.
class Splitter {
 public:
  void Split(std::span<const CopiedRows::Row> list) {
    if (low_.size() < list.size()) {
      low_.resize(list.size());
      rest_.resize(list.size());
    }
    low_count_ = 0;
    rest_count_ = 0;
    // Both are written, and one counts: a branch would be mispredicted every fourth time.
    for (const CopiedRows::Row entry : list) {
      low_[low_count_] = static_cast<std::uint16_t>(entry);
      rest_[rest_count_] = entry;
      low_count_ += entry < kLowLimit ? 1 : 0;
      rest_count_ += entry < kLowLimit ? 0 : 1;
    }
  }
  // Valid until the next Split().
  std::span<const std::uint16_t> low() const { return std::span(low_).first(low_count_); }
  std::span<const CopiedRows::Row> rest() const { return std::span(rest_).first(rest_count_); }

 private:
  std::vector<std::uint16_t> low_;
  std::vector<CopiedRows::Row> rest_;
  std::size_t low_count_ = 0;
  std::size_t rest_count_ = 0;
};

}  // namespace

CopiedRows::CopiedRows(Row first, std::span<const std::uint32_t> counts)
    : first_(first), order_(counts.size()) {
  SASH_CHECK(counts.size() <= kMost);
  // First the number of lists of each length, from the longest on; later the place where they
  // begin.
  std::array<std::uint32_t, kLong + 1> next{};
  const auto class_of = [](std::uint32_t count) { return kLong - std::min(count, kLong); };
  std::size_t edges = 0;
  for (const std::uint32_t count : counts) {
    ++next[class_of(count)];
    edges += count;
  }
  long_.resize(next[0]);
  for (std::uint32_t length = kLong; length-- > 0;) {
    const std::uint32_t lists = next[class_of(length)];
    if (lists > 0) short_.push_back({.length = length, .count = lists});
  }
  std::uint32_t lists = 0;
  for (std::uint32_t& of_class : next) lists += std::exchange(of_class, lists);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint32_t list = next[class_of(counts[i])]++;
    order_[list] = static_cast<std::uint16_t>(i);
    if (list < long_.size()) long_[list].count = counts[i];
  }

  entries_ = std::make_unique_for_overwrite<Row[]>(edges);
  const Row* entries = entries_.get();
  for (SplitList& list : long_) entries = (list.entries = entries) + list.count;
  for (EqualLists& equal : short_) {
    equal.entries = entries;
    entries += std::size_t{equal.length} * equal.count;
  }
}

void CopiedRows::Pack() {
  Splitter splitter;
  Row* free = entries_.get();  // never past the list that is read
  const auto put = [&](const void* what, std::size_t bytes) {
    std::memmove(free, what, bytes);
    return std::exchange(free, free + (bytes + sizeof(Row) - 1) / sizeof(Row));
  };
  for (SplitList& list : long_) {
    splitter.Split({list.entries, list.count});
    list.low_count = static_cast<std::uint32_t>(splitter.low().size());
    list.count = static_cast<std::uint32_t>(splitter.rest().size());
    list.low = reinterpret_cast<const std::uint16_t*>(
        put(splitter.low().data(), splitter.low().size_bytes()));
    list.entries = put(splitter.rest().data(), splitter.rest().size_bytes());
  }
  for (EqualLists& equal : short_) {
    equal.entries = put(equal.entries, std::size_t{equal.length} * equal.count * sizeof(Row));
  }
}

}  // namespace sash
