// SnapshotManifest: what snapshot.json states about a window's snapshot in Parquet, as far as a
// reader of its edges needs it. README.md of parquet/ describes the file.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/parquet/parquet_file.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/edge_event.h"

namespace sash {

struct SnapshotManifest {
  std::string window{};
  std::uint64_t snapshot = 0;
  EventTime window_end{};
  bool gap = false;
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  KeyKind keys = KeyKind::kString;
  bool has_reals = false;  // weights are doubles
  bool has_types = false;
  std::uint64_t edge_count = 0;
  WrittenTable vertices{};
  std::vector<WrittenTable> edges{};  // in the order of their names
};

// kCorruption: the text is not that of a snapshot in Parquet, and why.
Result<SnapshotManifest> ParseSnapshotManifest(std::string_view text);

}  // namespace sash
