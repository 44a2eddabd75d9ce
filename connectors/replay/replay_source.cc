#include "connectors/replay/replay_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "connectors/replay/replay_files.h"

namespace sash {
namespace {

constexpr const char* kTopic = "replay";

}  // namespace

ReplaySource::ReplaySource(ReplaySpec spec, FormatSpec format, PartitionTable& partitions,
                           BatchQueue& queue, RefusalSink& refusals, const Clock& clock,
                           const StreamProgress& progress,
                           std::chrono::milliseconds header_patience)
    : spec_(std::move(spec)),
      first_format_(std::move(format)),
      queue_(queue),
      refusals_(refusals),
      clock_(clock),
      header_patience_(header_patience),
      partition_(partitions.Index(kTopic, 0)),
      format_(first_format_),
      filters_(std::make_shared<const FilterSet>(FilterSet{0, first_format_.window_filters})),
      files_(format_),
      guard_(spec_.ahead_limit, format_.keys),
      reading_(queue, progress) {
  for (const FormatSpec& mapping : format_.mappings) mappings_.push_back({mapping.name});
}

Status ReplaySource::Start() {
  if (Status opened = files_.Open(spec_.paths); !opened.ok()) return opened;
  Status ready = HasHeader(format_) ? AwaitHeader() : TakeHeader();
  if (!ready.ok()) return ready;
  batch_.filters = filters_;
  batch_.start = StreamStart{.partitions = {partition_}, .resumed = {}};
  batch_begun_ = clock_.Steady();
  reading_.Start("replay source", [this](const std::stop_token& stop) { Run(stop); });
  return Ok{};
}

void ReplaySource::Stop() {
  reading_.Stop([this] { files_.Interrupt(); });
}

// After the last row of a file. An earlier Stop() has interrupted only the file before.
ReplaySource::Progress ReplaySource::EndFile(const std::stop_token& stop) {
  Result<bool> opened = files_.OpenNext();
  if (!opened.ok()) {
    reading_.Fail(std::move(opened).error().message);
    return Progress::kStopped;
  }
  if (!opened.value()) return Progress::kEnd;
  return stop.stop_requested() ? Progress::kStopped : Progress::kGoOn;
}

SourceStatus ReplaySource::status() const {
  SourceStatus status;
  status.kind = "replay";
  status.address = spec_.paths.size() == 1 ? spec_.paths.front() : NameOf(spec_.paths);
  status.records = records_;
  status.filtered = filtered_;
  status.bytes = bytes_;
  const auto position = static_cast<std::int64_t>(status.records);
  status.partitions.push_back({kTopic, 0, position, std::nullopt, false});
  if (done_) status.partitions.front().end = position;
  status.partitions.front().held_ahead = in_doubt_;
  status.incidents = {{"doubtful_times", doubtful_times_},
                      {"replaced_weights", replaced_weights_},
                      {"truncations", truncations_},
                      {"filter_failures", filter_failures_}};
  reading_.AddTo(status);
  const MutexLock lock(mutex_);
  status.mappings = mappings_;
  return status;
}

// Reads until the header has come, the input ends, or header_patience_ has passed. In the last case
// the reading thread reads the header.
Status ReplaySource::AwaitHeader() {
  const auto deadline = std::chrono::steady_clock::now() + header_patience_;
  while (!files_.file().is_ready()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto patience = std::max(left, std::chrono::milliseconds(0));
    const InputFile::Outcome outcome = ReadBlock(patience);
    if (outcome == InputFile::Outcome::kFailed) {
      return Error{ErrorCode::kInvalidArgument, reading_.failure()};
    }
    if (outcome == InputFile::Outcome::kNothingYet && left.count() <= 0) return Ok{};
    Status taken = TakeHeader();
    if (!taken.ok() || files_.file().has_ended()) return taken;
  }
  return Ok{};
}

Status ReplaySource::TakeHeader() {
  Status taken = files_.TakeHeader();
  if (taken.ok() && files_.file().is_ready()) {
    const MutexLock lock(mutex_);
    header_ = files_.file().header();
  }
  return taken;
}

Result<Source::Switch> ReplaySource::PrepareFilters(FilterSetPtr filters) {
  FormatSpec format = first_format_;
  format.JudgeBy(filters->texts);
  std::optional<std::string> header;
  {
    const MutexLock lock(mutex_);
    header = header_;
  }
  if (!header) {
    return Error{ErrorCode::kUnavailable,
                 "the header of the file has not been read yet, so it is not known whether it has "
                 "the columns of the filter; try again"};
  }
  if (auto made = MakeDecoder(format, *header); !made.ok()) return std::move(made).error();
  auto judging = std::make_shared<Judging>();
  judging->filters = std::move(filters);
  return Switch([this, judging] { next_judging_.Give(judging); });
}

// Judges by the newest filters that were given from here on. False when it fails: the header of
// this file is not that of the file when they were given.
bool ReplaySource::JudgeByNext() {
  const std::shared_ptr<Judging> next = next_judging_.Take();
  if (next == nullptr) return true;
  filters_ = next->filters;
  format_.JudgeBy(filters_->texts);
  batch_.NumberAs(filters_);
  guard_.held().NumberAs(filters_);
  if (!files_.file().is_ready()) return true;
  const Status made = files_.RemakeDecoder();
  if (!made.ok()) reading_.Fail(made.error().message);
  return made.ok();
}

InputFile::Outcome ReplaySource::ReadBlock(std::chrono::milliseconds patience) {
  InputFile::Reading reading = files_.file().Read(patience);
  if (reading.outcome == InputFile::Outcome::kFailed) reading_.Fail(std::move(reading.why));
  bytes_ += reading.bytes;
  return reading.outcome;
}

void ReplaySource::Run(const std::stop_token& stop) {
  Progress progress = DecodeRows(stop) ? Progress::kGoOn : Progress::kStopped;
  if (progress == Progress::kGoOn && files_.file().has_ended()) progress = EndFile(stop);
  while (progress == Progress::kGoOn) progress = ReadOn(stop);
  if (!stop.stop_requested() && !LetGo(true, stop)) progress = Progress::kStopped;
  batch_.end_of_source = progress == Progress::kEnd;
  done_ = batch_.end_of_source;
  if (!stop.stop_requested() && !batch_.empty())
    Flush(stop);  // after a failure too: the events that were read are valid
}

// Reads one block and decodes it; pushes the batch if it has waited long enough.
ReplaySource::Progress ReplaySource::ReadOn(const std::stop_token& stop) {
  const SteadyTime due = batch_begun_ + kFlushAfter;
  std::chrono::milliseconds patience(-1);
  if (!batch_.empty()) {
    patience = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(due - clock_.Steady()),
                          std::chrono::milliseconds(0), kFlushAfter);
  }
  const InputFile::Outcome outcome = ReadBlock(patience);
  if (outcome == InputFile::Outcome::kInterrupted || outcome == InputFile::Outcome::kFailed) {
    return Progress::kStopped;
  }
  if (!DecodeRows(stop)) return Progress::kStopped;
  if (files_.file().has_ended()) return EndFile(stop);
  const bool waited = outcome == InputFile::Outcome::kNothingYet || clock_.Steady() >= due;
  return !batch_.empty() && waited && !Flush(stop) ? Progress::kStopped : Progress::kGoOn;
}

