// FrozenFolder: the folder of an export on disk or in shared memory, with a folder for each window,
// and in it one for each snapshot. README.md describes the files and the protocol of locks.
//
// Thread safety: belongs to one thread at a time.
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

#include "connectors/export/frozen/owned_descriptor.h"
#include "windows/base/result.h"

namespace sash {

// A snapshot in the folder of its window.
struct FrozenPlace {
  std::string window;
  std::string name;  // of its folder

  friend bool operator==(const FrozenPlace&, const FrozenPlace&) = default;
};

struct FoundSnapshot {
  FrozenPlace place;
  std::uint64_t bytes = 0;   // in whole pages
  std::int64_t written = 0;  // when snapshot.json was written, in ns since 1970
  bool is_whole = false;     // it has a snapshot.json
};

enum class Removal : std::uint8_t { kRemoved, kLocked };

class FrozenFolder {
 public:
  // Creates the folder with mode 0750, but not its parent. Refuses a folder of another user, one to
  // which others have access beyond that mode, a link, and a folder that another process uses.
  static Result<std::unique_ptr<FrozenFolder>> Open(const std::string& path);

  const std::string& path() const { return path_; }
  bool is_in_memory() const { return is_in_memory_; }  // a tmpfs: /dev/shm

  Result<std::vector<FoundSnapshot>> List() const;

  // An empty folder for a snapshot, with this name, or with "-2" and so on behind it while another
  // run's snapshot has the name. `window` gets a folder if it has none.
  struct Begun {
    FrozenPlace place;
    OwnedDescriptor folder;
  };
  Result<Begun> Begin(const std::string& window, const std::string& name) const;

  // Writes snapshot.json, so that the snapshot exists from now on. All other files are durable.
  Status Complete(const Begun& begun, std::string_view text) const;

  // Removes all files of a snapshot, or of one that is not whole. A missing one counts as removed.
  Result<Removal> Remove(const FrozenPlace& place) const;

  // The ids of the processes that hold a lock on the snapshot, as far as they are visible here.
  std::vector<int> Holders(const FrozenPlace& place) const;

 private:
  FrozenFolder(std::string path, OwnedDescriptor folder, bool is_in_memory)
      : path_(std::move(path)), folder_(std::move(folder)), is_in_memory_(is_in_memory) {}

  OwnedDescriptor OpenSnapshot(const FrozenPlace& place) const;
  OwnedDescriptor OpenText(const FrozenPlace& place) const;

  const std::string path_;
  const OwnedDescriptor folder_;
  const bool is_in_memory_;
};

}  // namespace sash
