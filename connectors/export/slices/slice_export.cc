#include "connectors/export/slices/slice_export.h"

#include <fmt/format.h>
#include <pthread.h>

#include <chrono>
#include <utility>

#include "connectors/export/log_events.h"
#include "connectors/export/own_folder.h"
#include "connectors/export/slices/shard_folders.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kRetrySliceEvery{1};
// The oldest, which must not be put off for ever, and the newest.
constexpr std::size_t kMostPending = 2;

}  // namespace

Result<std::unique_ptr<SliceExport>> SliceExport::Open(const ExportSpec& spec,
                                                       SliceSurroundings around) {
  ExportSpec own = spec;
  if (around.shard) own.path = ShardPath(spec.path, *around.shard);
  Result<std::unique_ptr<SliceFolder>> folder = SliceFolder::Open(own.path);
  if (!folder) return folder.error();
  if (!around.shard) {
    Status fits = CheckWithoutShards(spec.path, folder.value()->descriptor());
    if (!fits) return std::move(fits).error();
  }
  std::unique_ptr<SliceExport> opened(
      new SliceExport(std::move(own), std::move(around), std::move(folder).value()));
  if (Status begun = opened->Begin(); !begun) return begun.error();
  return opened;
}

Status SliceExport::Begin() {
  if (Status begun = shelf_.Begin(around_.keys.kind(), around_.pane, around_.starts_over); !begun) {
    return begun;
  }
  known_.emplace(shelf_.Ends(), around_.closed_before, spec_.path, around_.log);
  const MutexLock lock(mutex_);
  counts_.name = fmt::format("{}:{}", ExportWord(spec_.kind), spec_.path);
  counts_.limit_bytes = spec_.limit_bytes;
  counts_.windows.emplace_back();
  counts_.slices.emplace().durable_until = known_->until();
  return Ok{};
}

void SliceExport::Start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "slice export");
    Run(stop_.get_token());
  });
}

void SliceExport::Add(ExportedSlice slice) {
  if (known_->Has(EventTime(Duration(slice.slice->end)))) return known_->Tell(*slice.slice);
  const MutexLock lock(mutex_);
  if (is_stopped_) return;
  waiting_bytes_ += slice.logs->bytes;
  waiting_.push_back(std::move(slice));
  ++added_;
  changed_.NotifyAll();
}

void SliceExport::AwaitRoom() {
  const MutexLock lock(mutex_);
  while (waiting_bytes_ > around_.most_waiting && !is_let_go_ && !is_stopped_) {
    changed_.Wait(mutex_);
  }
}

void SliceExport::LetGo() {
  const MutexLock lock(mutex_);
  is_let_go_ = true;
  changed_.NotifyAll();
}

void SliceExport::AfterDurable(std::function<void()> act) {
  bool is_ready = false;
  {
    const MutexLock lock(mutex_);
    is_ready = has_ended_ && durable_ == added_;
    if (!is_ready && is_stopped_) return;
    if (!is_ready) {
      if (pending_.size() == kMostPending) pending_.pop_back();
      pending_.push_back({added_, std::move(act)});
      changed_.NotifyAll();
    }
  }
  if (is_ready) act();
}

Status SliceExport::AwaitDurable() {
  const MutexLock lock(mutex_);
  const std::uint64_t added = added_;
  while (durable_ < added && !failure_ && !is_stopped_) changed_.Wait(mutex_);
  if (durable_ >= added) return Ok{};
  return Error{ErrorCode::kUnavailable,
               failure_ ? *failure_
                        : fmt::format("export {}: slices are not durable, because the process is "
                                      "stopping",
                                      spec_.path)};
}

void SliceExport::Finish() {
  const MutexLock lock(mutex_);
  while (!is_stopped_ && thread_.joinable() && !failure_ &&
         (!waiting_.empty() || !pending_.empty() || is_calling_)) {
    changed_.Wait(mutex_);
  }
}

void SliceExport::RequestStop() {
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    pending_.clear();
  }
  stop_.request_stop();
  changed_.NotifyAll();
}

void SliceExport::Stop() {
  RequestStop();
  if (thread_.joinable()) thread_.join();
  std::deque<ExportedSlice> dropped;
  const MutexLock lock(mutex_);
  has_ended_ = true;
  std::swap(dropped, waiting_);  // durable_ < added_ from now on, if there were any
}

void SliceExport::Run(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  while (!stop.stop_requested()) {
    CallPending();
    if (!waiting_.empty()) {
      if (WriteNext(stop) || stop.stop_requested()) continue;
      (void)changed_.WaitUntil(mutex_, stop, std::chrono::steady_clock::now() + kRetrySliceEvery);
    } else if (pending_.empty()) {
      changed_.Wait(mutex_, stop);
    }
  }
}

