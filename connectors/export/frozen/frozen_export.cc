#include "connectors/export/frozen/frozen_export.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "connectors/export/frozen/frozen_columns.h"
#include "connectors/export/frozen/frozen_outline.h"
#include "connectors/export/frozen/log_events.h"
#include "connectors/export/frozen/snapshot_text.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kBetweenTidyings{1};
constexpr std::uint64_t kTextBytes = 16 << 10;  // of snapshot.json, without its types

// Every other thread that can run comes before this one.
void TakeLowestPriority() {
  constexpr int kLowest = 19;
  const sched_param none{};
  (void)pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
  (void)setpriority(PRIO_PROCESS, 0, kLowest);  // on Linux: of this thread
}

std::string ExportSizeText(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = 1 << 20;
  if (bytes < kMebibyte) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / static_cast<double>(kMebibyte));
}

std::uint64_t BytesToWrite(const FrozenOutline& outline) {
  std::uint64_t text = kTextBytes;
  for (const std::string_view word : outline.words) text += 8 + 6 * word.size();
  return outline.bytes() + InPages(text);
}

}  // namespace

Result<std::unique_ptr<FrozenExport>> FrozenExport::Open(const FrozenSpec& spec,
                                                         ExportSurroundings around) {
  Result<std::unique_ptr<FrozenFolder>> folder = FrozenFolder::Open(spec.path);
  if (!folder) return folder.error();
  std::unique_ptr<FrozenExport> opened(
      new FrozenExport(spec, std::move(around), std::move(folder).value()));
  if (Status begun = opened->shelf_.Begin(opened->around_.is_finite); !begun) return begun.error();
  {
    const MutexLock lock(opened->mutex_);
    for (const std::string& window : spec.windows) opened->counts_[window].window = window;
  }
  return opened;
}

void FrozenExport::Start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "frozen export");
    if (!around_.is_finite) TakeLowestPriority();
    Run(stop_.get_token());
  });
}

void FrozenExport::Submit(const AdvancePtr& advance) {
  const std::string& window = advance->provenance.window;
  if (std::ranges::find(spec_.windows, window) == spec_.windows.end()) return;
  if (advance->ordinal % spec_.every != 0) return;
  Waiting waiting{advance, around_.policy(window)};
  const MutexLock lock(mutex_);
  while (around_.is_finite && waiting_.contains(window) && !is_stopped_) changed_.Wait(mutex_);
  if (is_stopped_) return;
  if (waiting_.contains(window)) ++counts_[window].replaced;
  std::swap(waiting_[window], waiting);  // the older one is freed after the lock
  changed_.NotifyAll();
}

void FrozenExport::Finish() {
  const MutexLock lock(mutex_);
  while (!is_stopped_ && thread_.joinable() && (is_writing_ || !waiting_.empty())) {
    changed_.Wait(mutex_);
  }
}

void FrozenExport::RequestStop() {
  std::map<std::string, Waiting> dropped;
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    std::swap(dropped, waiting_);
  }
  stop_.request_stop();
  changed_.NotifyAll();
}

void FrozenExport::Stop() {
  RequestStop();
  if (thread_.joinable()) thread_.join();
}

void FrozenExport::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (const std::optional<Waiting> waiting = Take(stop)) {
      Write(*waiting, stop);
    } else if (!stop.stop_requested()) {
      shelf_.Tidy();
    }
    const MutexLock lock(mutex_);
    is_writing_ = false;
    changed_.NotifyAll();
  }
}

// Nothing: stop was requested, or snapshots that were locked are due for another look.
std::optional<FrozenExport::Waiting> FrozenExport::Take(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  while (waiting_.empty() && !stop.stop_requested()) {
    if (shelf_.overdue() == 0) {
      changed_.Wait(mutex_, stop);
    } else if (!changed_.WaitUntil(mutex_, stop,
                                   std::chrono::steady_clock::now() + kBetweenTidyings)) {
      return std::nullopt;
    }
  }
  if (waiting_.empty()) return std::nullopt;
  const auto oldest = std::ranges::min_element(
      waiting_, {}, [](const auto& entry) { return entry.second.advance->number; });
  Waiting taken = std::move(oldest->second);
  waiting_.erase(oldest);
  is_writing_ = true;
  changed_.NotifyAll();
  return taken;
}

