// SliceExport: writes closed slices as files, in a thread of its own, and tells when they are
// durable: until then no commit and no checkpoint may count them as closed.
//
// A slice that cannot be written is tried again every second. Meanwhile slices wait in memory, up
// to a bound; then the engine waits.
//
// Thread safety: Add() and AwaitRoom() belong to the engine thread; Start(), Finish() and Stop() to
// the owner; all other members may be called from any thread.
//
// Invariants
//   (1) Slices become durable in the order in which they closed, each once; what the folder has
//       from an earlier run is not written again.
//   (2) What AfterDurable() got is called in order, one call at a time, and only after every slice
//       that had been added before is durable.
//   (3) A failure is a state with one line in the log when it begins and one when it ends.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "connectors/export/export_counts.h"
#include "connectors/export/export_spec.h"
#include "connectors/export/slices/known_slices.h"
#include "connectors/export/slices/slice_facts.h"
#include "connectors/export/slices/slice_folder.h"
#include "connectors/export/slices/slice_shelf.h"
#include "connectors/export/slices/slice_table.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"

namespace sash {

// Those with references outlive the export.
struct SliceSurroundings {
  const VertexDictionary& keys;
  const PartitionTable& partitions;
  const Clock& clock;
  EventLog& log;
  Duration pane{};        // of the slices
  std::string mapping{};  // SliceFacts::mapping
  // The slices are those of a shard: they are in the shard's folder in the folder of the export.
  std::optional<StreamShard> shard{};
  // Panes up to here count as exported, whether they have a slice or not.
  std::optional<EventTime> closed_before{};
  bool starts_over = false;        // the slices of earlier runs are removed
  std::uint64_t most_waiting = 0;  // bytes of memory; one slice more may wait
};

class SliceExport {
 public:
  // Opens the folder, and removes what is not whole. kInvalidArgument: the slices in it have other
  // panes or keys.
  static Result<std::unique_ptr<SliceExport>> Open(const ExportSpec& spec,
                                                   SliceSurroundings around);
  ~SliceExport() { Stop(); }

  void Start();
  void Add(ExportedSlice slice);
  // Waits while too many bytes wait to be written. After LetGo() it returns at once.
  void AwaitRoom();
  // Ends the wait of AwaitRoom(), for good.
  void LetGo();

  // Calls `act` in the export's thread as soon as the slices that were added so far are durable, or
  // never. Of several calls that wait, some in the middle may be left out: `act` replaces them.
  void AfterDurable(std::function<void()> act);
  // Waits until the slices that were added so far are durable; an error if they cannot be written
  // now.
  Status AwaitDurable();

  // Waits until every slice is durable, and what waits for it was called; or until slices cannot be
  // written.
  void Finish();
  // The thread ends soon, and nothing waits any more. A slice that is being written is given up.
  void RequestStop();
  // The same, and waits for the end of the thread.
  void Stop();

  // The end up to which slices count as written by earlier runs. It does not change.
  std::optional<EventTime> known_until() const { return known_->until(); }
  // Why slices are not written now; nothing: they are.
  std::optional<std::string> not_ready() const;
  // The number of slices that are not durable.
  std::uint64_t waiting() const;
  ExportCounts Counts() const;
  // Bytes in shared memory. 0: the folder is on a disk.
  std::uint64_t memory_bytes() const;

 private:
  struct Pending {
    std::uint64_t added = 0;  // slices that must be durable
    std::function<void()> act;
  };

  SliceExport(ExportSpec spec, SliceSurroundings around, std::unique_ptr<SliceFolder> folder)
      : spec_(std::move(spec)),
        around_(std::move(around)),
        folder_(std::move(folder)),
        shelf_(*folder_, spec_, around_.log) {}

  Status Begin();
  void Run(const std::stop_token& stop);
  void CallPending() SASH_REQUIRES(mutex_);
  bool WriteNext(const std::stop_token& stop) SASH_REQUIRES(mutex_);
  Status Write(const ExportedSlice& slice, const std::stop_token& stop);
  void Tell(const Slice& slice, const Status& written) SASH_REQUIRES(mutex_);

  const ExportSpec spec_;
  const SliceSurroundings around_;
  const std::unique_ptr<SliceFolder> folder_;
  SliceShelf shelf_;                  // of the writing thread
  std::optional<KnownSlices> known_;  // set once the export is open

  mutable Mutex mutex_;
  StoppableCondVar changed_;
  std::deque<ExportedSlice> waiting_ SASH_GUARDED_BY(mutex_);  // oldest first
  std::deque<Pending> pending_ SASH_GUARDED_BY(mutex_);
  std::uint64_t waiting_bytes_ SASH_GUARDED_BY(mutex_) = 0;
  std::uint64_t added_ SASH_GUARDED_BY(mutex_) = 0;
  std::uint64_t durable_ SASH_GUARDED_BY(mutex_) = 0;
  std::optional<std::string> failure_ SASH_GUARDED_BY(mutex_);
  ExportCounts counts_ SASH_GUARDED_BY(mutex_);
  bool is_calling_ SASH_GUARDED_BY(mutex_) = false;
  bool is_let_go_ SASH_GUARDED_BY(mutex_) = false;
  bool is_stopped_ SASH_GUARDED_BY(mutex_) = false;
  bool has_ended_ SASH_GUARDED_BY(mutex_) = false;  // the thread
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace sash
