#include "connectors/export/snapshots/stored_snapshot.h"

#include <cmath>
#include <string>
#include <utility>

#include "connectors/export/snapshot_name.h"
#include "connectors/export/stored_file.h"

namespace sash {
namespace {

constexpr std::size_t kMostManifest = 64 << 20;  // bytes

enum SnapshotColumn : std::size_t { kEdgeSource, kEdgeTarget, kEdgeWeight, kEdgeType };

}  // namespace

Result<StoredSnapshot> StoredSnapshot::Open(int folder) {
  const Result<std::string> text = ReadSmallFile(folder, kSnapshotText, kMostManifest);
  if (!text) return text.error();
  Result<SnapshotManifest> manifest = ParseSnapshotManifest(text.value());
  if (!manifest) return manifest.error();
  Result<StoredKeys> keys = StoredKeys::Read(folder, manifest.value());
  if (!keys) return keys.error();
  return StoredSnapshot(folder, std::move(manifest).value(), std::move(keys).value());
}

bool StoredSnapshot::Fail(std::string_view why) {
  failure_ = Error{ErrorCode::kCorruption,
                   manifest_.edges[next_table_ - 1].name + ": " + std::string(why)};
  return false;
}

bool StoredSnapshot::NextTable() {
  if (next_table_ == manifest_.edges.size()) return false;
  const WrittenTable& written = manifest_.edges[next_table_++];
  Result<ParquetTable> opened = ParquetTable::Open(folder_, written);
  if (!opened) {
    failure_ = opened.error();
    return false;
  }
  table_.emplace(std::move(opened).value());
  next_group_ = 0;
  places_.clear();
  const ParquetType weight = manifest_.has_reals ? ParquetType::kReal : ParquetType::kInteger;
  for (const auto& place :
       {table_->Find("source", ParquetType::kInteger),
        table_->Find("target", ParquetType::kInteger), table_->Find("weight", weight)}) {
    if (!place) return Fail("it lacks a column, or one of another type, that every snapshot has");
    places_.push_back(*place);
  }
  if (!manifest_.has_types) return true;
  const auto type = table_->Find("type", ParquetType::kText);
  if (!type) return Fail("it has no column `type`");
  places_.push_back(*type);
  return true;
}

bool StoredSnapshot::NextGroup() {
  while (rows_left_ == 0) {
    if (!table_ || next_group_ == table_->outline().groups.size()) {
      if (!NextTable()) return false;
      continue;
    }
    Result<ParquetTable::Columns> columns = table_->ReadGroup(next_group_, places_);
    if (!columns) {
      failure_ = columns.error();
      return false;
    }
    columns_ = std::move(columns).value();
    rows_left_ = table_->outline().groups[next_group_++].rows;
  }
  return true;
}

bool StoredSnapshot::TakeWeight() {
  const ColumnCursor& weight = *columns_[kEdgeWeight];
  if (!manifest_.has_reals) {
    edge_.weight = Weight::Integer(weight.number());
    return true;
  }
  if (!std::isfinite(weight.real())) return Fail("a weight is not a finite number");
  edge_.weight = Weight::Real(weight.real());
  return true;
}

const SnapshotEdge* StoredSnapshot::Next() {
  if (failure_ || !NextGroup()) return nullptr;
  for (const auto& column : columns_) {
    if (column->Next()) continue;
    (void)Fail(column->failure() ? column->failure()->message : "a column ends before the others");
    return nullptr;
  }
  --rows_left_;
  const std::int64_t source = columns_[kEdgeSource]->number();
  const std::int64_t target = columns_[kEdgeTarget]->number();
  const auto vertices = static_cast<std::int64_t>(keys_.size());
  if (source < 0 || target < 0 || source >= vertices || target >= vertices) {
    (void)Fail("an edge names a vertex that vertices.parquet does not have");
    return nullptr;
  }
  edge_.source = static_cast<std::uint64_t>(source);
  edge_.target = static_cast<std::uint64_t>(target);
  if (!TakeWeight()) return nullptr;
  edge_.type = {};
  if (manifest_.has_types && !columns_[kEdgeType]->is_null()) {
    edge_.type = columns_[kEdgeType]->text();
  }
  return &edge_;
}

}  // namespace sash
