// The tables of a window's snapshot: vertices.parquet, and edges-00000.parquet with its parts.
//
// Thread safety: the caller owns the folder.
#pragma once

#include <string_view>
#include <vector>

#include "connectors/export/parquet/parquet_column.h"
#include "connectors/export/parquet/parquet_file.h"
#include "connectors/export/snapshot_format.h"
#include "windows/base/result.h"

namespace sash {

// Writes all tables. After an error the folder holds files that are not whole.
Result<std::vector<WrittenTable>> WriteWindowTables(const SnapshotTask& task,
                                                    const ParquetSizes& sizes);

}  // namespace sash
