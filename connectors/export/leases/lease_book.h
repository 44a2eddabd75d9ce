// LeaseBook: the leases of the frozen snapshots of one export. A lease holds the shared lock on
// snapshot.json that any reader on this host would hold, so that removals know nothing of leases.
//
// Thread safety: Start() and Stop() belong to the owner; all other members may be called from any
// thread.
//
// Invariants
//   (1) A lease ends when it is released or revoked, or at its end by the steady clock, within a
//       second, also if nobody asks. Then its lock is released, and nothing of it can be read.
//       A LeaseReader that reads a piece at this moment ends this piece first.
//   (2) The book alone owns the locks, besides a reader during a piece.
//   (3) There are at most LeaseBounds::at_most leases, and the leased snapshots together have at
//       most LeaseBounds::bytes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "connectors/export/lease_counts.h"
#include "connectors/export/leases/lease.h"
#include "connectors/export/leases/lease_reader.h"
#include "connectors/export/snapshot_folder.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"

namespace sash {

class LeaseBook {
 public:
  // `folder` and `clock` outlive the book.
  LeaseBook(LeaseBounds bounds, const SnapshotFolder& folder, const Clock& clock)
      : bounds_(bounds), folder_(folder), clock_(clock) {}
  ~LeaseBook() { Stop(); }

  // Starts the thread that ends leases.
  void Start();
  // Ends every lease.
  void Stop();

  // Errors: kInvalidArgument, the time is beyond the bound; kNotFound, there is no such snapshot;
  // kOverloaded, a bound is reached.
  Result<Lease> Take(const LeaseRequest& request);
  // Prolongs the lease: from now on for `ttl`, or for as long as at first. Errors as for Find() and
  // Take().
  Result<Lease> Renew(const std::string& window, const std::string& id,
                      std::optional<std::chrono::nanoseconds> ttl);
  // kNotFound: there was no such lease; kUnavailable: it has ended, and the message says why.
  Result<Lease> Find(const std::string& window, const std::string& id) const;
  Status Release(const std::string& window, const std::string& id);
  // Ends the lease of this name, and returns it. Nothing: there is no such lease.
  std::optional<Lease> Revoke(const std::string& name);
  std::vector<Lease> List() const;

  // A reader of a file. Errors as for Find(); kInvalidArgument, the lease has no such file.
  Result<LeaseReader> Open(const std::string& window, const std::string& id,
                           const std::string& file) const;

  // Ends the leases whose time is over. The thread calls it.
  void EndExpired();

  LeaseCounts Counts() const;
  // "lease 3f2a91bc of 10.0.0.7 holds snapshot w/15"; empty without leases.
  std::string HoldersText() const;

 private:
  struct Held {
    Lease about;
    std::shared_ptr<LeaseHold> hold;
  };
  struct Ended {
    std::string id;
    std::string why;
  };
  static constexpr std::size_t kRememberedEnds = 256;

  Result<std::chrono::nanoseconds> TimeOf(std::optional<std::chrono::nanoseconds> ttl) const;
  // Why no further lease is given; why this one is not.
  std::optional<Error> WhyFull() const SASH_REQUIRES(mutex_);
  std::optional<Error> WhyNot(const Lease& wanted) const SASH_REQUIRES(mutex_);
  std::uint64_t BytesHeld(const Lease* with) const SASH_REQUIRES(mutex_);
  std::string Holders() const SASH_REQUIRES(mutex_);
  Result<const Held*> Look(const std::string& window, const std::string& id) const
      SASH_REQUIRES(mutex_);
  Lease AsOfNow(const Held& held) const;
  void End(std::map<std::string, Held>::iterator held, std::string why) SASH_REQUIRES(mutex_);
  void Run(const std::stop_token& stop);

  const LeaseBounds bounds_;
  const SnapshotFolder& folder_;
  const Clock& clock_;
  mutable Mutex mutex_;
  StoppableCondVar changed_;
  std::map<std::string, Held> held_ SASH_GUARDED_BY(mutex_);  // by id
  std::deque<Ended> ended_ SASH_GUARDED_BY(mutex_);           // the newest last
  LeaseCounts counts_ SASH_GUARDED_BY(mutex_);
  bool is_stopped_ SASH_GUARDED_BY(mutex_) = false;
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace sash
