#include "connectors/export/window_export.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <string_view>
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
  Waiting waiting{advance, around_.context(window)};
  const MutexLock lock(mutex_);
  while (around_.is_finite && waiting_.contains(window) && !is_stopped_) changed_.Wait(mutex_);
  if (is_stopped_) return;
  if (waiting_.contains(window)) ++counts_[window].replaced;
  std::swap(waiting_[window], waiting);  // the older one is freed after the lock
  changed_.NotifyAll();
}

std::optional<AskedExport> WindowExport::Ask(const AdvancePtr& advance) {
  const std::string& window = advance->provenance.window;
  if (!Exports(window)) return std::nullopt;
  AskedExport asked{.name = Name(), .folder = FolderOf(window)};
  Waiting waiting{advance, around_.context(window)};
  const MutexLock lock(mutex_);
  if (is_stopped_) return std::nullopt;
  const auto taken = taken_.find(window);
  if (taken != taken_.end() && taken->second.number >= advance->number) {
    if (taken->second.is_written) asked.state = AskedExport::State::kWritten;
    return asked;
  }
  const auto before = asked_.find(window);
  if (before != asked_.end() && before->second.advance->number >= advance->number) return asked;
  std::swap(asked_[window], waiting);
  changed_.NotifyAll();
  return asked;
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

std::optional<HeldSnapshot> WindowExport::HoldWritten(const Advance& advance) {
  // The newest one: an older one of this advance may have been removed.
  const auto found = std::find_if(written_.rbegin(), written_.rend(), [&](const Written& each) {
    return each.number == advance.number;
  });
  return found == written_.rend() ? std::nullopt : HoldAt(found->place);
}

Result<HeldSnapshot> WindowExport::Hold(const AdvancePtr& advance, SteadyTime until,
                                        const std::stop_token& stop) {
  const std::string& window = advance->provenance.window;
  auto demand = std::make_shared<Demand>(Demand{.waiting = {advance, around_.context(window)}});
  const MutexLock lock(mutex_);
  if (std::optional<HeldSnapshot> held = HoldWritten(*advance)) return *std::move(held);
  demands_.push_back(demand);
  changed_.NotifyAll();
  while (!demand->is_settled() && !is_stopped_ && !stop.stop_requested() &&
         around_.clock.Steady() < until) {
    (void)changed_.WaitUntil(mutex_, stop,
                             std::chrono::steady_clock::now() + (until - around_.clock.Steady()));
  }
  demands_.remove(demand);
  if (demand->held) return *std::move(demand->held);
  if (demand->failure) return *std::move(demand->failure);
  const bool is_late = !is_stopped_ && !stop.stop_requested();
  return Error{ErrorCode::kUnavailable,
               fmt::format("export {}: snapshot {} of window {} {}", spec_.path,
                           advance->provenance.snapshot.value, window,
                           is_late ? "was not written in time; its thread has the lowest priority"
                                   : "is not written: the process is stopping")};
}

bool WindowExport::HasDemand() const {
  return std::ranges::any_of(demands_, [](const auto& each) { return !each->is_settled(); });
}

std::optional<WindowExport::Waiting> WindowExport::TakeDemanded() {
  const auto first =
      std::ranges::find_if(demands_, [](const auto& each) { return !each->is_settled(); });
  if (first == demands_.end()) return std::nullopt;
  Waiting demanded = (*first)->waiting;
  const std::string& window = demanded.advance->provenance.window;
  const auto same = waiting_.find(window);
  if (same != waiting_.end() && same->second.advance->number == demanded.advance->number) {
    waiting_.erase(same);
  }
  return demanded;
}

void WindowExport::Settle(const Advance& advance, const SnapshotPlace& place) {
  const MutexLock lock(mutex_);
  written_.push_back({advance.number, place});
  if (written_.size() > kRemembered) written_.pop_front();
  for (const auto& demand : demands_) {
    if (demand->waiting.advance->number == advance.number) demand->held = HoldAt(place);
  }
  changed_.NotifyAll();
}

void WindowExport::SettleFailure(const Advance& advance, const Error& error) {
  const MutexLock lock(mutex_);
  for (const auto& demand : demands_) {
    if (demand->waiting.advance->number == advance.number) demand->failure = error;
  }
  changed_.NotifyAll();
}

void WindowExport::Finish() {
  const MutexLock lock(mutex_);
  while (!is_stopped_ && thread_.joinable() &&
         (is_writing_ || !waiting_.empty() || !asked_.empty())) {
    changed_.Wait(mutex_);
  }
}

void WindowExport::RequestStop() {
  std::map<std::string, Waiting> dropped;
  std::map<std::string, Waiting> dropped_asked;
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    std::swap(dropped, waiting_);
    std::swap(dropped_asked, asked_);
  }
  stop_.request_stop();
  changed_.NotifyAll();
}

