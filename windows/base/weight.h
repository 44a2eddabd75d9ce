// Weight: the weight of an edge, an exact 64-bit integer or a double.
//
// Integers stay integers: adding and removing copies of an edge must not drift. A sum that exceeds
// the 64-bit range, or that has a non-integer part, is a double.
//
// Thread safety: a plain value.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace sash {

class Weight {
 public:
  constexpr Weight() = default;  // the integer 1: the weight of an edge without one in its record
  static constexpr Weight Integer(std::int64_t value) { return Weight(value, true); }
  static constexpr Weight Real(double value) {
    return Weight(std::bit_cast<std::int64_t>(value), false);
  }

  constexpr bool is_integer() const { return is_integer_; }
  constexpr std::int64_t integer() const { return bits_; }  // only when is_integer()
  constexpr std::int64_t bits() const { return bits_; }     // of either kind
  constexpr double AsDouble() const {
    return is_integer_ ? static_cast<double>(bits_) : std::bit_cast<double>(bits_);
  }

  // Numeric order; a long double holds every int64 and every double exactly (x86-64).
  friend constexpr bool operator<(Weight a, Weight b) { return a.Exact() < b.Exact(); }
  // The same kind and the same bits: 6 and 6.0 are not equal, although neither is less.
  friend constexpr bool operator==(Weight a, Weight b) {
    return a.is_integer_ == b.is_integer_ && a.bits_ == b.bits_;
  }

 private:
  static_assert(std::numeric_limits<long double>::digits >= 64);
  constexpr Weight(std::int64_t bits, bool is_integer) : bits_(bits), is_integer_(is_integer) {}
  constexpr long double Exact() const {
    return is_integer_ ? static_cast<long double>(bits_) : std::bit_cast<double>(bits_);
  }

  std::int64_t bits_ = 1;
  bool is_integer_ = true;
};

// Holds any sum of 64-bit integers.
__extension__ typedef __int128 WideInteger;

// Adds weights: the integers exactly, the others in the order given.
class WeightSum {
 public:
  constexpr WeightSum() = default;
  constexpr explicit WeightSum(WideInteger integers) : integers_(integers) {}
  constexpr void Add(Weight weight) {
    if (weight.is_integer()) {
      integers_ += weight.integer();
    } else {
      reals_ += weight.AsDouble();
      has_reals_ = true;
    }
  }
  constexpr void Add(const WeightSum& other) {
    integers_ += other.integers_;
    reals_ += other.reals_;
    has_reals_ = has_reals_ || other.has_reals_;
  }
  constexpr Weight Total() const {
    if (!has_reals_ && integers_ >= std::numeric_limits<std::int64_t>::min() &&
        integers_ <= std::numeric_limits<std::int64_t>::max()) {
      return Weight::Integer(static_cast<std::int64_t>(integers_));
    }
    return Weight::Real(static_cast<double>(static_cast<long double>(integers_) + reals_));
  }

 private:
  WideInteger integers_ = 0;
  long double reals_ = 0;
  bool has_reals_ = false;
};

}  // namespace sash
