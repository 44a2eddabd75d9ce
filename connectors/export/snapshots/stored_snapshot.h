// StoredSnapshot: reads the edges of a window's snapshot in Parquet, in the order of its rows.
//
//   Result<StoredSnapshot> snapshot = StoredSnapshot::Open(folder);
//   while (const SnapshotEdge* edge = snapshot.value().Next()) ...
//   if (const auto& failure = snapshot.value().failure()) ...
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) An edge is returned only if all of its values are valid.
//   (2) Memory holds the keys of the vertices, and the columns of one row group as they are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/export/parquet/parquet_table.h"
#include "connectors/export/snapshots/snapshot_manifest.h"
#include "connectors/export/snapshots/stored_keys.h"
#include "windows/base/result.h"
#include "windows/base/weight.h"

namespace sash {

struct SnapshotEdge {
  std::uint64_t source = 0;  // places of vertices in keys()
  std::uint64_t target = 0;
  Weight weight{};
  std::string_view type{};  // empty: no type; valid until the next edge
};

class StoredSnapshot {
 public:
  // `folder`: the descriptor of the folder of the snapshot, which outlives it. Reads the keys.
  // kNotFound: there is no snapshot.json; kCorruption: what is wrong with which file.
  static Result<StoredSnapshot> Open(int folder);

  const SnapshotManifest& manifest() const { return manifest_; }
  const StoredKeys& keys() const { return keys_; }

  // The next edge; null at the end, or after an error.
  const SnapshotEdge* Next();
  // Why it ended early; nothing so far.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  StoredSnapshot(int folder, SnapshotManifest manifest, StoredKeys keys)
      : folder_(folder), manifest_(std::move(manifest)), keys_(std::move(keys)) {}

  bool NextTable();
  bool NextGroup();
  bool TakeWeight();
  bool Fail(std::string_view why);

  int folder_;
  SnapshotManifest manifest_;
  StoredKeys keys_;
  std::size_t next_table_ = 0;
  std::optional<ParquetTable> table_;
  std::vector<std::size_t> places_;  // of its columns: source, target, weight, and perhaps type
  ParquetTable::Columns columns_;
  std::size_t next_group_ = 0;
  std::uint64_t rows_left_ = 0;  // in the group
  SnapshotEdge edge_;
  std::optional<Error> failure_;
};

}  // namespace sash
