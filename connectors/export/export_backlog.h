// ExportBacklog: the advances that wait for the thread of an export, and the callers that wait for
// their snapshots. An advance waits because it is due, because it was asked for, or because a
// result demands it.
//
// For each window at most one advance is due and one is asked for; a newer one replaces it.
//
// Thread safety: any thread, but Add() belongs to the engine thread, and Take() with what comes
// after it to the thread that writes.
//
// Invariants
//   (1) An advance is given to the thread that writes once, even if it is also asked for; again
//       only after it could not be written, or for a demand whose snapshot is gone.
//   (2) Demands come before all others, then the oldest advance.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "connectors/export/asked_export.h"
#include "connectors/export/snapshot_folder.h"
#include "connectors/export/snapshot_format.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/work_desk.h"

namespace sash {

class ExportBacklog {
 public:
  struct Waiting {
    AdvancePtr advance;
    WindowContext context;
  };
  // Holds a snapshot that was written; nothing: it is gone.
  using HoldAt = std::function<std::optional<HeldSnapshot>(const SnapshotPlace&)>;

  // `is_finite`: Add() waits until the advance before was taken. `clock` outlives the backlog.
  ExportBacklog(const Clock& clock, bool is_finite, HoldAt hold)
      : clock_(clock), is_finite_(is_finite), hold_(std::move(hold)) {}

  // The advance is due. Returns whether it replaces an advance that was due.
  bool Add(Waiting due);
  // The advance is asked for. Nothing: the backlog has been closed.
  std::optional<AskedExport::State> Ask(Waiting asked);
  // A result demands the advance. Waits for its snapshot, or for the reason why there is none.
  // Nothing: neither came until the time, until stop was requested or the backlog closed.
  std::optional<Result<HeldSnapshot>> Await(Waiting demanded, SteadyTime until,
                                            const std::stop_token& stop);

  // Waits for the next advance; with `patience` not longer than that. Nothing: stop was requested,
  // or the time has passed. Written() or Forget() follows for an advance, and then Done().
  std::optional<Waiting> Take(const std::stop_token& stop,
                              std::optional<std::chrono::milliseconds> patience);
  // The snapshot exists: the demands for it are met.
  void Written(const Advance& advance, const SnapshotPlace& place);
  // It was not written, and may be asked for again.
  void Forget(const Advance& advance);
  // The demands for it fail.
  void Fail(const Advance& advance, const Error& error);
  void Done();

  // Waits until every advance is written, or the backlog is closed. It does not wait for demands.
  void AwaitEmpty();
  // Drops what waits. From now on nothing is added, and no call waits.
  void Close();
  bool is_closed() const;
  std::size_t demands() const;  // callers that wait in Await()

 private:
  // One of the two is set when the attempt has ended.
  struct Demand {
    Waiting waiting;
    std::optional<HeldSnapshot> held{};
    std::optional<Error> failure{};
    bool is_settled() const { return held || failure; }
  };
  struct Place {
    std::uint64_t number = 0;  // Advance::number
    SnapshotPlace place;
  };
  // The newest advance of a window that was written, or is being written.
  struct Taken {
    std::uint64_t number = 0;
    bool is_written = false;
  };
  static constexpr std::size_t kRemembered = 64;  // places of the newest snapshots

  bool HasDemand() const SASH_REQUIRES(mutex_);
  std::optional<HeldSnapshot> HoldWritten(const Advance& advance) SASH_REQUIRES(mutex_);
  std::optional<Waiting> TakeDemanded() SASH_REQUIRES(mutex_);
  std::optional<Waiting> TakeOldest() SASH_REQUIRES(mutex_);
  bool WasWritten(std::uint64_t number) const SASH_REQUIRES(mutex_);

  const Clock& clock_;
  const bool is_finite_;
  const HoldAt hold_;

  mutable Mutex mutex_;
  StoppableCondVar changed_;
  std::map<std::string, Waiting> due_ SASH_GUARDED_BY(mutex_);    // by window
  std::map<std::string, Waiting> asked_ SASH_GUARDED_BY(mutex_);  // by window
  std::list<std::shared_ptr<Demand>> demands_ SASH_GUARDED_BY(mutex_);
  std::deque<Place> written_ SASH_GUARDED_BY(mutex_);           // the newest last
  std::map<std::string, Taken> taken_ SASH_GUARDED_BY(mutex_);  // by window
  bool is_writing_ SASH_GUARDED_BY(mutex_) = false;
  bool is_closed_ SASH_GUARDED_BY(mutex_) = false;
};

}  // namespace sash
