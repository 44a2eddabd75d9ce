// ParquetOutline: the columns and row groups of a table, as its footer states them. It understands
// what ParquetFile writes: flat columns of int64, double, texts and truths, without compression or
// with zstd.
//
// Thread safety: plain values; pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/parquet/parquet_column.h"
#include "windows/base/result.h"

namespace sash {

// Where a column of a row group is in the file.
struct ChunkPlace {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
  bool is_compressed = false;
};

struct GroupOutline {
  std::uint64_t rows = 0;
  std::vector<ChunkPlace> chunks{};  // in the order of the columns
};

struct OutlinedColumn {
  std::string name{};
  ParquetType type = ParquetType::kInteger;  // never kMicros or kWord, which are kInteger and kText
  bool is_optional = false;
};

struct ParquetOutline {
  std::uint64_t rows = 0;
  std::vector<OutlinedColumn> columns{};
  std::vector<GroupOutline> groups{};
};

// The last bytes of a file: the length of the footer before them, and the magic word.
inline constexpr std::size_t kParquetTailBytes = 8;

// The bytes of the footer, by the file's last kParquetTailBytes. kCorruption: they are not the end
// of a Parquet file of `file_bytes` bytes.
Result<std::uint64_t> FooterBytes(std::string_view tail, std::uint64_t file_bytes);

// `footer`: without the tail. kCorruption: it is not a footer, a chunk lies outside of the file, or
// it uses a part of the format that is not read, and which.
Result<ParquetOutline> ParseFooter(std::string_view footer, std::uint64_t file_bytes);

}  // namespace sash
