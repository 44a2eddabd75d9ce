// SlidingFold: the total of the elements of a queue, when elements enter at one end and leave at
// the other.
//
// The queue is two stacks. The newer elements have one running total. The older elements have
// totals that start at the newest of them and go backwards, so that the oldest can leave without a
// subtraction. When all older elements have left, the newer ones become the older ones. Only one in
// kStride of the older totals is stored; Sum() adds the few elements before it again, which costs a
// constant and saves memory.
//
// Element is the type of the elements. Total has a default constructor, Take(const Element&) and
// Take(const Total&); its result does not depend on order or grouping.
//
// Thread safety: belongs to one thread at a time.
//
// Invariants
//   (1) n elements that enter and leave cost at most 2n calls of Take(); a Sum() at most kStride.
//   (2) The caller owns the elements and keeps them alive until they are popped.
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

  // The number of calls of Take() since the beginning: the cost of the fold.
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
  std::size_t older_ = 0;                // the number of older elements, at the front of elements_
  std::vector<Total> totals_;            // [i]: of the newest (i + 1) * kStride older elements
  Total newer_;
  mutable std::uint64_t takes_ = 0;
};

}  // namespace sash
