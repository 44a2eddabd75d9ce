#include "windows/durable/journalled_engine.h"

#include <utility>

#include "windows/durable/log_events.h"

namespace sash {

void JournalledEngine::Do(std::optional<EventBatch> batch) {
  if (batch && batch->start) Begin(*batch);
  if (replay_) {
    if (batch) replay_->Hold(*std::move(batch));
    return DoAgain();
  }
  if (has_begun_) return DoNow(batch);
  // Nothing has come yet. Of an engine that goes on, the clock decides when it did before.
  if (!resumed_) around_.engine.Tick();
}

void JournalledEngine::Begin(EventBatch& batch) {
  StreamStart start = *std::exchange(batch.start, std::nullopt);
  assigned_ = start.partitions;
  has_begun_ = true;
  JournalledRounds rounds;
  if (resumed_) rounds = *std::exchange(resumed_, std::nullopt);
  if (rounds.begun) return BeginReplay(std::move(rounds), std::move(start));
  EventBatch first;
  first.start = std::move(start);
  const Moment now = around_.engine.Now();
  around_.journal.Begin(0, {}, now, around_.partitions.All());
  around_.engine.Process(first, now);
}

void JournalledEngine::BeginReplay(JournalledRounds rounds, StreamStart start) {
  // Its rounds name partitions by the places that they had.
  std::vector<PartitionIndex> places;
  // The table hands out the place of a pair that it knows.
  for (const TopicPartition& pair : rounds.partitions) {
    places.push_back(around_.partitions.Index(pair.topic, pair.partition));
  }
  for (RoundOutline& round : rounds.rounds) {
    for (RoundOutline::Item& item : round.items) item.partition = places[item.partition];
  }
  // The last round was done just now: so no time goes back afterwards.
  const Moment now = around_.engine.Now();
  const Moment& last = rounds.rounds.empty() ? *rounds.begun : rounds.rounds.back().at;
  shift_ = now.steady - last.steady;
  EventBatch first;
  first.start = std::move(start);
  if (rounds.continues) first.start->stood = rounds.begun->steady + shift_;
  around_.log.Log(durable_events::kRoundsAgain,
                  "recovery: " + std::to_string(rounds.rounds.size()) +
                      " rounds of the journal are done again as they were",
                  {{"rounds", rounds.rounds.size()}});
  around_.engine.Process(first, {rounds.begun->steady + shift_, rounds.begun->wall});
  replay_.emplace(std::move(rounds.rounds), around_.keys, assigned_);
  TellHorizon();
}

void JournalledEngine::DoAgain() {
  while (!around_.engine.abandoned()) {
    const std::optional<RoundReplay::Round> round = replay_->Next();
    if (!round) break;
    DoAt(round->batch, {round->at.steady + shift_, round->at.wall});
    TellHorizon();
  }
  if (replay_->done() && !around_.engine.abandoned()) EndReplay();
}

void JournalledEngine::TellHorizon() {
  if (around_.horizon != nullptr && replay_->TakeGrowth()) around_.horizon->Want(replay_->wanted());
}

void JournalledEngine::EndReplay() {
  if (around_.horizon != nullptr) around_.horizon->Clear();
  if (replay_->difference()) {
    around_.log.Log(durable_events::kRecordsDiffer,
                    "recovery: the records are not those of then, so what clocks and arrival "
                    "decide is decided anew: " +
                        *replay_->difference());
  }
  around_.journal.Begin(replay_->handed_out(), shift_, around_.engine.Now(),
                        around_.partitions.All());
  std::vector<EventBatch> rest = replay_->TakeRest();
  replay_.reset();
  // How they stood then says nothing of now. What was read since then tells.
  EventBatch behind;
  for (const PartitionIndex partition : assigned_) behind.AddMark(Mark::Kind::kBehind, partition);
  DoNow(std::move(behind));
  for (EventBatch& batch : rest) {
    if (!around_.engine.abandoned()) DoNow(std::move(batch));
  }
}

void JournalledEngine::DoNow(const std::optional<EventBatch>& batch) {
  const Moment now = batch ? around_.engine.MomentOf(*batch) : around_.engine.Now();
  if (passed_ && now.wall < passed_->at.wall) around_.journal.Note(*passed_);
  passed_.reset();
  if (!batch) return Pass(now);
  around_.journal.Note(Outline(*batch, now, around_.with_times));
  DoAt(batch, now);
}

// Time that only passes is not noted: the next round says how late it is. Unless that is earlier, for a
// clock that was set back, since windows have seen the later time.
void JournalledEngine::Pass(const Moment& now) {
  RoundOutline outline{.at = now, .has_batch = false, .caught_up = false, .items = {}, .times = {}};
  const Decided before = around_.engine.decided();
  around_.journal.Hold(outline);
  DoAt(std::nullopt, now);
  if (around_.engine.decided() != before) return around_.journal.Keep();
  around_.journal.Drop();
  passed_ = std::move(outline);
}

void JournalledEngine::DoAt(const std::optional<EventBatch>& batch, const Moment& at) {
  if (batch) {
    around_.engine.Process(*batch, at);
  } else {
    around_.engine.Tick(at);
  }
}

JournalledEngine::Taken JournalledEngine::Standing() const {
  return {.rounds = around_.journal.figures().rounds, .commands = around_.engine.commands()};
}

// What could not be noted is in the next state alone.
bool JournalledEngine::has_changed() const {
  return taken_ != Standing() || around_.journal.failure();
}

EngineState JournalledEngine::Follow(EngineState state) {
  state.journal = around_.journal.Turn(state.taken);
  taken_ = Standing();
  return state;
}

}  // namespace sash
