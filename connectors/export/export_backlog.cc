#include "connectors/export/export_backlog.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sash {

bool ExportBacklog::Add(Waiting due) {
  const std::string window = due.advance->provenance.window;
  const MutexLock lock(mutex_);
  while (is_finite_ && due_.contains(window) && !is_closed_) changed_.Wait(mutex_);
  if (is_closed_) return false;
  const bool replaces = due_.contains(window);
  std::swap(due_[window], due);  // the older one is freed after the lock
  changed_.NotifyAll();
  return replaces;
}

std::optional<AskedExport::State> ExportBacklog::Ask(Waiting asked) {
  const std::string window = asked.advance->provenance.window;
  const std::uint64_t number = asked.advance->number;
  const AskedExport::State waits = AskedExport().state;
  const MutexLock lock(mutex_);
  if (is_closed_) return std::nullopt;
  const auto taken = taken_.find(window);
  if (taken != taken_.end() && taken->second.number >= number) {
    return taken->second.is_written ? AskedExport::State::kWritten : waits;
  }
  const auto before = asked_.find(window);
  if (before != asked_.end() && before->second.advance->number >= number) return waits;
  std::swap(asked_[window], asked);
  changed_.NotifyAll();
  return waits;
}

std::optional<HeldSnapshot> ExportBacklog::HoldWritten(const Advance& advance) {
  // The newest one: an older one of this advance may have been removed.
  const auto found = std::find_if(written_.rbegin(), written_.rend(),
                                  [&](const Place& each) { return each.number == advance.number; });
  return found == written_.rend() ? std::nullopt : hold_(found->place);
}

std::optional<Result<HeldSnapshot>> ExportBacklog::Await(Waiting demanded, SteadyTime until,
                                                         const std::stop_token& stop) {
  auto demand = std::make_shared<Demand>(Demand{.waiting = std::move(demanded)});
  const MutexLock lock(mutex_);
  if (std::optional<HeldSnapshot> held = HoldWritten(*demand->waiting.advance)) {
    return *std::move(held);
  }
  demands_.push_back(demand);
  changed_.NotifyAll();
  while (!demand->is_settled() && !is_closed_ && !stop.stop_requested() &&
         clock_.Steady() < until) {
    (void)changed_.WaitUntil(mutex_, stop,
                             std::chrono::steady_clock::now() + (until - clock_.Steady()));
  }
  demands_.remove(demand);
  if (demand->held) return *std::move(demand->held);
  if (demand->failure) return *std::move(demand->failure);
  return std::nullopt;
}

bool ExportBacklog::HasDemand() const {
  return std::ranges::any_of(demands_, [](const auto& each) { return !each->is_settled(); });
}

std::optional<ExportBacklog::Waiting> ExportBacklog::TakeDemanded() {
  const auto first =
      std::ranges::find_if(demands_, [](const auto& each) { return !each->is_settled(); });
  if (first == demands_.end()) return std::nullopt;
  Waiting demanded = (*first)->waiting;
  const auto same = due_.find(demanded.advance->provenance.window);
  if (same != due_.end() && same->second.advance->number == demanded.advance->number) {
    due_.erase(same);
  }
  return demanded;
}

std::optional<ExportBacklog::Waiting> ExportBacklog::TakeOldest() {
  const auto number = [](const auto& entry) { return entry.second.advance->number; };
  auto* from = &due_;
  auto oldest = std::ranges::min_element(due_, {}, number);
  const auto asked = std::ranges::min_element(asked_, {}, number);
  if (asked != asked_.end() && (oldest == due_.end() || number(*asked) < number(*oldest))) {
    from = &asked_;
    oldest = asked;
  }
  if (oldest == from->end()) return std::nullopt;
  Waiting taken = std::move(oldest->second);
  from->erase(oldest);
  return taken;
}

bool ExportBacklog::WasWritten(std::uint64_t number) const {
  return std::ranges::find(written_, number, &Place::number) != written_.end();
}

std::optional<ExportBacklog::Waiting> ExportBacklog::Take(
    const std::stop_token& stop, std::optional<std::chrono::milliseconds> patience) {
  std::vector<Waiting> were_written;  // freed after the lock
  const MutexLock lock(mutex_);
  while (true) {
    while (due_.empty() && asked_.empty() && !HasDemand() && !stop.stop_requested()) {
      if (!patience) {
        changed_.Wait(mutex_, stop);
      } else if (!changed_.WaitUntil(mutex_, stop, std::chrono::steady_clock::now() + *patience)) {
        return std::nullopt;
      }
    }
    const bool is_demanded = HasDemand();
    std::optional<Waiting> taken = is_demanded ? TakeDemanded() : TakeOldest();
    if (!taken) return std::nullopt;
    changed_.NotifyAll();
    const std::uint64_t number = taken->advance->number;
    if (!is_demanded && WasWritten(number)) {  // it was due, and asked for or demanded
      were_written.push_back(*std::move(taken));
      continue;
    }
    Taken& newest = taken_[taken->advance->provenance.window];
    if (number > newest.number) newest = {.number = number};
    is_writing_ = true;
    return taken;
  }
}

void ExportBacklog::Written(const Advance& advance, const SnapshotPlace& place) {
  const MutexLock lock(mutex_);
  written_.push_back({advance.number, place});
  if (written_.size() > kRemembered) written_.pop_front();
  Taken& taken = taken_[advance.provenance.window];
  if (taken.number == advance.number) taken.is_written = true;
  for (const auto& demand : demands_) {
    if (demand->waiting.advance->number == advance.number) demand->held = hold_(place);
  }
  changed_.NotifyAll();
}

void ExportBacklog::Fail(const Advance& advance, const Error& error) {
  const MutexLock lock(mutex_);
  for (const auto& demand : demands_) {
    if (demand->waiting.advance->number == advance.number) demand->failure = error;
  }
  changed_.NotifyAll();
}

void ExportBacklog::Forget(const Advance& advance) {
  const MutexLock lock(mutex_);
  const auto taken = taken_.find(advance.provenance.window);
  if (taken != taken_.end() && taken->second.number == advance.number) taken_.erase(taken);
}

void ExportBacklog::Done() {
  const MutexLock lock(mutex_);
  is_writing_ = false;
  changed_.NotifyAll();
}

void ExportBacklog::AwaitEmpty() {
  const MutexLock lock(mutex_);
  while (!is_closed_ && (is_writing_ || !due_.empty() || !asked_.empty())) changed_.Wait(mutex_);
}

void ExportBacklog::Close() {
  std::map<std::string, Waiting> dropped;
  std::map<std::string, Waiting> dropped_asked;
  const MutexLock lock(mutex_);
  is_closed_ = true;
  std::swap(dropped, due_);  // freed after the lock
  std::swap(dropped_asked, asked_);
  changed_.NotifyAll();
}

bool ExportBacklog::is_closed() const {
  const MutexLock lock(mutex_);
  return is_closed_;
}

std::size_t ExportBacklog::demands() const {
  const MutexLock lock(mutex_);
  return demands_.size();
}

}  // namespace sash