void SliceExport::CallPending() {
  while (!pending_.empty() && pending_.front().added <= durable_) {
    const std::function<void()> act = std::move(pending_.front().act);
    pending_.pop_front();
    is_calling_ = true;
    {
      const MutexUnlock unlock(mutex_);
      act();
    }
    is_calling_ = false;
    changed_.NotifyAll();
  }
}

bool SliceExport::WriteNext(const std::stop_token& stop) {
  ExportedSlice next = waiting_.front();
  Status written = Ok{};
  {
    const MutexUnlock unlock(mutex_);
    written = Write(next, stop);
  }
  if (!written && stop.stop_requested()) return false;
  Tell(*next.slice, written);
  if (!written) return false;
  ++durable_;
  waiting_bytes_ -= next.logs->bytes;
  waiting_.pop_front();
  changed_.NotifyAll();
  const MutexUnlock unlock(mutex_);
  next = {};  // may be the last reference to the slice
  return true;
}

Status SliceExport::Write(const ExportedSlice& slice, const std::stop_token& stop) {
  const SteadyTime begun = around_.clock.Steady();
  const Slice& closed = *slice.slice;
  SliceFacts facts{.number = shelf_.next_number(),
                   .previous = shelf_.newest_end(),
                   .begin = EventTime(Duration(closed.begin)),
                   .end = EventTime(Duration(closed.end)),
                   .late = closed.account.late,
                   .refused = closed.account.refused,
                   .gap = closed.account.gap,
                   .has_on_time = closed.account.has_on_time,
                   .on_time_passes = closed.account.on_time_passes,
                   .apart = slice.logs->apart,
                   .shard = around_.shard,
                   .mapping = around_.mapping};
  const std::string name = SliceFolder::UnfinishedTable(facts.number);
  folder_->GiveUp(facts.number);  // an earlier attempt
  Status written =
      WriteSliceTable({.slice = slice,
                       .keys = around_.keys,
                       .partitions = around_.partitions,
                       .folder = folder_->descriptor(),
                       .file_name = name,
                       .stop = stop,
                       .make_room = [this](std::uint64_t bytes) { return shelf_.MakeRoom(bytes); }},
                      facts);
  if (written.ok()) {
    facts.table.name = SliceTableName(facts.number);
    facts.written = around_.clock.Now();
    facts.seconds = std::chrono::duration<double>(around_.clock.Steady() - begun).count();
    written = folder_->Complete(facts.number, SliceText(facts));
  }
  if (!written) {
    folder_->GiveUp(facts.number);
    return written;
  }
  shelf_.Add(facts);
  const MutexLock lock(mutex_);
  ++counts_.windows.front().written;
  counts_.windows.front().last_seconds = facts.seconds;
  counts_.slices->durable_until = facts.end;
  return written;
}

void SliceExport::Tell(const Slice& slice, const Status& written) {
  if (written.ok()) {
    if (failure_) {
      around_.log.Log(export_events::kResumed,
                      fmt::format("export {}: slices are written again", spec_.path));
    }
    failure_.reset();
    return;
  }
  ++counts_.windows.front().failures;
  const bool was_failing = failure_.has_value();
  failure_ = fmt::format("export {}: slices are not written: {}; nothing is committed beyond them",
                         spec_.path, written.error().message);
  if (was_failing) return;
  around_.log.Log(
      export_events::kFailed,
      fmt::format("export {}: the slice that ends at {} is not written: {}; it is tried "
                  "again every second, and committing stops",
                  spec_.path, TimeText(EventTime(Duration(slice.end))), written.error().message));
  changed_.NotifyAll();
}

std::optional<std::string> SliceExport::not_ready() const {
  const MutexLock lock(mutex_);
  return failure_;
}

std::uint64_t SliceExport::waiting() const {
  const MutexLock lock(mutex_);
  return added_ - durable_;
}

std::uint64_t SliceExport::memory_bytes() const {
  return IsInMemory(folder_->descriptor()) ? shelf_.bytes() : 0;
}

ExportCounts SliceExport::Counts() const {
  const MutexLock lock(mutex_);
  ExportCounts counts = counts_;
  counts.bytes = shelf_.bytes();
  counts.snapshots = shelf_.slices();
  counts.is_failing = failure_.has_value();
  counts.slices->removed_early = shelf_.removed_early();
  counts.slices->waiting = waiting_.size();
  counts.slices->waiting_bytes = waiting_bytes_;
  return counts;
}

}  // namespace sash
