#include "windows/durable/journalled_engine.h"

#include <algorithm>
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
  // The stream has not begun. The clock decides, except in a resumed engine: its rounds say when
  // the clock decided.
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
  BeginJournal(0, {}, now);
  around_.engine.Process(first, now);
}

void JournalledEngine::BeginJournal(std::uint64_t done, Duration shift, const Moment& now) {
  std::vector<TopicPartition> partitions = around_.partitions.All();
  named_ = partitions.size();
  around_.journal.Begin(done, shift, now, std::move(partitions));
}

// Partitions that have come or gone since the state would change when windows close. So they are
// taken out, or added back, until the rounds have been repeated.
void JournalledEngine::AssignAsThen(StreamStart& start) {
  std::map<PartitionIndex, std::int64_t> begins;
  for (const RewindPosition& position : start.resumed.positions) {
    begins[position.partition] = position.offset;
  }
  for (const PartitionIndex partition : start.partitions) {
    if (!around_.engine.IsRead(partition)) new_[partition] = begins[partition];
  }
  std::erase_if(start.partitions,
                [&](PartitionIndex partition) { return new_.contains(partition); });
  const auto count = static_cast<PartitionIndex>(around_.partitions.size());
  for (PartitionIndex partition = 0; partition < count; ++partition) {
    if (!around_.engine.IsRead(partition) ||
        std::ranges::find(start.partitions, partition) != start.partitions.end()) {
      continue;
    }
    gone_.push_back(partition);
    start.partitions.push_back(partition);
  }
}

// The joins and leaves since the state that no round contains.
EventBatch JournalledEngine::WhatChanged() const {
  EventBatch changes;
  for (const PartitionIndex partition : gone_) {
    if (around_.engine.IsRead(partition)) changes.AddMark(Mark::Kind::kLeaves, partition);
  }
  for (const auto& [partition, offset] : new_) {
    if (!around_.engine.IsRead(partition)) {
      changes.AddMark(Mark::Kind::kJoins, partition, offset);
    }
  }
  return changes;
}

void JournalledEngine::BeginReplay(JournalledRounds rounds, StreamStart start) {
  // Rounds name partitions by the indices of their run; translate them to indices of the table.
  std::vector<PartitionIndex> places;
  // Index() returns the existing index of a known pair.
  for (const TopicPartition& pair : rounds.partitions) {
    places.push_back(around_.partitions.Index(pair));
  }
  for (RoundOutline& round : rounds.rounds) {
    for (RoundOutline::Item& item : round.items) item.partition = places[item.partition];
  }
  // Shift all rounds so that the last one is now. So time never goes back afterwards.
  const Moment now = around_.engine.Now();
  const Moment& last = rounds.rounds.empty() ? *rounds.begun : rounds.rounds.back().at;
  shift_ = now.steady - last.steady;
  EventBatch first;
  first.start = std::move(start);
  if (rounds.continues) first.start->stood = rounds.begun->steady + shift_;
  AssignAsThen(*first.start);
  around_.log.Log(
      durable_events::kRoundsAgain,
      "recovery: " + std::to_string(rounds.rounds.size()) + " rounds of the journal are repeated",
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
                    "recovery: the records differ from those in the journal, so clocks and "
                    "arrival decide again: " +
                        *replay_->difference());
  }
  BeginJournal(replay_->handed_out(), shift_, around_.engine.Now());
  std::vector<EventBatch> rest = replay_->TakeRest();
  replay_.reset();
  EventBatch behind = WhatChanged();
  // Whether a partition was at its end then says nothing about now, so all count as behind until
  // the source reports.
  for (const PartitionIndex partition : assigned_) {
    if (around_.engine.IsRead(partition)) behind.AddMark(Mark::Kind::kBehind, partition);
  }
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
  RoundOutline outline = Outline(*batch, now, around_.with_times);
  NameJoined(outline);
  around_.journal.Note(outline);
  DoAt(batch, now);
}

void JournalledEngine::NameJoined(RoundOutline& outline) {
  const auto joins = [](const RoundOutline::Item& item) {
    return item.kind == RoundOutline::ItemKind::kJoins;
  };
  if (std::ranges::none_of(outline.items, joins)) return;
  const std::vector<TopicPartition> all = around_.partitions.All();
  for (; named_ < all.size(); ++named_) outline.named.push_back(all[named_]);
}

// A round in which time passed and nothing was decided is not noted, because the next round
// contains a later time. Exception: when the clock is set back, the skipped round is noted after
// all (DoNow()), because windows have seen its later time.
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

// After a failure, only the next state contains the rounds that could not be noted.
bool JournalledEngine::has_changed() const {
  return taken_ != Standing() || around_.journal.failure();
}

EngineState JournalledEngine::Follow(EngineState state) {
  state.journal = around_.journal.Turn(state.taken);
  taken_ = Standing();
  return state;
}

}  // namespace sash
