// RewindJournal: the files of `recovery: replay`: states without events (RewindState), and the
// rounds since the oldest of them (Journal). With them, windows that are read again are cut as
// before, independent of clocks and arrival now. Events are not stored; they are read again from
// Kafka.
//
// It keeps the newest state that lies before every record that windows still need, and all later
// states.
//
// Thread safety: Find() belongs to the owner, before the engine thread starts; Delivered() to any
// thread; the others to the engine thread.
//
// Invariants
//   (1) A state is deleted only after a newer state has been written that also lies before every
//       needed record.
//   (2) A state or a file of rounds that another process has moved or deleted is reported
//       (failure(), Journal::failure()), and a new state is taken. Older states stay as long as
//       they may be needed.
//   (3) At most about kStates states are kept, however long the windows are. The farther apart they
//       are, the more records are read again that no window needs.
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

// The state and the rounds from which an engine can continue.
struct RewindBeginning {
  EngineState state;  // its windows count as published up to the safe ends
  JournalledRounds rounds;
  std::map<TopicPartition, std::int64_t> reached;  // after the rounds, the next offsets
};

class RewindJournal {
 public:
  static constexpr std::size_t kStates = 64;

  RewindJournal(Folder& folder, Duration interval) : folder_(folder), interval_(interval) {}

  // Returns what the previous run left. Adds its partitions to `partitions`, which must be empty.
  // Returns nothing when these windows cannot continue from it; `why_not` is then the reason, or
  // empty when there was no previous run. An error when the folder cannot be read.
  Result<std::optional<RewindBeginning>> Find(KeyKind kind, const std::vector<WindowSpec>& windows,
                                              PartitionTable& partitions, std::string& why_not);

  // Either the engine continues from the state that Find() returned, and `rounds` are its rounds;
  // or it starts without it, and StartOver() deletes the stored files.
  void Resume(const JournalledRounds& rounds) { journal_.Resume(state_, rounds); }
  void StartOver();

  // All results up to `point` are safe. `committed`: the newest positions that the group's commit
  // is known to have reached; empty: no newer ones than in the last call.
  void Delivered(const RewindPoint& point, std::vector<RewindPosition> committed);

  // Takes a state when one is due. Called between two rounds, while the engine is live.
  void Tend(JournalledEngine& engine, const VertexDictionary& keys, SteadyTime now);

  Journal& journal() { return journal_; }
  // Why the newest state could not be written.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  struct Kept {
    std::uint64_t number = 0;
    std::vector<PartitionState> partitions;
    std::uint64_t bytes_before = 0;  // that the journal had written by then, in this run
  };

  bool IsDue(SteadyTime now) const;
  bool HasNews(const JournalledEngine& engine);
  void ForgetWhatDoesNotFollow();
  void ForgetWhatIsGone();
  void Collect(const RewindState& newest);
  void RemoveStrays();

  Folder& folder_;
  const Duration interval_;
  Journal journal_{folder_};
  std::uint64_t state_ = 0;  // that Find() returned
  std::deque<Kept> kept_;    // ascending
  bool has_begun_ = false;
  bool has_strays_ = true;  // there may be files of states that are not kept
  std::optional<SteadyTime> taken_;
  RewindPoint told_;  // RewindState::safe of the newest
  std::optional<std::string> failure_;

  Mutex mutex_;
  // The results that are safe, with the positions of a commit that the brokers have confirmed.
  // States must lie before those positions, because a commit on its way is lost with the process.
  RewindPoint safe_ SASH_GUARDED_BY(mutex_);
};

// The result of checking every stored byte, for `--verify`.
struct RewindFindings {
  std::vector<std::string> faults;
  std::uint64_t states = 0;
  std::uint64_t bytes = 0;
  std::uint64_t rounds = 0;  // that follow the oldest state
  std::string journal_remark;
};
Result<RewindFindings> VerifyRewindJournal(const Folder& folder);

}  // namespace sash
