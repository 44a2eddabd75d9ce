// The file that makes a folder a snapshot: it comes last when a snapshot is written or copied, and
// a reader holds a shared lock (flock) on it. sashctl, another process, knows it too.
#pragma once

namespace sash {

inline constexpr const char* kSnapshotText = "snapshot.json";
inline constexpr const char* kUnfinishedText = "snapshot.json.new";  // before it is durable

}  // namespace sash
