// The text of snapshot.json of a snapshot in Parquet.
//
// Thread safety: pure.
#pragma once

#include <string>
#include <vector>

#include "connectors/export/parquet/parquet_file.h"
#include "connectors/export/snapshot_format.h"

namespace sash {

// The version of the format, in the member `parquet`.
inline constexpr int kParquetFormat = 1;

std::string ParquetSnapshotText(const SnapshotTask& task, const std::vector<WrittenTable>& tables);

}  // namespace sash
