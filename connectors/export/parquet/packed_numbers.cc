#include "connectors/export/parquet/packed_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "connectors/export/parquet/compact_thrift.h"
#include "connectors/export/parquet/packed_bits.h"

namespace sash {
namespace {

// The usual sizes, which every reader knows.
constexpr std::size_t kDeltaBlock = 128;
constexpr std::size_t kDeltaPart = 32;  // numbers that share a width
constexpr std::size_t kDeltaParts = kDeltaBlock / kDeltaPart;

// Differences wrap around, so that all 64-bit numbers have one.
std::uint64_t DifferenceOf(std::int64_t number, std::int64_t before) {
  return static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(before);
}

void AppendDeltaBlock(std::span<const std::int64_t> numbers, std::int64_t before,
                      std::string& out) {
  std::array<std::uint64_t, kDeltaBlock> deltas{};
  std::int64_t least = static_cast<std::int64_t>(DifferenceOf(numbers[0], before));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    deltas[i] = DifferenceOf(numbers[i], i == 0 ? before : numbers[i - 1]);
    least = std::min(least, static_cast<std::int64_t>(deltas[i]));
  }
  std::array<std::uint64_t, kDeltaParts> bits{};  // that are set in some number of the part
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    deltas[i] -= static_cast<std::uint64_t>(least);
    bits[i / kDeltaPart] |= deltas[i];
  }
  PutVarint(ZigZag(least), out);
  for (const std::uint64_t each : bits) out += static_cast<char>(std::bit_width(each));
  for (std::size_t part = 0; part * kDeltaPart < numbers.size(); ++part) {
    PackBits(deltas.data() + part * kDeltaPart, kDeltaPart,
             static_cast<unsigned>(std::bit_width(bits[part])), out);
  }
}

constexpr std::size_t kGroup = 8;  // numbers that are packed together

// Packs numbers; the last group is filled up with zeros.
void AppendPackedGroups(std::span<const std::uint32_t> numbers, unsigned width, std::string& out) {
  if (numbers.empty()) return;
  const std::size_t groups = (numbers.size() + kGroup - 1) / kGroup;
  PutVarint(groups << 1 | 1, out);
  const std::size_t whole = numbers.size() / kGroup * kGroup;
  PackBits(numbers.data(), whole, width, out);
  if (whole == numbers.size()) return;
  std::array<std::uint32_t, kGroup> last{};
  std::copy(numbers.begin() + static_cast<std::ptrdiff_t>(whole), numbers.end(), last.begin());
  PackBits(last.data(), kGroup, width, out);
}

void AppendRun(std::uint32_t number, std::size_t size, unsigned width, std::string& out) {
  PutVarint(size << 1, out);
  for (unsigned bits = 0; bits < width; bits += 8) out += static_cast<char>(number >> bits);
}

}  // namespace

void AppendDeltas(std::span<const std::int64_t> numbers, std::string& out) {
  PutVarint(kDeltaBlock, out);
  PutVarint(kDeltaParts, out);
  PutVarint(numbers.size(), out);
  PutVarint(ZigZag(numbers.empty() ? 0 : numbers[0]), out);
  for (std::size_t i = 1; i < numbers.size(); i += kDeltaBlock) {
    const std::size_t size = std::min(kDeltaBlock, numbers.size() - i);
    AppendDeltaBlock(numbers.subspan(i, size), numbers[i - 1], out);
  }
}

void AppendRuns(std::span<const std::uint32_t> numbers, unsigned width, std::string& out) {
  std::size_t packed = 0;  // the first number that is not appended yet; whole groups until `i`
  std::size_t i = 0;
  while (i < numbers.size()) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[i]) ++end;
    if (end - i < kGroup) {
      // A run that ends within the next group is packed with it.
      i = std::min(i + kGroup, numbers.size());
      continue;
    }
    AppendPackedGroups(numbers.subspan(packed, i - packed), width, out);
    AppendRun(numbers[i], end - i, width, out);
    i = packed = end;
  }
  AppendPackedGroups(numbers.subspan(packed), width, out);
}

}  // namespace sash