// False when the source must stop: it was asked to, or it failed.
bool ReplaySource::DecodeRows(const std::stop_token& stop) {
  if (!JudgeByNext()) return false;
  if (!files_.file().is_ready()) {
    const Status taken = TakeHeader();
    if (!taken.ok()) reading_.Fail(taken.error().message);
    if (!files_.file().is_ready()) return taken.ok();
  }
  while (const std::optional<Row> row = files_.file().Next()) {
    if (!DecodeRow(*row, stop)) return false;
    if (batch_.events().size() >= kBatchEvents || batch_.bytes() >= kBatchBytes) {
      if (!Flush(stop) || !JudgeByNext()) return false;
    }
    // An event waits long for its turn.
    if (spec_.pace == ReplayPace::kEventTime && !JudgeByNext()) return false;
  }
  return true;
}

bool ReplaySource::DecodeRow(const Row& row, const std::stop_token& stop) {
  const auto offset = static_cast<std::int64_t>(records_.load(std::memory_order_relaxed));
  RecordPlace place{.partition = partition_, .offset = offset, .time = {}, .envelope = &envelope_};
  if (format_.time_origin != TimeOrigin::kField) place.time = clock_.Now();
  records_.fetch_add(1, std::memory_order_relaxed);
  // With a pace, an event waits first for the decision about it, then for its turn.
  if (guard_.waiting() || spec_.pace == ReplayPace::kEventTime) {
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
  if (batch_.empty()) batch_begun_ = clock_.Steady();
  const std::size_t text_bytes = batch_.text_bytes();
  const std::size_t events = batch_.events().size();
  if (auto refused = DecodeInto(batch_, row, place)) {
    Refuse(row, *std::move(refused), offset, batch_, events);
  }
  const std::size_t end = batch_.events().size();
  if (end > events && !guard_.Passes(batch_.NewestOf(events, end))) {
    for (std::size_t i = events; i < end; ++i) guard_.held().AddCopy(batch_, i, format_.keys);
    batch_.DropAfter(events, text_bytes);
    in_doubt_ = guard_.events();
  }
  return true;
}

// Moves the decided events into the batch. False when the source must stop before that.
bool ReplaySource::LetGo(bool at_end, const std::stop_token& stop) {
  while (guard_.waiting()) {
    const OutlierGuard::Verdict verdict = guard_.Judge(at_end);
    in_doubt_ = guard_.events();
    if (verdict == OutlierGuard::Verdict::kUndecided) return true;
    if (spec_.pace == ReplayPace::kEventTime && verdict == OutlierGuard::Verdict::kAccepted &&
        !AwaitTurn(guard_.first_time(), stop)) {
      return false;
    }
    if (batch_.empty()) batch_begun_ = clock_.Steady();
    guard_.Pop(verdict, batch_);
  }
  in_doubt_ = 0;
  return true;
}

std::optional<Refused> ReplaySource::DecodeInto(EventBatch& batch, const Row& row,
                                                const RecordPlace& place) {
  const std::size_t events = batch.events().size();
  auto refused = files_.file().Decode(row, place, batch);
  const std::size_t added = batch.events().size() - events;
  const bool filtered = !refused && (added == 0 || (added == 1 && batch.events().back().filtered));
  if (filtered) filtered_.fetch_add(1, std::memory_order_relaxed);
  return refused;
}

// `into`: the batch that has the row's other events, if there are any: those from `first` on.
void ReplaySource::Refuse(Row row, Refused refused, std::int64_t offset, EventBatch& into,
                          std::size_t first) {
  files_.file().Explain(row, refused);
  if (files_.has_several()) refused.detail = files_.file().Name() + ": " + refused.detail;
  RefusedRecord record;
  record.topic = kTopic;
  record.partition = 0;
  record.offset = offset;
  record.timestamp = clock_.Now();
  record.reason = refused.reason;
  record.detail = refused.detail;
  record.stage = "decode";
  record.payload = row.text;
  record.places = refused.places;
  refusals_.Refuse(record);
  if (!guard_.waiting() && batch_.empty()) batch_begun_ = clock_.Steady();
  into.AddRefused(std::max<std::size_t>(refused.places.size(), 1), partition_, offset, first);
}

// Pushes all earlier events, then waits until an event of this time is due.
bool ReplaySource::AwaitTurn(EventTime time, const std::stop_token& stop) {
  const SteadyTime due = pace_.DueOf(time, clock_.Steady());
  if (clock_.Steady() >= due) return true;
  if (!batch_.empty() && !Flush(stop)) return false;
  while (clock_.Steady() < due && !stop.stop_requested() && !queue_.closed()) {
    // In steps: the clock may run at another speed than real time.
    const auto step = std::min<Duration>(due - clock_.Steady(), kFlushAfter);
    SleepFor(stop, step);
  }
  return !stop.stop_requested() && !queue_.closed();
}

// False when the source must stop before there is room in the queue.
bool ReplaySource::Flush(const std::stop_token& stop) {
  const DecodeCounts counts = files_.counts();
  doubtful_times_ = counts.doubtful_times;
  replaced_weights_ = counts.replaced_weights;
  truncations_ = counts.truncations;
  filter_failures_ = counts.filter_failures;
  if (!format_.mappings.empty()) {
    std::vector<MappingCount> mappings = files_.mapping_counts();
    const MutexLock lock(mutex_);
    mappings_ = std::move(mappings);
  }
  return reading_.Push(batch_, stop);
}

}  // namespace sash
