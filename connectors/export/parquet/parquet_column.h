// ParquetColumn: name and type of a column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

enum class ParquetType : std::uint8_t {
  kInteger,  // int64
  kMicros,   // int64: an instant in microseconds since 1970, UTC
  kReal,     // double
  kText,     // UTF-8
  kWord,     // UTF-8, from a list that is known before
  kTruth,    // true or false
};

struct ParquetColumn {
  std::string name{};
  ParquetType type = ParquetType::kInteger;
  bool is_optional = false;               // rows may have no value
  std::vector<std::string_view> words{};  // of kWord: ascending as bytes; they outlive the file
};

// Rows of a page, of a row group, and of a file.
struct ParquetSizes {
  std::uint64_t page = 1 << 15;   // 256 KiB of numbers: zstd works better on less than more
  std::uint64_t group = 1 << 20;  // a multiple of `page`
  std::uint64_t part = 1 << 23;   // a multiple of `group`
};

}  // namespace sash
