#include "connectors/export/parquet/unpacked_numbers.h"

#include <algorithm>
#include <optional>

#include "connectors/export/parquet/thrift_reader.h"

namespace sash {
namespace {

constexpr std::size_t kByteBits = 8;

// Number `i` of numbers of `width` bits (1 to 64), the lowest bits first. REQUIRES: `bytes` has it.
std::uint64_t PackedAt(std::string_view bytes, std::size_t i, unsigned width) {
  std::uint64_t number = 0;
  const std::size_t begin = i * width;
  for (unsigned have = 0; have < width;) {
    const std::size_t bit = begin + have;
    const unsigned within = bit % kByteBits;
    const auto byte = static_cast<unsigned char>(bytes[bit / kByteBits]);
    number |= static_cast<std::uint64_t>(byte >> within) << have;
    have += static_cast<unsigned>(kByteBits) - within;
  }
  return width == 64 ? number : number & ((std::uint64_t{1} << width) - 1);
}

}  // namespace

bool ReadDeltas(std::string_view bytes, std::size_t size, std::vector<std::int64_t>& numbers) {
  constexpr std::uint64_t kMostBlock = 1 << 16;
  numbers.clear();
  const std::optional<std::uint64_t> block = TakeVarint(bytes);
  const std::optional<std::uint64_t> parts = TakeVarint(bytes);
  const std::optional<std::uint64_t> total = TakeVarint(bytes);
  const std::optional<std::uint64_t> first = TakeVarint(bytes);
  if (!block || !parts || !total || !first) return false;
  if (*total != size || *block == 0 || *block > kMostBlock || *parts == 0 || *block % *parts != 0 ||
      *block / *parts % kByteBits != 0) {
    return false;
  }
  if (size == 0) return true;
  numbers.reserve(size);
  auto number = static_cast<std::uint64_t>(UnZigZag(*first));
  numbers.push_back(static_cast<std::int64_t>(number));
  const std::size_t part_size = *block / *parts;
  while (numbers.size() < size) {
    const std::optional<std::uint64_t> least = TakeVarint(bytes);
    if (!least || bytes.size() < *parts) return false;
    const std::string_view widths = bytes.substr(0, *parts);
    bytes.remove_prefix(*parts);
    for (std::size_t part = 0; part < *parts && numbers.size() < size; ++part) {
      const unsigned width = static_cast<unsigned char>(widths[part]);
      const std::size_t taken = part_size / kByteBits * width;
      if (width > 64 || bytes.size() < taken) return false;
      const std::size_t in_part = std::min(part_size, size - numbers.size());
      for (std::size_t i = 0; i < in_part; ++i) {
        number += static_cast<std::uint64_t>(UnZigZag(*least)) +
                  (width == 0 ? 0 : PackedAt(bytes, i, width));
        numbers.push_back(static_cast<std::int64_t>(number));
      }
      bytes.remove_prefix(taken);
    }
  }
  return true;
}

bool ReadRuns(std::string_view bytes, unsigned width, std::size_t size,
              std::vector<std::uint32_t>& numbers) {
  if (width > 32) return false;
  numbers.clear();
  numbers.reserve(size);
  while (numbers.size() < size) {
    const std::optional<std::uint64_t> head = TakeVarint(bytes);
    if (!head) return false;
    const std::size_t left = size - numbers.size();
    if ((*head & 1) == 0) {
      const std::size_t width_bytes = (width + kByteBits - 1) / kByteBits;
      if (bytes.size() < width_bytes || *head == 0) return false;
      std::uint32_t number = 0;
      for (std::size_t i = 0; i < width_bytes; ++i) {
        number |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (i * kByteBits);
      }
      if (width < 32 && number >> width != 0) return false;
      bytes.remove_prefix(width_bytes);
      numbers.insert(numbers.end(), std::min<std::uint64_t>(*head >> 1, left), number);
      continue;
    }
    // Groups of eight; the last one may be filled up.
    const std::uint64_t groups = *head >> 1;
    if (groups == 0 || groups > left / kByteBits + 1 || bytes.size() < groups * width) return false;
    const std::size_t in_groups = std::min<std::size_t>(groups * kByteBits, left);
    for (std::size_t i = 0; i < in_groups; ++i) {
      numbers.push_back(width == 0 ? 0 : static_cast<std::uint32_t>(PackedAt(bytes, i, width)));
    }
    bytes.remove_prefix(groups * width);
  }
  return true;
}

}  // namespace sash
