#include "connectors/export/parquet/parquet_format.h"

#include <vector>

#include "connectors/export/parquet/parquet_text.h"
#include "connectors/export/parquet/window_tables.h"
#include "connectors/export/snapshot_folder.h"

namespace sash {

Result<std::string> ParquetFormat::Write(const SnapshotTask& task) const {
  const Result<std::vector<WrittenTable>> tables = WriteWindowTables(task, sizes_);
  if (!tables) return tables.error();
  std::string text = ParquetSnapshotText(task, tables.value());
  std::uint64_t bytes = InPages(text.size());
  for (const WrittenTable& table : tables.value()) bytes += InPages(table.bytes);
  if (!task.make_room(bytes)) return BeyondLimit();
  return text;
}

}  // namespace sash
