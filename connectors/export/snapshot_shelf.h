// SnapshotShelf: which snapshots of an export exist, and which of them have to go.
//
// Thread safety: bytes() and the counts may be read from any thread; the rest belongs to one
// thread.
//
// Invariants
//   (1) A window keeps its newest `keep` snapshots; older ones are removed as soon as no process
//       has locked them.
//   (2) bytes() counts every snapshot that has a name: a locked one keeps its name.
//   (3) The newest snapshot of a window is never removed to make room.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "connectors/export/export_spec.h"
#include "connectors/export/snapshot_folder.h"
#include "windows/base/event_log.h"

namespace sash {

class SnapshotShelf {
 public:
  // All arguments outlive the shelf.
  SnapshotShelf(const SnapshotFolder& folder, const ExportSpec& spec, EventLog& log)
      : folder_(folder), spec_(spec), log_(log) {}

  // Finds what earlier processes left, and removes snapshots that are not whole, and those of
  // windows that are not exported any more. `all`: removes every snapshot.
  Status Begin(bool all);

  // Removes snapshots, oldest first, until `bytes` more fit into the limit. False if they do not.
  bool MakeRoom(std::uint64_t bytes);

  // A snapshot was written, of the advance with this number (Advance::number).
  void Add(const SnapshotPlace& place, std::uint64_t bytes, std::uint64_t number);

  // Removes what is beyond `keep`.
  void Tidy();

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t snapshots() const { return count_; }
  std::uint64_t overdue() const { return overdue_; }  // beyond `keep`, after the newest Tidy()

  // Who prevents removals: "snapshot w/15 is locked by process 4711". Empty: no process.
  std::string HoldersText() const;

 private:
  struct Shelved {
    SnapshotPlace place;
    std::uint64_t bytes = 0;
    std::uint64_t number = 0;  // of its advance; 0: of an earlier process
  };

  bool IsNewest(std::size_t i) const;   // of its window
  bool IsOverdue(std::size_t i) const;  // (1)
  // Whether it is gone.
  bool TryRemove(std::size_t i);
  void Recount();

  const SnapshotFolder& folder_;
  const ExportSpec& spec_;
  EventLog& log_;
  std::vector<Shelved> shelved_;  // the oldest advance first
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> count_ = 0;
  std::atomic<std::uint64_t> overdue_ = 0;
};

}  // namespace sash
