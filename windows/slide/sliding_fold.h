// SlidingFold: what the elements of a queue say together, when elements enter at one end and leave
// at the other.
//
// Two stacks: the newer elements have one running total; the older ones have totals made from the
// newest backwards, so that the oldest can leave without being subtracted. When the older ones have
// all left, the newer ones become the older ones. One in kStride of those totals is kept: the few
// elements before it are taken in anew, which costs a constant and saves memory.
//
// Element is what enters; Total has a default constructor and Take(const Element&),
// Take(const Total&), whose result does not depend on order or grouping.
//
// Thread safety: none of its own.
//
// Invariants
//   (1) n elements cost at most 2n calls of Take() as they come and go; a Sum() at most kStride.
//   (2) Elements are owned by others, and live until they are popped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "windows/base/check.h"

namespace sash {

template <typename Element, typename Total>
class SlidingFold {
 public:
  static constexpr std::size_t kStride = 16;

  std::size_t size() const { return elements_.size(); }
  const Element& oldest() const { return *elements_.front(); }

  void PushNewest(const Element& element) {
    elements_.push_back(&element);
    newer_.Take(element);
    ++takes_;
  }

  void PopOldest() {
    SASH_CHECK(!elements_.empty());
    if (older_ == 0) TurnOver();
    elements_.pop_front();
    --older_;
    if (totals_.size() * kStride > older_) totals_.pop_back();
  }

  Total Sum() const {
    Total sum = newer_;
    if (!totals_.empty()) sum.Take(totals_.back());
    const std::size_t loose = older_ % kStride;
    for (std::size_t i = 0; i < loose; ++i) sum.Take(*elements_[i]);
    takes_ += loose + (totals_.empty() ? 0 : 1);
    return sum;
  }

  // How often Take() was called since the beginning: what the fold has cost.
  std::uint64_t takes() const { return takes_; }

 private:
  void TurnOver() {
    Total total;
    for (std::size_t taken = 0; taken < elements_.size();) {
      total.Take(*elements_[elements_.size() - 1 - taken]);
      if (++taken % kStride == 0) totals_.push_back(total);
    }
    takes_ += elements_.size();
    older_ = elements_.size();
    newer_ = Total();
  }

  std::deque<const Element*> elements_;  // oldest first
  std::size_t older_ = 0;                // how many of them, from the front, are the older ones
  std::vector<Total> totals_;            // [i]: of the newest (i + 1) * kStride of the older ones
  Total newer_;
  mutable std::uint64_t takes_ = 0;
};

}  // namespace sash
