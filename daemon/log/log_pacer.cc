#include "daemon/log/log_pacer.h"

#include <algorithm>
#include <utility>

namespace sash {

std::optional<HeldLines> LogPacer::Pass(const LogLine& line) {
  const SteadyTime now = clock_.Steady();
  const MutexLock lock(mutex_);
  const auto [place, is_new] = kinds_.try_emplace(line.event.id);
  Kind& kind = place->second;
  if (is_new) {
    kind.event = line.event;
    kind.passes = rate_.burst;
    kind.filled = now;
    kind.counts.event = line.event.id;
  }
  ++kind.counts.lines;
  if (line.event.pace == LogPace::kAlways) return HeldLines{};
  Fill(kind, rate_, now);
  if (kind.passes >= 1) {
    kind.passes -= 1;
    return TakeHeld(kind, now);
  }
  if (kind.held++ == 0) kind.first_held = now;
  ++kind.counts.held_back;
  kind.last_held = now;
  kind.last = line.message;
  return std::nullopt;
}

std::vector<LogPacer::Summary> LogPacer::Take(bool all) {
  const SteadyTime now = clock_.Steady();
  const MutexLock lock(mutex_);
  std::vector<Kind*> due;
  for (auto& [id, kind] : kinds_) {
    if (kind.held == 0) continue;
    Fill(kind, rate_, now);
    if (all || kind.passes >= 1) due.push_back(&kind);
  }
  std::ranges::sort(due, {}, [](const Kind* kind) { return kind->last_held; });
  std::vector<Summary> summaries;
  summaries.reserve(due.size());
  for (Kind* kind : due) {
    kind->passes = std::max(kind->passes - 1, 0.0);
    const HeldLines held = TakeHeld(*kind, now);
    summaries.push_back({kind->event, held, std::exchange(kind->last, {})});
  }
  return summaries;
}

void LogPacer::SetRate(const LogRate& rate) {
  const MutexLock lock(mutex_);
  rate_ = rate;
}

std::vector<LogCounts> LogPacer::counts() const {
  const MutexLock lock(mutex_);
  std::vector<LogCounts> counts;
  counts.reserve(kinds_.size());
  for (const auto& [id, kind] : kinds_) counts.push_back(kind.counts);
  return counts;
}

void LogPacer::Fill(Kind& kind, const LogRate& rate, SteadyTime now) {
  const std::chrono::duration<double> since = now - std::exchange(kind.filled, now);
  kind.passes = std::min(static_cast<double>(rate.burst), kind.passes + since / rate.every);
}

HeldLines LogPacer::TakeHeld(Kind& kind, SteadyTime now) {
  const std::uint64_t lines = std::exchange(kind.held, 0);
  if (lines == 0) return {};
  return {lines, now - kind.first_held, now - kind.last_held};
}

}  // namespace sash