void FrozenExport::Write(const Waiting& waiting, const std::stop_token& stop) {
  const Advance& advance = *waiting.advance;
  begun_ = around_.clock.Steady();
  const Result<FrozenOutline> outline = OutlineOf(advance.view, around_.keys, stop);
  if (stop.stop_requested()) return;
  if (!outline) return TellFailure(advance, outline.error());
  const std::uint64_t bytes = BytesToWrite(outline.value());
  if (!shelf_.MakeRoom(bytes)) return TellLimit(advance, bytes);
  being_written_ = bytes;
  Status written = WriteWithin(waiting, outline.value(), stop);
  being_written_ = 0;
  if (stop.stop_requested() && !written) return;
  if (!written) return TellFailure(advance, written.error());
  TellWorking();
}

Status FrozenExport::WriteWithin(const Waiting& waiting, const FrozenOutline& outline,
                                 const std::stop_token& stop) {
  const Advance& advance = *waiting.advance;
  const std::string& window = advance.provenance.window;
  const Result<FrozenFolder::Begun> begun =
      folder_->Begin(window, std::to_string(advance.provenance.snapshot.value));
  if (!begun) return begun.error();
  const auto give_up = [&](Error why) {
    if (const Result<Removal> removed = folder_->Remove(begun.value().place); !removed) {
      why.message += "; " + removed.error().message;
    }
    return why;
  };
  const Result<std::vector<WrittenColumn>> columns =
      WriteFrozenColumns(advance.view, around_.keys, outline, begun.value().folder.number(), stop);
  if (!columns) return give_up(columns.error());
  const std::chrono::duration<double> seconds = around_.clock.Steady() - begun_;
  const std::string text = SnapshotText(advance, waiting.policy, outline, columns.value(),
                                        {around_.clock.Now(), seconds.count()});
  if (Status done = folder_->Complete(begun.value(), text); !done) return give_up(done.error());
  shelf_.Add(begun.value().place, outline.bytes() + InPages(text.size()));
  shelf_.Tidy();
  const MutexLock lock(mutex_);
  ++counts_[window].written;
  counts_[window].last_seconds = seconds.count();
  return Ok{};
}

void FrozenExport::TellFailure(const Advance& advance, const Error& error) {
  const Provenance& from = advance.provenance;
  Count(from.window, &FrozenWindowCounts::failures);
  if (state_.exchange(State::kFailing) == State::kFailing) return;
  around_.log.Log(export_events::kFailed,
                  fmt::format("export {}: snapshot {} of window {} is not written: {}; the window "
                              "goes on, and its next advance is tried",
                              spec_.path, from.snapshot.value, from.window, error.message),
                  {{"window", from.window}});
}

void FrozenExport::TellLimit(const Advance& advance, std::uint64_t bytes) {
  const Provenance& from = advance.provenance;
  Count(from.window, &FrozenWindowCounts::beyond_limit);
  if (state_.exchange(State::kAtLimit) == State::kAtLimit) return;
  const std::string holders = shelf_.HoldersText();
  around_.log.Log(
      export_events::kAtLimit,
      fmt::format("export {}: snapshot {} of window {} needs {} and is not written: {} of {} "
                  "(limit) are in use; {}",
                  spec_.path, from.snapshot.value, from.window, ExportSizeText(bytes),
                  ExportSizeText(shelf_.bytes()), ExportSizeText(spec_.limit_bytes),
                  holders.empty() ? "no visible process holds a lock, so raise limit: the newest "
                                    "snapshot of each window stays beside the next one"
                                  : holders),
      {{"window", from.window}});
}

void FrozenExport::TellWorking() {
  if (state_.exchange(State::kWorking) == State::kWorking) return;
  around_.log.Log(export_events::kResumed,
                  fmt::format("export {}: snapshots are written again", spec_.path));
}

void FrozenExport::Count(const std::string& window, std::uint64_t FrozenWindowCounts::*count) {
  const MutexLock lock(mutex_);
  ++(counts_[window].*count);
}

FrozenCounts FrozenExport::Counts() const {
  FrozenCounts counts{.path = spec_.path,
                      .bytes = shelf_.bytes(),
                      .limit_bytes = spec_.limit_bytes,
                      .snapshots = shelf_.snapshots(),
                      .overdue = shelf_.overdue(),
                      .is_failing = state_ != State::kWorking};
  const MutexLock lock(mutex_);
  for (const auto& [window, of_window] : counts_) counts.windows.push_back(of_window);
  return counts;
}

std::uint64_t FrozenExport::memory_bytes() const {
  return folder_->is_in_memory() ? shelf_.bytes() + being_written_ : 0;
}

}  // namespace sash
