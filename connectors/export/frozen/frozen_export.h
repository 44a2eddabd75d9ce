// FrozenExport: writes the advances of some windows as frozen snapshots, in a thread of its own.
//
// The thread has the lowest priority, so that it does not delay windows and jobs; with a finite
// source, windows wait for it instead. For each window at most one advance waits; a newer one
// replaces it.
//
// Thread safety: Submit() belongs to the engine thread; Start(), Finish() and Stop() to the owner;
// RequestStop(), Counts() and memory_bytes() may be called from any thread.
//
// Invariants
//   (1) An advance is pinned while it waits and while it is written, and not longer.
//   (2) With a finite source, every advance that `every` chooses is written, unless the limit or a
//       failure prevents it.
//   (3) A failure, or the limit, is a state with one line in the log when it begins and one when it
//       ends. It never reaches the windows.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "connectors/export/frozen/frozen_counts.h"
#include "connectors/export/frozen/frozen_folder.h"
#include "connectors/export/frozen/frozen_outline.h"
#include "connectors/export/frozen/frozen_shelf.h"
#include "connectors/export/frozen/frozen_spec.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/store/window_policy.h"

namespace sash {

struct ExportSurroundings {
  const VertexDictionary& keys;
  const Clock& clock;
  EventLog& log;
  // How the window treats duplicates; the engine thread calls it.
  std::function<StoreSpec(const std::string& window)> policy;
  bool is_finite = false;  // the source ends
};

class FrozenExport {
 public:
  // Opens the folder, and removes what is not whole. `around` outlives the export.
  static Result<std::unique_ptr<FrozenExport>> Open(const FrozenSpec& spec,
                                                    ExportSurroundings around);
  ~FrozenExport() { Stop(); }

  void Start();
  void Submit(const AdvancePtr& advance);
  // Waits until every advance that waits is written.
  void Finish();
  // The thread ends soon, and Submit() and Finish() do not wait any more. A snapshot that is being
  // written is given up.
  void RequestStop();
  // The same, and waits for the end of the thread.
  void Stop();

  FrozenCounts Counts() const;
  // Bytes in shared memory, those that are being written included. 0: the folder is on a disk.
  std::uint64_t memory_bytes() const;

 private:
  enum class State : std::uint8_t { kWorking, kAtLimit, kFailing };
  struct Waiting {
    AdvancePtr advance;
    StoreSpec policy;
  };

  FrozenExport(FrozenSpec spec, ExportSurroundings around, std::unique_ptr<FrozenFolder> folder)
      : spec_(std::move(spec)),
        around_(std::move(around)),
        folder_(std::move(folder)),
        shelf_(*folder_, spec_, around_.log) {}

  void Run(const std::stop_token& stop);
  std::optional<Waiting> Take(const std::stop_token& stop);
  void Write(const Waiting& waiting, const std::stop_token& stop);
  Status WriteWithin(const Waiting& waiting, const FrozenOutline& outline,
                     const std::stop_token& stop);
  void TellFailure(const Advance& advance, const Error& error);
  void TellLimit(const Advance& advance, std::uint64_t bytes);
  void TellWorking();
  void Count(const std::string& window, std::uint64_t FrozenWindowCounts::*count);

  const FrozenSpec spec_;
  const ExportSurroundings around_;
  const std::unique_ptr<FrozenFolder> folder_;
  FrozenShelf shelf_;
  std::atomic<State> state_ = State::kWorking;
  std::atomic<std::uint64_t> being_written_ = 0;  // bytes
  SteadyTime begun_{};                            // the snapshot that is being written

  mutable Mutex mutex_;
  StoppableCondVar changed_;  // waiting_ or is_writing_ has changed
  std::map<std::string, Waiting> waiting_ SASH_GUARDED_BY(mutex_);  // by window
  bool is_writing_ SASH_GUARDED_BY(mutex_) = false;
  bool is_stopped_ SASH_GUARDED_BY(mutex_) = false;
  std::map<std::string, FrozenWindowCounts> counts_ SASH_GUARDED_BY(mutex_);  // by window
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace sash
