// JournalledEngine: an engine that notes each round before doing it. After a restart it first
// repeats the noted rounds.
//
// Thread safety: Resume() belongs to the owner, before the engine thread; the rest to the engine
// thread.
//
// Invariants
//   (1) For all noted rounds, the windows of each advance equal those of the previous run,
//       independent of clocks and arrival now.
//   (2) While rounds are repeated, the same partitions count as in the previous run. Others join
//       afterwards.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/event_log.h"
#include "windows/durable/journal.h"
#include "windows/slide/round_replay.h"
#include "windows/slide/window_engine.h"

namespace sash {

class JournalledEngine {
 public:
  // All references must outlive the engine. `keys`: the kind of keys of the events. `with_times`:
  // as in Outline().
  struct Surroundings {
    WindowEngine& engine;
    Journal& journal;
    PartitionTable& partitions;
    EventLog& log;
    KeyKind keys = KeyKind::kString;
    bool with_times = false;
    ReadHorizon* horizon = nullptr;  // of the source; null: the source may read ahead without limit
  };
  explicit JournalledEngine(const Surroundings& surroundings) : around_(surroundings) {}

  // The engine has been restored from a state; `rounds` followed that state.
  void Resume(JournalledRounds rounds) { resumed_ = std::move(rounds); }

  // Does one round: with a batch from the source, or only a look at the clock.
  void Do(std::optional<EventBatch> batch);

  // True when the stream has begun, all noted rounds have been repeated, and the engine was not
  // abandoned.
  bool is_live() const { return has_begun_ && !replay_ && !around_.engine.abandoned(); }

  // Whether a state may be taken: an engine that continued from it would come to the same results.
  bool is_settled() const { return is_live() && !around_.engine.awaits_filters(); }

  // Whether a state taken now would differ from the newest one: rounds were noted since then, or
  // windows were added or removed. Time alone is not a change.
  bool has_changed() const;

  // Takes the engine's state. The rounds from here on follow it. REQUIRES: is_live().
  EngineState Capture() { return Follow(around_.engine.Capture()); }
  EngineState CaptureWithoutEvents() { return Follow(around_.engine.CaptureWithoutEvents()); }

 private:
  void Begin(EventBatch& batch);
  void BeginReplay(JournalledRounds rounds, StreamStart start);
  void BeginJournal(std::uint64_t done, Duration shift, const Moment& now);
  void DoAgain();
  void EndReplay();
  void TellHorizon();
  void AssignAsThen(StreamStart& start);
  EventBatch WhatChanged() const;
  void NameJoined(RoundOutline& outline);
  void DoNow(const std::optional<EventBatch>& batch);
  void Pass(const Moment& now);
  EngineState Follow(EngineState state);
  void DoAt(const std::optional<EventBatch>& batch, const Moment& at);

  const Surroundings around_;
  std::optional<JournalledRounds> resumed_;  // until the stream begins
  std::optional<RoundReplay> replay_;
  bool has_begun_ = false;
  std::vector<PartitionIndex> assigned_;
  // First offset of each partition that is read now but was not read when the state was taken.
  std::map<PartitionIndex, std::int64_t> new_;
  std::vector<PartitionIndex> gone_;    // read when the state was taken, but not now
  std::size_t named_ = 0;               // number of partitions that the journal has named
  std::optional<RoundOutline> passed_;  // the newest round, if it was not noted
  struct Taken {
    std::uint64_t rounds = 0;    // noted by the journal
    std::uint64_t commands = 0;  // of the engine
    friend bool operator==(const Taken&, const Taken&) = default;
  };
  Taken Standing() const;
  std::optional<Taken> taken_;  // with the newest state
  Duration shift_{};            // from the time of the rounds to the time of this run
};

}  // namespace sash
