#include "connectors/export/snapshots/stored_keys.h"

#include <array>
#include <cstddef>
#include <optional>

#include "connectors/export/parquet/parquet_table.h"

namespace sash {
namespace {

Error BadVertices(const std::string& why) {
  return {ErrorCode::kCorruption, "vertices.parquet: " + why};
}

}  // namespace

Result<StoredKeys> StoredKeys::Read(int folder, const SnapshotManifest& manifest) {
  const bool are_integers = manifest.keys == KeyKind::kInteger;
  Result<ParquetTable> table = ParquetTable::Open(folder, manifest.vertices);
  if (!table) return table.error();
  const auto id = table.value().Find("id", ParquetType::kInteger);
  const auto key =
      table.value().Find("key", are_integers ? ParquetType::kInteger : ParquetType::kText);
  if (!id || !key) return BadVertices("it has no columns `id` and `key` of the stated types");
  const std::array places = {*id, *key};
  StoredKeys keys;
  for (std::size_t group = 0; group < table.value().outline().groups.size(); ++group) {
    Result<ParquetTable::Columns> columns = table.value().ReadGroup(group, places);
    if (!columns) return columns.error();
    ColumnCursor& ids = *columns.value()[0];
    ColumnCursor& names = *columns.value()[1];
    for (std::uint64_t left = table.value().outline().groups[group].rows; left > 0; --left) {
      if (!ids.Next() || !names.Next()) return BadVertices("a column ends before the others");
      if (ids.number() != static_cast<std::int64_t>(keys.size())) {
        return BadVertices("its ids are not 0, 1, 2, ...");
      }
      if (are_integers) {
        keys.numbers_.push_back(names.number());
        continue;
      }
      if (names.text().empty()) return BadVertices("a key is empty");
      keys.bytes_ += names.text();
      keys.numbers_.push_back(static_cast<std::int64_t>(keys.bytes_.size()));
    }
  }
  return keys;
}

}  // namespace sash
