// StreamShard: the part of a stream's partitions that one of several processes reads.
//
// Thread safety: a plain value.
//
// Invariant: (1) each partition belongs to exactly one of the `of` shards.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace sash {

struct StreamShard {
  static constexpr std::int32_t kMost = 1024;

  std::int32_t number = 1;  // from 1 to `of`
  std::int32_t of = 1;

  bool Has(std::int32_t partition) const { return partition % of + 1 == number; }

  // "1-of-4", and its inverse: nothing for other texts.
  std::string ToString() const { return std::to_string(number) + "-of-" + std::to_string(of); }
  static std::optional<StreamShard> Parse(std::string_view text) {
    constexpr std::string_view kOf = "-of-";
    const std::size_t middle = text.find(kOf);
    if (middle == std::string_view::npos) return std::nullopt;
    const auto read = [](std::string_view digits, std::int32_t& number) {
      const char* const end = digits.data() + digits.size();
      const auto [rest, error] = std::from_chars(digits.data(), end, number);
      return error == std::errc() && rest == end;
    };
    StreamShard shard;
    if (!read(text.substr(0, middle), shard.number) ||
        !read(text.substr(middle + kOf.size()), shard.of) || shard.number < 1 ||
        shard.number > shard.of || shard.of > kMost || shard.ToString() != text) {
      return std::nullopt;
    }
    return shard;
  }

  friend bool operator==(const StreamShard&, const StreamShard&) = default;
};

}  // namespace sash
