// ParquetTable: reads a Parquet file that ParquetFile wrote. README.md says what it uses of the
// format.
//
//   Result<ParquetTable> table = ParquetTable::Open(folder, written);
//   Result<ParquetTable::Columns> columns = table.value().ReadGroup(0, places);
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) A file whose size or CRC-32C differs from what is stated is not read.
//   (2) Memory holds the bytes of the asked columns of one row group, as they are in the file.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/parquet/column_cursor.h"
#include "connectors/export/parquet/parquet_file.h"
#include "connectors/export/parquet/parquet_outline.h"
#include "windows/base/result.h"

namespace sash {

class ParquetTable {
 public:
  // Opens the file `written` in the folder with this descriptor, and reads all of it once, for its
  // checksum. kCorruption: it is not the file that was written, and how it differs. kNotFound,
  // kUnavailable: it cannot be read.
  static Result<ParquetTable> Open(int folder, const WrittenTable& written);

  const ParquetOutline& outline() const { return outline_; }
  // The place of the column of that name and type; nothing if there is none.
  std::optional<std::size_t> Find(std::string_view name, ParquetType type) const;

  // Cursors of these columns, by place, before the first row of the group.
  using Columns = std::vector<std::unique_ptr<ColumnCursor>>;
  Result<Columns> ReadGroup(std::size_t group, std::span<const std::size_t> columns) const;

 private:
  ParquetTable(OwnedDescriptor file, ParquetOutline outline)
      : file_(std::move(file)), outline_(std::move(outline)) {}

  OwnedDescriptor file_;
  ParquetOutline outline_;
};

}  // namespace sash
