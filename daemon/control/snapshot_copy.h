// CopySnapshot: copies a snapshot that a running sashd exports to a folder of the caller's, when it
// is whole. The export must be on this host. connectors/export/README.md describes its folders.
//
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <string>

#include "windows/base/result.h"

namespace sash {

struct ExportedSnapshot {
  std::string folder{};  // of the window's snapshots
  std::string number{};  // as snapshot.json states them
  std::string window_end{};
};

// Whether a snapshot can be copied there: nothing, or an empty folder.
Status FitsCopy(const std::string& to);

// Waits for the snapshot. While its files are copied it is locked, so that it is not removed.
// snapshot.json is the last file of the copy, and gets its name when the others are durable.
Status CopySnapshot(const ExportedSnapshot& wanted, const std::string& to,
                    std::chrono::seconds patience = std::chrono::minutes(10));

}  // namespace sash
