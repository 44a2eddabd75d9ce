// ValueDictionary: the distinct values of a column of numbers, in the order in which they were
// first seen.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sash {

class ValueDictionary {
 public:
  static constexpr std::size_t kMost = 1 << 15;  // values

  void Clear();
  // The place of the value, which is added if it is new. Nothing: the dictionary is full, or too
  // many values share a slot, as a sender of weights could arrange.
  std::optional<std::uint32_t> PlaceOf(std::int64_t value) {
    const std::uint64_t hash = static_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15U;
    std::size_t slot = hash >> kHashShift;
    for (int i = 0; i < kMostSteps; ++i, slot = (slot + 1) % kSlots) {
      const std::uint32_t at = slots_[slot];
      if (at == 0) return Add(slot, value);
      if (values_[at - 1] == value) return at - 1;
    }
    return std::nullopt;
  }

  const std::vector<std::int64_t>& values() const { return values_; }

 private:
  static constexpr std::size_t kSlots = 2 * kMost;
  static constexpr int kMostSteps = 128;
  static constexpr unsigned kHashShift = 64 - 16;
  static_assert(kSlots == std::size_t{1} << (64 - kHashShift));

  std::optional<std::uint32_t> Add(std::size_t slot, std::int64_t value) {
    if (values_.size() == kMost) return std::nullopt;
    values_.push_back(value);
    slots_[slot] = static_cast<std::uint32_t>(values_.size());
    return slots_[slot] - 1;
  }

  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(kSlots);  // place + 1; 0: empty
};

inline void ValueDictionary::Clear() {
  if (values_.empty()) return;
  values_.clear();
  slots_.assign(kSlots, 0);
}

}  // namespace sash
