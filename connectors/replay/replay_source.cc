#include "connectors/replay/replay_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "connectors/replay/replay_files.h"

namespace sash {

ReplaySource::ReplaySource(ReplaySpec spec, FormatSpec format, PartitionTable& partitions,
                           BatchQueue& queue, RefusalSink& refusals, const Clock& clock,
                           const StreamProgress& progress,
                           std::chrono::milliseconds header_patience)
    : spec_(std::move(spec)),
      first_format_(std::move(format)),
      clock_(clock),
      header_patience_(header_patience),
      format_(first_format_),
      files_(format_),
      intake_({.spec = spec_,
               .format = format_,
               .files = files_,
               .queue = queue,
               .refusals = refusals,
               .clock = clock,
               .reading = reading_,
               .partition = partitions.Index(RowIntake::kTopic, 0)},
              std::make_shared<const FilterSet>(FilterSet{0, first_format_.window_filters})),
      reading_(queue, progress) {}

Status ReplaySource::Start() {
  if (Status opened = files_.Open(spec_.paths); !opened.ok()) return opened;
  Status ready = HasHeader(format_) ? AwaitHeader() : TakeHeader();
  if (!ready.ok()) return ready;
  intake_.Begin();
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
  status.bytes = bytes_;
  intake_.AddTo(status);
  reading_.AddTo(status);
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
  format_.JudgeBy(next->filters->texts);
  intake_.JudgeBy(next->filters);
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
  if (!stop.stop_requested() && !intake_.Decide(stop)) progress = Progress::kStopped;
  intake_.End(progress == Progress::kEnd, stop);
}

// Reads one block and decodes it; pushes the batch if it has waited long enough.
ReplaySource::Progress ReplaySource::ReadOn(const std::stop_token& stop) {
  const SteadyTime due = intake_.due();
  std::chrono::milliseconds patience(-1);
  if (intake_.has_batch()) {
    patience = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(due - clock_.Steady()),
                          std::chrono::milliseconds(0), RowIntake::kFlushAfter);
  }
  const InputFile::Outcome outcome = ReadBlock(patience);
  if (outcome == InputFile::Outcome::kInterrupted || outcome == InputFile::Outcome::kFailed) {
    return Progress::kStopped;
  }
  if (!DecodeRows(stop)) return Progress::kStopped;
  if (files_.file().has_ended()) return EndFile(stop);
  const bool waited = outcome == InputFile::Outcome::kNothingYet || clock_.Steady() >= due;
  if (intake_.has_batch() && waited && !intake_.Flush(stop)) return Progress::kStopped;
  return Progress::kGoOn;
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
    if (!intake_.Take(*row, stop)) return false;
    if (intake_.is_full() && (!intake_.Flush(stop) || !JudgeByNext())) return false;
    // An event waits long for its turn.
    if (spec_.pace == ReplayPace::kEventTime && !JudgeByNext()) return false;
  }
  return true;
}

}  // namespace sash
