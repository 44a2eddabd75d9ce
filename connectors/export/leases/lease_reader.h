// LeaseReader: reads one file of a leased snapshot, as long as the lease lasts.
//
// It takes no lock: the thread that reads may have a low priority, and requests for the book
// of leases must not wait for it.
//
// Thread safety: Read() may be called from any thread.
//
// Invariants
//   (1) A reader keeps neither its file nor the lock of the snapshot between two calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/snapshot_folder.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

// What a lease holds while it lasts. Its lock is released with its last owner.
class LeaseHold {
 public:
  LeaseHold(OwnedDescriptor lock, SteadyTime until)
      : lock_(std::move(lock)), until_(until.time_since_epoch().count()) {}

  SteadyTime until() const { return SteadyTime(SteadyTime::duration(until_.load())); }
  void SetUntil(SteadyTime until) { until_ = until.time_since_epoch().count(); }

 private:
  const OwnedDescriptor lock_;
  std::atomic<SteadyTime::rep> until_;
};

// At most `most` bytes from `offset`; fewer at the end. `name` is for the error, kCorruption.
Result<std::string> ReadBytes(int file, std::uint64_t offset, std::size_t most,
                              const std::string& name);

class LeaseReader {
 public:
  // The book of the lease owns the hold. `folder` and `clock` outlive the reader.
  LeaseReader(std::weak_ptr<const LeaseHold> hold, const SnapshotFolder& folder, const Clock& clock,
              SnapshotPlace place, std::string file)
      : hold_(std::move(hold)),
        folder_(folder),
        clock_(clock),
        place_(std::move(place)),
        file_(std::move(file)) {}

  // At most `most` bytes from `offset`; empty at the end of the file. Errors: kUnavailable, the
  // lease has ended; kCorruption, the file cannot be read.
  Result<std::string> Read(std::uint64_t offset, std::size_t most) const;

 private:
  const std::weak_ptr<const LeaseHold> hold_;
  const SnapshotFolder& folder_;
  const Clock& clock_;
  const SnapshotPlace place_;
  const std::string file_;
};

}  // namespace sash
