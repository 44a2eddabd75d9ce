// RewindJournal: what `recovery: replay` keeps on disk so that windows which are read again are cut
// where they were, whatever clocks and arrival say now: states without events (RewindState), and
// the rounds since the oldest of them (Journal). Not the events: these are read again.
//
// Of the states as few are kept as are needed: the newest that reaches back behind everything that
// windows still hold, and those after it.
//
// Thread safety: Find() belongs to the owner, before the engine thread; Delivered() to any thread;
// the rest to the engine thread.
//
// Invariants
//   (1) A state is deleted only after a newer one has been written that reaches back far enough.
//   (2) At most about kStates of them are kept, however long the windows are; the farther they lie
//       apart, the more is read again that no window needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/durable/journal.h"
#include "windows/durable/journalled_engine.h"
#include "windows/durable/rewind_state.h"

namespace sash {

// Where an engine can begin.
struct RewindBeginning {
  EngineState state;  // its windows have published what was safe
  JournalledRounds rounds;
  std::map<TopicPartition, std::int64_t> reached;  // by the rounds: the next offset of each
};

class RewindJournal {
 public:
  static constexpr std::size_t kStates = 64;

  RewindJournal(Folder& folder, Duration interval) : folder_(folder), interval_(interval) {}

  // What the life before left, whose partitions enter `partitions`, an empty table. Nothing, when
  // that is no beginning for these windows; `why_not` says why, and is empty when there was no life
  // before. An error when the folder cannot be read.
  Result<std::optional<RewindBeginning>> Find(KeyKind kind, const std::vector<WindowSpec>& windows,
                                              PartitionTable& partitions, std::string& why_not);

  // The engine goes on from what Find() returned, of which these are the rounds; or it begins anew,
  // and what was there is deleted.
  void Resume(const JournalledRounds& rounds) { journal_.Resume(state_, rounds); }
  void BeginAnew();

  // All results up to there are safe. `committed`: of the newest point of which is known that the
  // group's commit is as new; empty: nothing more than before.
  void Delivered(const RewindPoint& point, std::vector<RewindPosition> committed);

  // Between two rounds, while the engine is live: takes a state when one is due.
  void Tend(JournalledEngine& engine, const VertexDictionary& keys, SteadyTime now);

  Journal& journal() { return journal_; }
  // Why the newest state could not be written.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  struct Kept {
    std::uint64_t number = 0;
    std::vector<PartitionState> partitions;
    std::uint64_t bytes_before = 0;  // that the journal had written then, in this life
  };

  bool IsDue(SteadyTime now) const;
  bool HasNews(const JournalledEngine& engine);
  void ForgetWhatDoesNotFollow();
  void Collect(const RewindState& newest);
  void RemoveStrays();

  Folder& folder_;
  const Duration interval_;
  Journal journal_{folder_};
  std::uint64_t state_ = 0;  // that Find() returned
  std::deque<Kept> kept_;    // ascending
  bool has_begun_ = false;
  bool has_strays_ = true;  // perhaps: states that are not kept
  std::optional<SteadyTime> taken_;
  RewindPoint told_;  // RewindState::safe of the newest
  std::optional<std::string> failure_;

  Mutex mutex_;
  // What is published safely, and where that leaves the commit: states reach back to there, since
  // a commit that is on its way dies with the process.
  RewindPoint safe_ SASH_GUARDED_BY(mutex_);
};

// Reads every byte that is there, for people.
struct RewindFindings {
  std::vector<std::string> faults;
  std::uint64_t states = 0;
  std::uint64_t bytes = 0;
  std::uint64_t rounds = 0;  // that follow the oldest state
  std::string journal_remark;
};
Result<RewindFindings> VerifyRewindJournal(const Folder& folder);

}  // namespace sash