void WindowExport::Stop() {
  RequestStop();
  if (thread_.joinable()) thread_.join();
}

void WindowExport::Run(const std::stop_token& stop) {
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
std::optional<WindowExport::Waiting> WindowExport::Take(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  while (true) {
    while (waiting_.empty() && asked_.empty() && !HasDemand() && !stop.stop_requested()) {
      if (shelf_.overdue() == 0) {
        changed_.Wait(mutex_, stop);
      } else if (!changed_.WaitUntil(mutex_, stop,
                                     std::chrono::steady_clock::now() + kBetweenTidyings)) {
        return std::nullopt;
      }
    }
    const bool is_demanded = HasDemand();
    std::optional<Waiting> taken = is_demanded ? TakeDemanded() : TakeOldest();
    if (!taken) return std::nullopt;
    changed_.NotifyAll();
    const std::uint64_t number = taken->advance->number;
    if (!is_demanded && WasWritten(number)) continue;  // it was due, and asked for or demanded
    Taken& newest = taken_[taken->advance->provenance.window];
    if (number > newest.number) newest = {.number = number};
    is_writing_ = true;
    return taken;
  }
}

std::optional<WindowExport::Waiting> WindowExport::TakeOldest() {
  const auto number = [](const auto& entry) { return entry.second.advance->number; };
  auto* from = &waiting_;
  auto oldest = std::ranges::min_element(waiting_, {}, number);
  const auto asked = std::ranges::min_element(asked_, {}, number);
  if (asked != asked_.end() && (oldest == waiting_.end() || number(*asked) < number(*oldest))) {
    from = &asked_;
    oldest = asked;
  }
  if (oldest == from->end()) return std::nullopt;
  Waiting taken = std::move(oldest->second);
  from->erase(oldest);
  return taken;
}

bool WindowExport::WasWritten(std::uint64_t number) const {
  return std::ranges::find(written_, number, &Written::number) != written_.end();
}

void WindowExport::Write(const Waiting& waiting, const std::stop_token& stop) {
  begun_ = around_.clock.Steady();
  refused_ = 0;
  const Status written = WriteWithin(waiting, stop);
  being_written_ = 0;
  if (written) return TellWorking();
  {
    const MutexLock lock(mutex_);
    const auto taken = taken_.find(waiting.advance->provenance.window);
    // It may be asked for again.
    if (taken != taken_.end() && taken->second.number == waiting.advance->number) {
      taken_.erase(taken);
    }
  }
  if (stop.stop_requested()) return;
  if (refused_ > 0) return TellLimit(*waiting.advance, refused_);
  TellFailure(*waiting.advance, written.error());
}

Status WindowExport::WriteWithin(const Waiting& waiting, const std::stop_token& stop) {
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
  Settle(advance, begun.value().place);  // before it may be tidied away
  shelf_.Add(begun.value().place, folder_->BytesOf(begun.value()), advance.number);
  shelf_.Tidy();
  const std::chrono::duration<double> seconds = around_.clock.Steady() - begun_;
  const MutexLock lock(mutex_);
  ++counts_[window].written;
  counts_[window].last_seconds = seconds.count();
  if (Taken& taken = taken_[window]; taken.number == advance.number) taken.is_written = true;
  return Ok{};
}

Status WindowExport::WriteFiles(const Waiting& waiting, const WindowOutline& outline,
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
  SettleFailure(advance, error);
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
  SettleFailure(advance, {ErrorCode::kOverloaded,
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
                  holders.empty() ? "no visible process holds a lock, so raise limit: the newest "
                                    "snapshot of each window stays beside the next one"
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
