// CodedSums: the sum of the weights of each entry of a CodedCounts, in the same order. A small sum
// takes a byte or two. A sum is unknown where a weight is not an integer, or where the sum does not
// fit in 64 bits.
//
// Thread safety: like a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "windows/base/varint.h"

namespace sash {

class CodedSums {
 public:
  void Append(std::optional<std::int64_t> sum) {
    AppendVarint(sum && *sum != kUnlikely ? 1 + Folded(*sum) : 0, bytes_);
  }

  // Reads from the first sum on.
  class Reader {
   public:
    explicit Reader(const CodedSums& sums) : next_(sums.bytes_.data()) {}
    // At most once for each sum.
    std::optional<std::int64_t> Next() {
      const std::uint64_t coded = ReadVarint(next_);
      return coded == 0 ? std::nullopt : std::optional(Unfolded(coded - 1));
    }

   private:
    const std::uint8_t* next_;
  };

  void ShrinkToFit() { bytes_.shrink_to_fit(); }
  // Without the object itself.
  std::size_t bytes() const { return bytes_.capacity(); }

 private:
  // This sum is stored as unknown, because its code would not fit.
  static constexpr std::int64_t kUnlikely = INT64_MIN;

  // Small numbers of either sign become small: 0, -1, 1, -2 ... become 0, 1, 2, 3 ...
  static std::uint64_t Folded(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? ~(bits << 1) : bits << 1;
  }
  static std::int64_t Unfolded(std::uint64_t folded) {
    const std::uint64_t half = folded >> 1;
    return static_cast<std::int64_t>((folded & 1) != 0 ? ~half : half);
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace sash
