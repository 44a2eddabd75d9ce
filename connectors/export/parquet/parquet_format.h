// ParquetFormat: snapshots as tables of vertices and edges. README.md describes the files.
//
// Thread safety: immutable.
#pragma once

#include <string>

#include "connectors/export/parquet/parquet_column.h"
#include "connectors/export/snapshot_format.h"

namespace sash {

class ParquetFormat final : public SnapshotFormat {
 public:
  ParquetFormat() = default;
  explicit ParquetFormat(const ParquetSizes& sizes) : sizes_(sizes) {}

  Result<std::string> Write(const SnapshotTask& task) const override;

 private:
  const ParquetSizes sizes_{};
};

}  // namespace sash
