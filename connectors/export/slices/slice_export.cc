#include "connectors/export/slices/slice_export.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "connectors/export/log_events.h"
#include "connectors/export/own_folder.h"
#include "connectors/export/slices/shard_folders.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kRetrySliceEvery{1};
constexpr std::size_t kMostPending = 2;  // the first must not be put off for ever; and the last

std::string PaneText(Duration pane) {
  return fmt::format("{} s", std::chrono::duration<double>(pane).count());
}

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
  if (Status removed = folder_->RemoveTorn(); !removed) return removed;
  Result<std::vector<SliceFacts>> found = folder_->Find();
  if (!found) return found.error();
  if (around_.begins_anew) {
    for (const SliceFacts& slice : found.value()) {
      const Result<Removal> removed = folder_->Remove(slice.number);
      if (!removed) return removed.error();
    }
    found.value().clear();
  }
  for (const SliceFacts& slice : found.value()) {
    kept_.push_back({slice.number, slice.end, InPages(slice.table.bytes)});
    known_ends_.push_back(slice.end);
  }
  if (!kept_.empty()) {
    const SliceFacts& newest = found.value().back();
    if (Status fits = CheckFound(newest); !fits) return fits;
    known_until_ = previous_ = newest.end;
    next_number_ = newest.number + 1;
  }
  known_until_ = std::max(known_until_, around_.closed_before);
  const MutexLock lock(mutex_);
  counts_.name = fmt::format("{}:{}", ExportWord(spec_.kind), spec_.path);
  counts_.limit_bytes = spec_.limit_bytes;
  counts_.windows.emplace_back();
  counts_.slices.emplace().durable_until = known_until_;
  NoteKept();
  return Ok{};
}

Status SliceExport::CheckFound(const SliceFacts& newest) const {
  const auto word = [](KeyKind kind) { return kind == KeyKind::kInteger ? "integer" : "string"; };
  const std::string remedy = "; give another path, or remove the folder";
  if (newest.keys != around_.keys.kind()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("open {}: its slices have keys of the kind {}, and source.format.keys "
                             "is {}{}",
                             spec_.path, word(newest.keys), word(around_.keys.kind()), remedy)};
  }
  if (newest.pane() != around_.pane) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("open {}: its slices are of {}, and those of the windows are of {}{}",
                             spec_.path, PaneText(newest.pane()), PaneText(around_.pane), remedy)};
  }
  return Ok{};
}

void SliceExport::Start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "slice export");
    Run(stop_.get_token());
  });
}

void SliceExport::Add(ExportedSlice slice) {
  const EventTime end{Duration(slice.slice->end)};
  const MutexLock lock(mutex_);
  if (known_until_ && end <= *known_until_) {
    return TellKnown(*slice.slice);
  }
  if (is_stopped_) return;
  waiting_bytes_ += slice.logs->bytes;
  waiting_.push_back(std::move(slice));
  ++added_;
  changed_.NotifyAll();
}

// The slice ends at or before known_until_. Either it is there, or it was removed, or its records
// came to a partition that had been idle, when the pane had closed already.
void SliceExport::TellKnown(const Slice& slice) {
  const EventTime end{Duration(slice.end)};
  const bool was_removed = !known_ends_.empty() && end < known_ends_.front();
  if (!was_removed && !std::ranges::binary_search(known_ends_, end) && slice.size() > 0) {
    around_.log.Log(export_events::kSliceBehind,
                    fmt::format("export {}: {} edges of the slice that ends at {} are in no slice: "
                                "it had closed without them in an earlier run",
                                spec_.path, slice.size(), TimeText(end)),
                    {{"edges", slice.size()}});
  }
  if (std::exchange(has_told_known_, true)) return;
  around_.log.Log(export_events::kSlicesKnown,
                  fmt::format("export {}: slices up to {} are there from an earlier run; they "
                              "are not written again",
                              spec_.path, TimeText(*known_until_)));
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
  SliceFacts facts{.number = next_number_,
                   .previous = previous_,
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
                       .make_room = [this](std::uint64_t bytes) { return MakeRoom(bytes); }},
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
  kept_.push_back({facts.number, facts.end, InPages(facts.table.bytes)});
  ++next_number_;
  previous_ = facts.end;
  RemoveBeyondKeep();
  const MutexLock lock(mutex_);
  ++counts_.windows.front().written;
  counts_.windows.front().last_seconds = facts.seconds;
  counts_.slices->durable_until = facts.end;
  NoteKept();
  return written;
}

bool SliceExport::MakeRoom(std::uint64_t bytes) {
  std::uint64_t together = InPages(bytes);
  for (const Kept& kept : kept_) together += kept.bytes;
  while (together > spec_.limit_bytes && kept_.size() > 1) {
    const std::uint64_t freed = kept_.front().bytes;
    if (!RemoveOldest(true)) break;
    together -= freed;
  }
  return together <= spec_.limit_bytes;
}

// How many bytes and slices there are, for metrics.
void SliceExport::NoteKept() {
  counts_.bytes = 0;
  for (const Kept& kept : kept_) counts_.bytes += kept.bytes;
  counts_.snapshots = kept_.size();
}

void SliceExport::RemoveBeyondKeep() {
  const EventTime newest = kept_.back().end;
  while (kept_.size() > 1 && newest - kept_.front().end >= spec_.keep_for) {
    if (!RemoveOldest(false)) return;
  }
}

// False: a reader has locked it, or it cannot be removed; it is tried again with the next slice.
bool SliceExport::RemoveOldest(bool is_early) {
  const Kept oldest = kept_.front();
  const Result<Removal> removed = folder_->Remove(oldest.number);
  if (!removed) {
    around_.log.Log(export_events::kNotRemoved, removed.error().message);
    return false;
  }
  if (removed.value() == Removal::kLocked) return false;
  kept_.pop_front();
  if (!is_early) return true;
  if (!std::exchange(has_told_early_, true)) {
    around_.log.Log(export_events::kRemovedEarly,
                    fmt::format("export {}: the slice that ends at {} is removed before `keep` has "
                                "passed, because all slices together may take {} bytes (limit)",
                                spec_.path, TimeText(oldest.end), spec_.limit_bytes));
  }
  const MutexLock lock(mutex_);
  ++counts_.slices->removed_early;
  return true;
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
  if (!IsInMemory(folder_->descriptor())) return 0;
  const MutexLock lock(mutex_);
  return counts_.bytes;
}

ExportCounts SliceExport::Counts() const {
  const MutexLock lock(mutex_);
  ExportCounts counts = counts_;
  counts.is_failing = failure_.has_value();
  counts.slices->waiting = waiting_.size();
  counts.slices->waiting_bytes = waiting_bytes_;
  return counts;
}

}  // namespace sash
