#include "connectors/replay/row_intake.h"

#include <algorithm>
#include <utility>

namespace sash {

RowIntake::RowIntake(Surroundings around, FilterSetPtr filters)
    : around_(around),
      filters_(std::move(filters)),
      guard_(around_.spec.ahead_limit, around_.format.keys) {
  for (const FormatSpec& mapping : around_.format.mappings) mappings_.push_back({mapping.name});
}

void RowIntake::Begin() {
  batch_.filters = filters_;
  batch_.start = StreamStart{.partitions = {around_.partition}, .resumed = {}};
  batch_begun_ = around_.clock.Steady();
}

void RowIntake::JudgeBy(FilterSetPtr filters) {
  filters_ = std::move(filters);
  batch_.NumberAs(filters_);
  guard_.held().NumberAs(filters_);
}

void RowIntake::End(bool is_whole, const std::stop_token& stop) {
  batch_.end_of_source = is_whole;
  done_ = is_whole;
  // After a failure too: the events that were read are valid.
  if (!stop.stop_requested() && !batch_.empty()) (void)Flush(stop);
}

bool RowIntake::Take(const Row& row, const std::stop_token& stop) {
  const auto offset = static_cast<std::int64_t>(records_.load(std::memory_order_relaxed));
  RecordPlace place{
      .partition = around_.partition, .offset = offset, .time = {}, .envelope = &envelope_};
  if (around_.format.time_origin != TimeOrigin::kField) place.time = around_.clock.Now();
  records_.fetch_add(1, std::memory_order_relaxed);
  // With a pace, an event waits first for the decision about it, then for its turn.
  if (guard_.waiting() || around_.spec.pace == ReplayPace::kEventTime) {
    EventBatch& held = guard_.held();
    if (held.events().empty()) held.filters = filters_;
    const std::size_t events = held.events().size();
    if (auto refused = DecodeInto(held, row, place)) {
      const bool waits = guard_.waiting();
      Refuse(row, *std::move(refused), offset, waits ? held : batch_,
             waits ? events : batch_.events().size());
    }
    return LetGo(false, stop);
  }
  if (batch_.empty()) batch_begun_ = around_.clock.Steady();
  const std::size_t text_bytes = batch_.text_bytes();
  const std::size_t events = batch_.events().size();
  if (auto refused = DecodeInto(batch_, row, place)) {
    Refuse(row, *std::move(refused), offset, batch_, events);
  }
  const std::size_t end = batch_.events().size();
  if (end > events && !guard_.Passes(batch_.NewestOf(events, end))) {
    for (std::size_t i = events; i < end; ++i)
      guard_.held().AddCopy(batch_, i, around_.format.keys);
    batch_.DropAfter(events, text_bytes);
    in_doubt_ = guard_.events();
  }
  return true;
}

// Moves the decided events into the batch. False when the source must stop before that.
bool RowIntake::LetGo(bool at_end, const std::stop_token& stop) {
  while (guard_.waiting()) {
    const OutlierGuard::Verdict verdict = guard_.Judge(at_end);
    in_doubt_ = guard_.events();
    if (verdict == OutlierGuard::Verdict::kUndecided) return true;
    if (around_.spec.pace == ReplayPace::kEventTime &&
        verdict == OutlierGuard::Verdict::kAccepted && !AwaitTurn(guard_.first_time(), stop)) {
      return false;
    }
    if (batch_.empty()) batch_begun_ = around_.clock.Steady();
    guard_.Pop(verdict, batch_);
  }
  in_doubt_ = 0;
  return true;
}

std::optional<Refused> RowIntake::DecodeInto(EventBatch& batch, const Row& row,
                                             const RecordPlace& place) {
  const std::size_t events = batch.events().size();
  auto refused = around_.files.file().Decode(row, place, batch);
  const std::size_t added = batch.events().size() - events;
  const bool filtered = !refused && (added == 0 || (added == 1 && batch.events().back().filtered));
  if (filtered) filtered_.fetch_add(1, std::memory_order_relaxed);
  return refused;
}

// `into`: the batch that has the row's other events, if there are any: those from `first` on.
void RowIntake::Refuse(Row row, Refused refused, std::int64_t offset, EventBatch& into,
                       std::size_t first) {
  around_.files.file().Explain(row, refused);
  if (around_.files.has_several())
    refused.detail = around_.files.file().Name() + ": " + refused.detail;
  RefusedRecord record;
  record.topic = kTopic;
  record.partition = 0;
  record.offset = offset;
  record.timestamp = around_.clock.Now();
  record.reason = refused.reason;
  record.detail = refused.detail;
  record.stage = "decode";
  record.payload = row.text;
  record.places = refused.places;
  around_.refusals.Refuse(record);
  if (!guard_.waiting() && batch_.empty()) batch_begun_ = around_.clock.Steady();
  into.AddRefused(std::max<std::size_t>(refused.places.size(), 1), around_.partition, offset,
                  first);
}

// Pushes all earlier events, then waits until an event of this time is due.
bool RowIntake::AwaitTurn(EventTime time, const std::stop_token& stop) {
  const SteadyTime due = pace_.DueOf(time, around_.clock.Steady());
  if (around_.clock.Steady() >= due) return true;
  if (!batch_.empty() && !Flush(stop)) return false;
  while (around_.clock.Steady() < due && !stop.stop_requested() && !around_.queue.closed()) {
    // In steps: the clock may run at another speed than real time.
    const auto step = std::min<Duration>(due - around_.clock.Steady(), kFlushAfter);
    SleepFor(stop, step);
  }
  return !stop.stop_requested() && !around_.queue.closed();
}

// False when the source must stop before there is room in the queue.
bool RowIntake::Flush(const std::stop_token& stop) {
  const DecodeCounts counts = around_.files.counts();
  doubtful_times_ = counts.doubtful_times;
  replaced_weights_ = counts.replaced_weights;
  truncations_ = counts.truncations;
  filter_failures_ = counts.filter_failures;
  if (!around_.format.mappings.empty()) {
    std::vector<MappingCount> mappings = around_.files.mapping_counts();
    const MutexLock lock(mutex_);
    mappings_ = std::move(mappings);
  }
  return around_.reading.Push(batch_, stop);
}

void RowIntake::AddTo(SourceStatus& status) const {
  status.records = records_;
  status.filtered = filtered_;
  const auto position = static_cast<std::int64_t>(status.records);
  status.partitions.push_back({kTopic, 0, position, std::nullopt, false});
  if (done_) status.partitions.front().end = position;
  status.partitions.front().held_ahead = in_doubt_;
  status.incidents = {{"doubtful_times", doubtful_times_},
                      {"replaced_weights", replaced_weights_},
                      {"truncations", truncations_},
                      {"filter_failures", filter_failures_}};
  const MutexLock lock(mutex_);
  status.mappings = mappings_;
}

}  // namespace sash
