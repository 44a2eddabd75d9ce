// WindowExport: writes the advances of some windows as snapshots, in a thread of its own.
//
// The thread has the lowest priority, so that it does not delay windows and jobs; with a finite
// source, windows wait for it instead. For each window at most one advance waits; a newer one
// replaces it.
//
// Thread safety: Submit() belongs to the engine thread; Start(), Finish() and Stop() to the owner;
// all other members may be called from any thread.
//
// Invariants
//   (1) An advance is pinned while it waits and while it is written, and not longer.
//   (2) With a finite source, every advance that `every` chooses is written, unless the limit or a
//       failure prevents it.
//   (3) A failure, or the limit, is a state with one line in the log when it begins and one when it
//       ends. It never reaches the windows.
//   (4) An advance is written once, even if it is also asked for.
//   (5) The snapshots that Hold() waits for are written before all others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "connectors/export/asked_export.h"
#include "connectors/export/export_backlog.h"
#include "connectors/export/export_counts.h"
#include "connectors/export/export_spec.h"
#include "connectors/export/snapshot_folder.h"
#include "connectors/export/snapshot_format.h"
#include "connectors/export/snapshot_shelf.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/work_desk.h"

namespace sash {

struct ExportSurroundings {
  const VertexDictionary& keys;
  const Clock& clock;
  EventLog& log;
  // What snapshots state of the window; any thread calls it.
  std::function<WindowContext(const std::string& window)> context;
  bool is_finite = false;  // the source ends
};

class WindowExport {
 public:
  // Opens the folder, and removes what is not whole. `around` outlives the export.
  static Result<std::unique_ptr<WindowExport>> Open(const ExportSpec& spec,
                                                    std::unique_ptr<SnapshotFormat> format,
                                                    ExportSurroundings around);
  ~WindowExport() { Stop(); }

  void Start();
  void Submit(const AdvancePtr& advance);
  // The same for the newest advance of a window, whatever `every` says, and without waiting. A
  // newer one that is asked for replaces it while it waits. Nothing: the window is not exported, or
  // the export has stopped.
  std::optional<AskedExport> Ask(const AdvancePtr& advance);
  // Whether it writes frozen snapshots of the window, so that Hold() may be called.
  bool Freezes(const std::string& window) const;
  // The absolute path of the folder with the snapshots of a window.
  std::string FolderOf(const std::string& window) const { return folder_->PathOf({window, ""}); }
  // The snapshot of this advance, which stays while the result is in use. If there is none (any
  // more), it is written, whatever `every` is. Waits for it until the time, or until stop is
  // requested; fails with the reason.
  Result<HeldSnapshot> Hold(const AdvancePtr& advance, SteadyTime until,
                            const std::stop_token& stop);
  // Waits until every advance that waits is written.
  void Finish();
  // The thread ends soon, and Submit() and Finish() do not wait any more. A snapshot that is being
  // written is given up.
  void RequestStop();
  // The same, and waits for the end of the thread.
  void Stop();

  // The calls of Hold() that wait.
  std::size_t demands() const { return backlog_.demands(); }

  // Names, in the state at the limit, what else holds snapshots. Call it before Start().
  void NameHoldersBy(std::function<std::string()> holders) { other_holders_ = std::move(holders); }
  const SnapshotFolder& folder() const { return *folder_; }

  ExportCounts Counts() const;
  // Bytes in shared memory, those that are being written included. 0: the folder is on a disk.
  std::uint64_t memory_bytes() const;

 private:
  enum class State : std::uint8_t { kWorking, kAtLimit, kFailing };

  WindowExport(ExportSpec spec, std::unique_ptr<SnapshotFormat> format, ExportSurroundings around,
               std::unique_ptr<SnapshotFolder> folder)
      : spec_(std::move(spec)),
        format_(std::move(format)),
        around_(std::move(around)),
        folder_(std::move(folder)),
        shelf_(*folder_, spec_, around_.log),
        backlog_(around_.clock, around_.is_finite,
                 [this](const SnapshotPlace& place) { return HoldAt(place); }) {}

  void Run(const std::stop_token& stop);
  void Write(const ExportBacklog::Waiting& waiting, const std::stop_token& stop);
  std::optional<HeldSnapshot> HoldAt(const SnapshotPlace& place) const;
  Status WriteFiles(const ExportBacklog::Waiting& waiting, const WindowOutline& outline,
                    const SnapshotFolder::Begun& begun, const std::stop_token& stop);
  Status WriteWithin(const ExportBacklog::Waiting& waiting, const std::stop_token& stop);
  bool MakeRoom(std::uint64_t bytes);
  void TellFailure(const Advance& advance, const Error& error);
  void TellLimit(const Advance& advance, std::uint64_t bytes);
  void TellWorking();
  bool Exports(const std::string& window) const;
  std::string Name() const;
  void Count(const std::string& window, std::uint64_t ExportWindowCounts::*count);

  const ExportSpec spec_;
  const std::unique_ptr<const SnapshotFormat> format_;
  const ExportSurroundings around_;
  const std::unique_ptr<SnapshotFolder> folder_;
  SnapshotShelf shelf_;
  ExportBacklog backlog_;
  std::function<std::string()> other_holders_ = [] { return std::string(); };
  std::atomic<State> state_ = State::kWorking;
  std::atomic<std::uint64_t> being_written_ = 0;  // bytes
  SteadyTime begun_{};                            // the snapshot that is being written
  std::uint64_t refused_ = 0;  // bytes of it that the limit did not allow; 0: it allowed all

  mutable Mutex mutex_;
  std::map<std::string, ExportWindowCounts> counts_ SASH_GUARDED_BY(mutex_);  // by window
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace sash
