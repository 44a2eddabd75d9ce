// JournalledEngine: an engine whose rounds are noted before it does them, and which first does
// those again that were noted before.
//
// Thread safety: Resume() belongs to the owner, before the engine thread; the rest to the engine
// thread.
//
// Invariants
//   (1) Advance by advance the windows are what they were in the life before, as far as that had
//       noted them: whatever clocks and arrival say now.
//   (2) While rounds are done again those partitions count that did then. Others join behind them.
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
  // All outlive it. `keys`: of the events. `with_times`: Outline().
  struct Surroundings {
    WindowEngine& engine;
    Journal& journal;
    PartitionTable& partitions;
    EventLog& log;
    KeyKind keys = KeyKind::kString;
    bool with_times = false;
    ReadHorizon* horizon = nullptr;  // of the source; none: it may read ahead as far as it likes
  };
  explicit JournalledEngine(const Surroundings& surroundings) : around_(surroundings) {}

  // The engine has been restored from a state, and these rounds followed it.
  void Resume(JournalledRounds rounds) { resumed_ = std::move(rounds); }

  // A round: of what the source read, or nothing.
  void Do(std::optional<EventBatch> batch);

  // The stream has begun, no round is left to be done again, and none was cut short.
  bool is_live() const { return has_begun_ && !replay_ && !around_.engine.abandoned(); }

  // Whether a state that is taken now says more than the newest one: rounds were noted since, or
  // windows have come or gone. While nothing but time passes it does not.
  bool has_changed() const;

  // The engine's state, which the rounds from here on follow. While it is live.
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
  // Of partitions that are read now and were not when the state was taken, the first offset.
  std::map<PartitionIndex, std::int64_t> new_;
  std::vector<PartitionIndex> gone_;  // that were read then, and are not now
  std::size_t named_ = 0;             // partitions, by the journal
  std::optional<RoundOutline> passed_;  // the newest round, when it was not noted
  struct Taken {
    std::uint64_t rounds = 0;    // that the journal had noted
    std::uint64_t commands = 0;  // of the engine
    friend bool operator==(const Taken&, const Taken&) = default;
  };
  Taken Standing() const;
  std::optional<Taken> taken_;  // with the newest state
  Duration shift_{};            // from the time of the rounds to that of this life
};

}  // namespace sash
