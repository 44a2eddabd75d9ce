#include "connectors/export/window_export.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "connectors/export/log_events.h"
#include "connectors/export/lowest_priority.h"
#include "connectors/export/window_outline.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kBetweenTidyings{1};

std::string ExportSizeText(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = 1 << 20;
  if (bytes < kMebibyte) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / static_cast<double>(kMebibyte));
}

}  // namespace

Result<std::unique_ptr<WindowExport>> WindowExport::Open(const ExportSpec& spec,
                                                         std::unique_ptr<SnapshotFormat> format,
                                                         ExportSurroundings around) {
  Result<std::unique_ptr<SnapshotFolder>> folder = SnapshotFolder::Open(spec.path);
  if (!folder) return folder.error();
  std::unique_ptr<WindowExport> opened(
      new WindowExport(spec, std::move(format), std::move(around), std::move(folder).value()));
  if (Status begun = opened->shelf_.Begin(opened->around_.is_finite); !begun) return begun.error();
  {
    const MutexLock lock(opened->mutex_);
    for (const std::string& window : spec.windows) opened->counts_[window].window = window;
  }
  return opened;
}

void WindowExport::Start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), fmt::format("{} export", ExportWord(spec_.kind)).c_str());
    if (!around_.is_finite) TakeLowestPriority();
    Run(stop_.get_token());
  });
}

void WindowExport::Submit(const AdvancePtr& advance) {
  const std::string& window = advance->provenance.window;
  if (!Exports(window)) return;
  if (advance->ordinal % spec_.every != 0) return;
  const bool replaces = backlog_.Add({advance, around_.context(window)});
  if (replaces) Count(window, &ExportWindowCounts::replaced);
}

std::optional<AskedExport> WindowExport::Ask(const AdvancePtr& advance) {
  const std::string& window = advance->provenance.window;
  if (!Exports(window)) return std::nullopt;
  const auto state = backlog_.Ask({advance, around_.context(window)});
  if (!state) return std::nullopt;
  return AskedExport{.name = Name(), .folder = FolderOf(window), .state = *state};
}

bool WindowExport::Exports(const std::string& window) const {
  return std::ranges::find(spec_.windows, window) != spec_.windows.end();
}

std::string WindowExport::Name() const {
  return fmt::format("{}:{}", ExportWord(spec_.kind), spec_.path);
}

bool WindowExport::Freezes(const std::string& window) const {
  return spec_.kind == ExportKind::kFrozen && Exports(window);
}

std::optional<HeldSnapshot> WindowExport::HoldAt(const SnapshotPlace& place) const {
  OwnedDescriptor lock = folder_->Lock(place);
  if (!lock.is_open()) return std::nullopt;
  return HeldSnapshot{folder_->PathOf(place), std::make_shared<OwnedDescriptor>(std::move(lock))};
}

Result<HeldSnapshot> WindowExport::Hold(const AdvancePtr& advance, SteadyTime until,
                                        const std::stop_token& stop) {
  const std::string& window = advance->provenance.window;
  std::optional<Result<HeldSnapshot>> held =
      backlog_.Await({advance, around_.context(window)}, until, stop);
  if (held) return *std::move(held);
  const bool is_late = !backlog_.is_closed() && !stop.stop_requested();
  return Error{ErrorCode::kUnavailable,
               fmt::format("export {}: snapshot {} of window {} {}", spec_.path,
                           advance->provenance.snapshot.value, window,
                           is_late ? "was not written in time; its thread has the lowest priority"
                                   : "is not written: the process is stopping")};
}

void WindowExport::Finish() {
  if (thread_.joinable()) backlog_.AwaitEmpty();
}

void WindowExport::RequestStop() {
  backlog_.Close();
  stop_.request_stop();
}

void WindowExport::Stop() {
  RequestStop();
  if (thread_.joinable()) thread_.join();
}

void WindowExport::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::optional<std::chrono::milliseconds> patience;
    if (shelf_.overdue() > 0) patience = kBetweenTidyings;
    if (const auto waiting = backlog_.Take(stop, patience)) {
      Write(*waiting, stop);
    } else if (!stop.stop_requested()) {
      shelf_.Tidy();
    }
    backlog_.Done();
  }
}

void WindowExport::Write(const ExportBacklog::Waiting& waiting, const std::stop_token& stop) {
  begun_ = around_.clock.Steady();
  refused_ = 0;
  const Status written = WriteWithin(waiting, stop);
  being_written_ = 0;
  if (written) return TellWorking();
  backlog_.Forget(*waiting.advance);
  if (stop.stop_requested()) return;
  if (refused_ > 0) return TellLimit(*waiting.advance, refused_);
  TellFailure(*waiting.advance, written.error());
}

