#include "windows/durable/rewind_journal.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "windows/durable/manifest.h"
#include "windows/durable/numbered_name.h"

namespace sash {
namespace {

// All readable states, ascending. `remark`: why the newest unreadable one cannot be read.
Result<std::vector<RewindState>> ReadStates(const Folder& folder, std::optional<KeyKind> kind,
                                            std::string& remark) {
  const Result<std::vector<std::uint64_t>> numbers = NumbersIn(folder, RewindStateNumber);
  if (!numbers) return numbers.error();
  std::vector<RewindState> states;
  for (const std::uint64_t number : numbers.value()) {
    Result<RewindState> state = ReadRewindState(folder, number, kind);
    if (state) {
      states.push_back(std::move(state).value());
    } else if (state.error().code == ErrorCode::kUnavailable) {
      return state.error();
    } else {
      remark = state.error().message;
    }
  }
  return states;
}

// The state to continue from: the newest one from which every window that is not yet safe can be
// rebuilt whole.
std::vector<RewindState>::iterator Beginning(std::vector<RewindState>& states) {
  const RewindState& newest = states.back();
  if (newest.safe.positions.empty()) return states.begin();
  for (auto state = states.end(); state != states.begin();) {
    if (ReachesBack((--state)->state.partitions, newest)) return state;
  }
  return states.end();
}

void NoteSafe(const RewindPoint& safe, EngineState& state) {
  for (LaneState& lane : state.lanes) {
    for (WindowState& window : lane.windows) {
      const auto published = safe.published.find(window.spec.name);
      if (published == safe.published.end()) continue;
      window.state.published_until = published->second;
      window.state.newest = safe.newest.at(window.spec.name);
      window.state.snapshots = window.state.newest->snapshot;
    }
  }
}

std::map<TopicPartition, std::int64_t> Reached(const EngineState& state,
                                               const JournalledRounds& rounds) {
  std::map<TopicPartition, std::int64_t> reached = ReachedOffsets(rounds);
  for (const PartitionState& partition : state.partitions) {
    if (!partition.next_offset) continue;
    std::int64_t& next = reached[partition.pair];
    next = std::max(next, *partition.next_offset);
  }
  return reached;
}

}  // namespace

Result<std::optional<RewindBeginning>> RewindJournal::Find(KeyKind kind,
                                                           const std::vector<WindowSpec>& windows,
                                                           PartitionTable& partitions,
                                                           std::string& why_not) {
  Result<std::vector<RewindState>> read = ReadStates(folder_, kind, why_not);
  if (!read) return read.error();
  std::vector<RewindState>& states = read.value();
  if (states.empty()) return std::optional<RewindBeginning>();
  why_not.clear();
  const auto begin = Beginning(states);
  if (begin == states.end()) {
    why_not = "no stored state is old enough for the records that windows need";
    return std::optional<RewindBeginning>();
  }
  if (const Status fits = CheckFits(begin->state, windows); !fits) {
    why_not = "its state is for other windows: " + fits.error().message;
    return std::optional<RewindBeginning>();
  }
  Result<JournalledRounds> rounds = ReadJournal(folder_, begin->state.journal);
  if (!rounds) return rounds.error();
  if (!rounds.value().begun) {
    why_not = "its rounds cannot be read: " + rounds.value().remark;
    return std::optional<RewindBeginning>();
  }
  // Keep only states whose rounds can be read: only those lead to the present position of the
  // stream.
  for (auto state = begin; state != states.end(); ++state) {
    const auto is_its = [&](const JournalledRounds::Part& part) {
      return part.file == state->state.journal;
    };
    if (!std::ranges::any_of(rounds.value().parts, is_its)) continue;
    kept_.push_back({.number = state->state.journal, .partitions = state->state.partitions});
  }
  state_ = begin->state.journal;
  const RewindState& newest = states.back();
  RewindBeginning beginning{
      .state = std::move(begin->state), .rounds = std::move(rounds).value(), .reached = {}};
  beginning.reached = Reached(beginning.state, beginning.rounds);
  NoteSafe(newest.safe, beginning.state);
  NamePartitions(beginning.state, partitions);
  const MutexLock lock(mutex_);
  safe_ = newest.safe;
  for (RewindPosition& position : safe_.positions) {
    const TopicPartition& pair = newest.state.partitions[position.partition].pair;
    position.partition = partitions.Index(pair);
  }
  return std::optional(std::move(beginning));
}

void RewindJournal::StartOver() {
  kept_.clear();
  state_ = 0;
  journal_.Collect(std::numeric_limits<std::uint64_t>::max());
  RemoveStrays();
  const MutexLock lock(mutex_);
  safe_ = {};
}

void RewindJournal::Delivered(const RewindPoint& point, std::vector<RewindPosition> committed) {
  const MutexLock lock(mutex_);
  if (committed.empty()) committed = std::move(safe_.positions);
  safe_ = point;
  safe_.positions = std::move(committed);
}

bool RewindJournal::IsDue(SteadyTime now) const {
  if (!taken_) return true;
  if (now - *taken_ < interval_) return false;
  if (kept_.size() < kStates || journal_.failure()) return true;
  // The states after the oldest divide the bytes that the journal has written since then about
  // evenly.
  const std::uint64_t written = journal_.figures().bytes;
  return (written - kept_.back().bytes_before) * kStates >= written - kept_.front().bytes_before;
}

// While only time passes, a new state would equal the newest one.
bool RewindJournal::HasNews(const JournalledEngine& engine) {
  if (failure_ || engine.has_changed()) return true;
  const MutexLock lock(mutex_);
  return safe_ != told_;
}

// States after rounds that could not be repeated belong to the previous run only.
void RewindJournal::ForgetWhatDoesNotFollow() {
  if (std::exchange(has_begun_, true)) return;
  while (!kept_.empty() && kept_.back().number > journal_.follows()) kept_.pop_back();
}

// Otherwise older states would be deleted in favour of one that is not there.
void RewindJournal::ForgetWhatIsGone() {
  std::erase_if(kept_, [&](const Kept& kept) {
    const std::string name = RewindStateName(kept.number);
    const Result<std::uint64_t> bytes = folder_.Size(name);
    if (bytes || bytes.error().code == ErrorCode::kUnavailable) return false;
    failure_ = folder_.path() + "/" + name + ": another process has moved or deleted this state";
    return true;
  });
}

// A file that cannot be deleted is tried again with the next state.
void RewindJournal::RemoveStrays() {
  const Result<std::vector<std::uint64_t>> numbers = NumbersIn(folder_, RewindStateNumber);
  if (!numbers) return;
  has_strays_ = false;
  for (const std::uint64_t number : numbers.value()) {
    const auto is_it = [&](const Kept& kept) { return kept.number == number; };
    if (std::ranges::any_of(kept_, is_it)) continue;
    if (!folder_.Remove(RewindStateName(number))) has_strays_ = true;
  }
}

void RewindJournal::Tend(JournalledEngine& engine, const VertexDictionary& keys, SteadyTime now) {
  ForgetWhatDoesNotFollow();
  if (!IsDue(now) || !HasNews(engine)) return;
  taken_ = now;
  RewindState newest{.state = engine.CaptureWithoutEvents(), .safe = {}};
  {
    const MutexLock lock(mutex_);
    newest.safe = safe_;
  }
  const Status written = WriteRewindState(folder_, newest.state, newest.safe, keys);
  failure_.reset();
  ForgetWhatIsGone();
  told_ = newest.safe;
  if (!written) {
    failure_ = written.error().message;
    return;
  }
  Collect(newest);
  kept_.push_back(
      {newest.state.journal, std::move(newest.state.partitions), journal_.figures().bytes});
  if (has_strays_) RemoveStrays();
}

void RewindJournal::Collect(const RewindState& newest) {
  if (newest.safe.positions.empty()) return;
  std::size_t old = 0;
  for (std::size_t i = kept_.size(); i > 0 && old == 0; --i) {
    if (ReachesBack(kept_[i - 1].partitions, newest)) old = i - 1;
  }
  if (old == 0) return;
  kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(old));
  has_strays_ = true;
  journal_.Collect(kept_.front().number);
}

Result<RewindFindings> VerifyRewindJournal(const Folder& folder) {
  const Result<std::vector<std::uint64_t>> numbers = NumbersIn(folder, RewindStateNumber);
  if (!numbers) return numbers.error();
  RewindFindings findings;
  std::optional<std::uint64_t> oldest;
  for (const std::uint64_t number : numbers.value()) {
    const auto look = [&](std::string_view, std::uint64_t bytes) -> Result<std::uint64_t> {
      findings.bytes += bytes;
      return std::uint64_t{0};
    };
    static_cast<void>(folder.ReadWanted(RewindStateName(number), look).ok());
    ++findings.states;
    const Result<RewindState> state = ReadRewindState(folder, number, std::nullopt);
    if (!state) {
      findings.faults.push_back(state.error().message);
    } else if (!oldest) {
      oldest = number;
    }
  }
  if (!oldest) return findings;
  const Result<JournalledRounds> journal = ReadJournal(folder, *oldest);
  if (!journal) return journal.error();
  findings.rounds = journal.value().rounds.size();
  findings.journal_remark = journal.value().remark;
  return findings;
}

}  // namespace sash
