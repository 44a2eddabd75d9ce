// SnapshotFacts: what leases need from the snapshot.json of a frozen snapshot.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/leases/lease.h"
#include "windows/base/result.h"

namespace sash {

struct SnapshotFacts {
  std::uint64_t snapshot = 0;
  std::string window_end{};         // greater texts are later; empty: not a time
  std::vector<LeasedFile> files{};  // by name; snapshot.json itself is the last
};

// kCorruption: the text is not that of a frozen snapshot.
Result<SnapshotFacts> ReadSnapshotFacts(std::string_view text);

// Whether a reader of these directions needs the file. Keys and snapshot.json belong to both.
bool BelongsTo(std::string_view file, LeasedDirections directions);

}  // namespace sash
