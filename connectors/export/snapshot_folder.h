// SnapshotFolder: the folder of an export on disk or in shared memory, with a folder for each
// window, and in it one for each snapshot. README.md describes the files and the protocol of locks.
//
// Thread safety: belongs to one thread at a time, except path(), is_in_memory(), PathOf(), Lock(),
// SnapshotsOf() and OpenFile(), which any thread may call.
//
// Invariants
//   (1) A folder without snapshot.json is not a snapshot. That file comes last when a snapshot is
//       written, and goes first when it is removed.
//   (2) A snapshot is removed only while no process holds a lock on its snapshot.json.
//   (3) Only files that Sash writes are removed, and links are never followed.
//   (4) Only one process uses the folder, and it belongs to the user of that process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/owned_descriptor.h"
#include "windows/base/result.h"

namespace sash {

// Memory takes whole pages, and most file systems do too.
inline constexpr std::uint64_t kPageBytes = 4096;
inline std::uint64_t InPages(std::uint64_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

// Whether snapshots have files of this name, in any format.
bool IsSnapshotFile(std::string_view name);

// A snapshot in the folder of its window.
struct SnapshotPlace {
  std::string window;
  std::string name;  // of its folder

  friend bool operator==(const SnapshotPlace&, const SnapshotPlace&) = default;
};

struct FoundSnapshot {
  SnapshotPlace place;
  std::uint64_t bytes = 0;   // in whole pages
  std::int64_t written = 0;  // when snapshot.json was written, in ns since 1970
  bool is_whole = false;     // it has a snapshot.json
};

enum class Removal : std::uint8_t { kRemoved, kLocked };

class SnapshotFolder {
 public:
  // Creates the folder with mode 0750, but not its parent. Refuses a folder of another user, one to
  // which others have access beyond that mode, a link, and a folder that another process uses.
  static Result<std::unique_ptr<SnapshotFolder>> Open(const std::string& path);

  const std::string& path() const { return path_; }
  bool is_in_memory() const { return is_in_memory_; }  // a tmpfs: /dev/shm

  Result<std::vector<FoundSnapshot>> List() const;
  // Those of one window.
  std::vector<FoundSnapshot> SnapshotsOf(const std::string& window) const;

  // An empty folder for a snapshot, with this name, or with "-2" and so on behind it while another
  // run's snapshot has the name. `window` gets a folder if it has none.
  struct Begun {
    SnapshotPlace place;
    OwnedDescriptor folder;
  };
  Result<Begun> Begin(const std::string& window, const std::string& name) const;

  // Writes snapshot.json, so that the snapshot exists from now on. All other files are durable.
  Status Complete(const Begun& begun, std::string_view text) const;

  // The bytes of the files of a snapshot, in whole pages.
  std::uint64_t BytesOf(const Begun& begun) const;

  // Removes all files of a snapshot, or of one that is not whole. A missing one counts as removed.
  Result<Removal> Remove(const SnapshotPlace& place) const;

  // The absolute path of a snapshot's folder; without a name, of the folder of its window.
  std::string PathOf(const SnapshotPlace& place) const;

  // A shared lock on the snapshot, held while the descriptor is open. Not open: it does not exist
  // any more.
  OwnedDescriptor Lock(const SnapshotPlace& place) const;

  // A file of a snapshot that the caller has locked, for reading. Not open: errno says why.
  OwnedDescriptor OpenFile(const SnapshotPlace& place, const std::string& file) const;

  // The ids of the processes that hold a lock on the snapshot, as far as they are visible here.
  std::vector<int> Holders(const SnapshotPlace& place) const;

 private:
  SnapshotFolder(std::string path, OwnedDescriptor folder, bool is_in_memory)
      : path_(std::move(path)), folder_(std::move(folder)), is_in_memory_(is_in_memory) {}

  OwnedDescriptor OpenSnapshot(const SnapshotPlace& place) const;
  OwnedDescriptor OpenText(const SnapshotPlace& place) const;

  const std::string path_;
  const OwnedDescriptor folder_;
  const bool is_in_memory_;
};

}  // namespace sash