Status WindowExport::WriteWithin(const ExportBacklog::Waiting& waiting,
                                 const std::stop_token& stop) {
  const Advance& advance = *waiting.advance;
  const std::string& window = advance.provenance.window;
  const Result<WindowOutline> outline = OutlineOf(advance.view, around_.keys, stop);
  if (!outline) return outline.error();
  const Result<SnapshotFolder::Begun> begun =
      folder_->Begin(window, std::to_string(advance.provenance.snapshot.value));
  if (!begun) return begun.error();
  if (Status written = WriteFiles(waiting, outline.value(), begun.value(), stop); !written) {
    Error why = written.error();
    if (const Result<Removal> removed = folder_->Remove(begun.value().place); !removed) {
      why.message += "; " + removed.error().message;
    }
    return why;
  }
  backlog_.Written(advance, begun.value().place);  // before it may be tidied away
  shelf_.Add(begun.value().place, folder_->BytesOf(begun.value()), advance.number);
  shelf_.Tidy();
  const std::chrono::duration<double> seconds = around_.clock.Steady() - begun_;
  const MutexLock lock(mutex_);
  ++counts_[window].written;
  counts_[window].last_seconds = seconds.count();
  return Ok{};
}

Status WindowExport::WriteFiles(const ExportBacklog::Waiting& waiting, const WindowOutline& outline,
                                const SnapshotFolder::Begun& begun, const std::stop_token& stop) {
  const Result<std::string> text =
      format_->Write({.advance = *waiting.advance,
                      .context = waiting.context,
                      .keys = around_.keys,
                      .outline = outline,
                      .folder = begun.folder.number(),
                      .stop = stop,
                      .make_room = [this](std::uint64_t bytes) { return MakeRoom(bytes); },
                      .now =
                          [this] {
                            const std::chrono::duration<double> seconds =
                                around_.clock.Steady() - begun_;
                            return SnapshotMoment{around_.clock.Now(), seconds.count()};
                          }});
  if (!text) return text.error();
  return folder_->Complete(begun, text.value());
}

bool WindowExport::MakeRoom(std::uint64_t bytes) {
  if (!shelf_.MakeRoom(bytes)) {
    refused_ = bytes;
    return false;
  }
  being_written_ = bytes;
  return true;
}

void WindowExport::TellFailure(const Advance& advance, const Error& error) {
  const Provenance& from = advance.provenance;
  Count(from.window, &ExportWindowCounts::failures);
  backlog_.Fail(advance, error);
  if (state_.exchange(State::kFailing) == State::kFailing) return;
  around_.log.Log(export_events::kFailed,
                  fmt::format("export {}: snapshot {} of window {} is not written: {}; the window "
                              "goes on, and its next advance is tried",
                              spec_.path, from.snapshot.value, from.window, error.message),
                  {{"window", from.window}});
}

void WindowExport::TellLimit(const Advance& advance, std::uint64_t bytes) {
  const Provenance& from = advance.provenance;
  Count(from.window, &ExportWindowCounts::beyond_limit);
  backlog_.Fail(advance, {ErrorCode::kOverloaded,
                          fmt::format("export {}: snapshot {} of window {} does not fit into limit",
                                      spec_.path, from.snapshot.value, from.window)});
  if (state_.exchange(State::kAtLimit) == State::kAtLimit) return;
  std::string holders = shelf_.HoldersText();
  if (const std::string others = other_holders_(); !others.empty()) {
    holders += (holders.empty() ? "" : "; ") + others;
  }
  around_.log.Log(
      export_events::kAtLimit,
      fmt::format("export {}: snapshot {} of window {} needs {} and is not written: {} of {} "
                  "(limit) are in use; {}",
                  spec_.path, from.snapshot.value, from.window, ExportSizeText(bytes),
                  ExportSizeText(shelf_.bytes()), ExportSizeText(spec_.limit_bytes),
                  holders.empty() ? "no visible process holds a lock, so raise limit: it must be "
                                    "enough for the newest snapshot of each window and the next one"
                                  : holders),
      {{"window", from.window}});
}

void WindowExport::TellWorking() {
  if (state_.exchange(State::kWorking) == State::kWorking) return;
  around_.log.Log(export_events::kResumed,
                  fmt::format("export {}: snapshots are written again", spec_.path));
}

void WindowExport::Count(const std::string& window, std::uint64_t ExportWindowCounts::*count) {
  const MutexLock lock(mutex_);
  ++(counts_[window].*count);
}

ExportCounts WindowExport::Counts() const {
  ExportCounts counts{.name = Name(),
                      .bytes = shelf_.bytes(),
                      .limit_bytes = spec_.limit_bytes,
                      .snapshots = shelf_.snapshots(),
                      .overdue = shelf_.overdue(),
                      .is_failing = state_ != State::kWorking};
  const MutexLock lock(mutex_);
  for (const auto& [window, of_window] : counts_) counts.windows.push_back(of_window);
  return counts;
}

std::uint64_t WindowExport::memory_bytes() const {
  return folder_->is_in_memory() ? shelf_.bytes() + being_written_ : 0;
}

}  // namespace sash
