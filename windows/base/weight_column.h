// WeightColumn: the weights of a sequence of edges. It stores nothing while all are the integer 1,
// eight bytes per edge while all are integers, and nine otherwise.
//
// Thread safety: Set() of different indices may run in parallel; otherwise like a vector.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/base/weight.h"

namespace sash {

class WeightColumn {
 public:
  // The weights that a column can hold; each kind includes the ones before.
  enum class Kind : std::uint8_t { kOnes, kIntegers, kMixed };

  static Kind KindOf(Weight weight) {
    if (!weight.is_integer()) return Kind::kMixed;
    return weight.integer() == 1 ? Kind::kOnes : Kind::kIntegers;
  }

  WeightColumn() = default;
  WeightColumn(std::size_t size, Kind kind) : kind_(kind) {
    if (kind != Kind::kOnes) bits_.assign(size, 1);
    if (kind == Kind::kMixed) real_.assign(size, 0);
  }

  Kind kind() const { return kind_; }

  Weight operator[](std::size_t i) const {
    if (kind_ == Kind::kOnes) return Weight();
    if (kind_ == Kind::kMixed && real_[i] != 0)
      return Weight::Real(std::bit_cast<double>(bits_[i]));
    return Weight::Integer(bits_[i]);
  }

  // `weight` must be of the column's kind or a lesser one.
  void Set(std::size_t i, Weight weight) {
    if (kind_ == Kind::kOnes) return;
    const bool is_integer = weight.is_integer();
    bits_[i] = is_integer ? weight.integer() : std::bit_cast<std::int64_t>(weight.AsDouble());
    if (kind_ == Kind::kMixed) real_[i] = is_integer ? 0 : 1;
  }

  std::size_t bytes() const { return AllocatedBytes(bits_) + AllocatedBytes(real_); }

 private:
  Kind kind_ = Kind::kOnes;
  std::vector<std::int64_t> bits_;
  std::vector<std::uint8_t> real_;
};

}  // namespace sash
