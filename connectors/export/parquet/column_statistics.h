// ColumnStatistics: the least and the greatest value of a column chunk, and its nulls. Readers skip
// row groups by them.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Texts are compared as unsigned bytes, which is the order of UTF-8.
//   (2) NaN is not a least or greatest value. A least 0 is written as -0.0, a greatest one as 0.0,
//       as readers do not tell them apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sash {

// Not inside the class: Clang 19 cannot compile an optional of it there.
template <typename Value>
struct ValueRange {
  Value least{};
  Value greatest{};
};

class ColumnStatistics {
 public:
  void TakeIntegers(std::span<const std::int64_t> values);
  void TakeReals(std::span<const std::int64_t> bits);  // of doubles
  void TakeText(std::string_view value);
  void TakeNulls(std::uint64_t count) { nulls_ += count; }

  std::uint64_t nulls() const { return nulls_; }
  // The bytes of a single value. Nothing if there is none, or if the least or the greatest text has
  // more than 256 bytes: readers would gain less than it takes.
  std::optional<std::string> least() const;
  std::optional<std::string> greatest() const;

 private:
  std::optional<ValueRange<std::int64_t>> integers_;
  std::optional<ValueRange<double>> reals_;
  std::optional<ValueRange<std::string>> texts_;
  std::uint64_t nulls_ = 0;
};

}  // namespace sash
