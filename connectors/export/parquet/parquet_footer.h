// The footer of a Parquet file: the schema, and where the chunks are.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "connectors/export/parquet/column_chunk.h"
#include "connectors/export/parquet/parquet_column.h"

namespace sash {

struct RowGroupFacts {
  std::uint64_t rows = 0;
  std::vector<ChunkFacts> chunks{};  // of each column
};

inline constexpr std::string_view kParquetMagic = "PAR1";

// The footer, followed by its length and the magic.
std::string FooterText(const std::vector<ParquetColumn>& columns,
                       const std::vector<RowGroupFacts>& groups);

}  // namespace sash
