// StoredKeys: the keys of the vertices of a snapshot, by place.
//
// Memory: 8 bytes a vertex, and the bytes of texts.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/snapshots/snapshot_manifest.h"
#include "windows/base/result.h"

namespace sash {

class StoredKeys {
 public:
  // Reads vertices.parquet in the folder with this descriptor. Errors as ParquetTable::Open();
  // kCorruption: ids are not 0, 1, ..., or a key is empty.
  static Result<StoredKeys> Read(int folder, const SnapshotManifest& manifest);

  std::uint64_t size() const { return numbers_.size(); }
  // The key at a place, with integer keys.
  std::int64_t IntegerOf(std::uint64_t place) const { return numbers_[place]; }
  // The key at a place, with text keys.
  std::string_view TextOf(std::uint64_t place) const {
    const auto begin = place == 0 ? 0 : static_cast<std::size_t>(numbers_[place - 1]);
    return std::string_view(bytes_).substr(begin,
                                           static_cast<std::size_t>(numbers_[place]) - begin);
  }

 private:
  std::vector<std::int64_t> numbers_;  // with integer keys: the keys; else where each text ends
  std::string bytes_;
};

}  // namespace sash
