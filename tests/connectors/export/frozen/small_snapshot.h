// WriteSmallSnapshot(): frozen snapshots whose arrays are any bytes, for tests of leases.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "connectors/export/export_file.h"
#include "connectors/export/snapshot_folder.h"

namespace sash::testing {

inline std::string SmallFile(SnapshotFolder::Begun& begun, const std::string& name,
                             const std::string& bytes) {
  Result<ExportFile> file = ExportFile::Create(begun.folder.number(), name);
  EXPECT_TRUE(file.ok());
  file.value().Append(bytes);
  EXPECT_TRUE(file.value().Finish().ok());
  return fmt::format(R"("{}":{{"bytes":{},"crc32c":"{:08x}"}})", name, bytes.size(),
                     file.value().checksum());
}

// Snapshot `number` of a window that ends so many minutes after midnight.
inline void WriteSmallSnapshot(const SnapshotFolder& folder, const std::string& window,
                               std::uint64_t number, int minute, const std::string& bytes) {
  Result<SnapshotFolder::Begun> begun = folder.Begin(window, std::to_string(number));
  ASSERT_TRUE(begun.ok());
  const std::string files = SmallFile(begun.value(), "out.indptr.npy", bytes) + "," +
                            SmallFile(begun.value(), "in.indptr.npy", "in" + bytes) + "," +
                            SmallFile(begun.value(), "keys.npy", "keys");
  ASSERT_TRUE(folder
                  .Complete(begun.value(),
                            fmt::format(R"({{"snapshot":{},"window_end":"2026-01-01T00:{:02}:00Z",)"
                                        R"("files":{{{}}}}})",
                                        number, minute, files))
                  .ok());
}

}  // namespace sash::testing
