#include "connectors/sinks/file_sink.h"

#include <fmt/format.h>

#include <chrono>
#include <set>

#include "connectors/sinks/file_lines.h"
#include "connectors/sinks/log_events.h"
#include "connectors/sinks/result_checksum.h"
#include "connectors/sinks/written_results.h"

namespace sash {
namespace {

constexpr std::string_view kAttempt = "file sink";
constexpr int kMostMoves = 100;                  // within one Flush()
constexpr std::size_t kMostMovedNames = 10'000;  // for each job and window

}  // namespace

Result<std::unique_ptr<FileSink>> FileSink::Open(const FileSinkSpec& spec,
                                                 const VertexDictionary& keys, bool replay,
                                                 EventLog& log, std::size_t backlog_bytes) {
  Result<AppendFile> file = AppendFile::Open(spec.path);
  if (!file) return std::move(file).error().Within(kAttempt);
  // A replay may wait without limit for the reader of a pipe.
  if (replay) file.value().SetPatience(std::chrono::milliseconds(-1));
  std::unique_ptr<FileSink> sink;
  if (file.value().regular()) {
    Result<FileTrail> trail = FileTrail::Read(spec.path);
    if (!trail) return std::move(trail).error().Within(kAttempt);
    if (replay) {
      Status empty = EmptyIfOurs(file.value(), HeadOfTornLine(LinesOf(spec), WrittenResults()),
                                 BeginsLikeResults);
      if (!empty) return std::move(empty).error().Within(kAttempt);
      trail.value().Remove();
    }
    sink.reset(new FileSink(spec, keys, log, std::move(file).value(), replay, backlog_bytes));
    if (replay) return sink;
    const MutexLock lock(sink->mutex_);
    sink->trail_ = std::move(trail).value();
    if (Status resumed = sink->Resume(); !resumed) {
      return std::move(resumed).error().Within(kAttempt);
    }
    return sink;
  }
  sink.reset(new FileSink(spec, keys, log, std::move(file).value(), replay, backlog_bytes));
  return sink;
}

Status FileSink::Resume() {
  AppendFile file = lines_.TakeFile(lines_.end());
  Result<WrittenResults> written = TakeOver(file, LinesOf(spec_), log_);
  if (!written) return std::move(written).error();
  held_ = std::move(written.value().held);
  confirmed_size_ = file.size();
  for (const std::string& name : trail_->moved()) {
    if (const auto result = IdentityOfKey(name)) moved_.Add(*result);
  }
  if (trail_->file() && *trail_->file() != file.mark()) ResumeFromMoved(*trail_->file());
  lines_ = DurableLines(std::move(file), std::move(written.value().header));
  KeepTrail();
  return Ok{};
}

// Handles a file that was moved away before this process began, or whose process was killed before
// it could record the results in it.
void FileSink::ResumeFromMoved(const FileMark& last) {
  const std::optional<std::string> place = FindMoved(spec_.path, last);
  if (!place) {
    log_.Log(
        sink_events::kFileDeleted,
        fmt::format("file sink: the file that was {} is gone; its results that no commit covers "
                    "are written again",
                    spec_.path),
        {{"path", spec_.path}});
    return;
  }
  Result<AppendFile> file = AppendFile::Open(*place);
  if (file.ok() && file.value().regular()) {
    if (auto written = TakeOver(file.value(), LinesOf(spec_), log_)) {
      moved_.Add(written.value().held);
    }
  }
  log_.Log(sink_events::kFileMoved,
           fmt::format("file sink: {} was moved to {}; the results in it are not written again",
                       spec_.path, *place),
           {{"path", spec_.path}});
}

void FileSink::KeepTrail() {
  if (!trail_) return;
  std::set<std::string> names;
  for (const ResultIdentity& result : moved_.Newest(kMostMovedNames)) {
    names.insert(ResultKey(result));
  }
  Status kept = trail_->Follow(lines_.file().mark(), std::move(names));
  if (kept.ok()) return;
  log_.Log(
      sink_events::kTrailFailed,
      fmt::format("file sink: {}: if the file is moved away and the process then ends, results "
                  "may be written twice: {}",
                  spec_.path, kept.error().message),
      {{"path", spec_.path}});
}

std::optional<UnacknowledgedResults::Where> FileSink::PlaceOf(const ResultIdentity& result) {
  using Where = UnacknowledgedResults::Where;
  if (moved_.Holds(result)) return Where::kElsewhere;
  if (!held_.Admit(result)) return Where::kInFile;
  return std::nullopt;
}

void FileSink::Deliver(const CompletedRun& run) {
  const MutexLock lock(mutex_);
  static_cast<void>(Take(run));
}

// Whether a result may be taken for which no commit waits.
bool FileSink::HasRoom() {
  // Where no advance completes, nobody else makes the lines durable.
  if (lines_.kept_bytes() > backlog_bytes_ / 2) static_cast<void>(MakeDurable());
  return lines_.kept_bytes() <= backlog_bytes_ / 2;
}

bool FileSink::DeliverPartial(const CompletedRun& run) {
  if (!spec_.partial) return true;
  const MutexLock lock(mutex_);
  if (!HasRoom()) return !chosen_.Wants(run.result->job);
  static_cast<void>(Take(run));
  return true;
}

void FileSink::DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& told) {
  std::optional<PastDelivery> past = chosen_.PlanPast(run.result->job, "file:" + spec_.path);
  if (!past) return;
  if (past->state != PastDelivery::State::kLeftOut) {
    const MutexLock lock(mutex_);
    if (!HasRoom()) {
      past->state = PastDelivery::State::kFailed;
      past->why = "too many lines wait in memory until the file can be written";
    } else if (past->state = Take(run); past->state == PastDelivery::State::kLeftOut) {
      past->why = "the result has no rows";
    } else if (const Status durable = MakeDurable(); !durable) {
      past->state = PastDelivery::State::kFailed;
      past->why = durable.error().message + "; it waits in memory";
    }
    written_total_ = written_before_ + lines_.written();
  }
  told.push_back(*std::move(past));
}

PastDelivery::State FileSink::Take(const CompletedRun& run) {
  const ResultIdentity result = IdentityOf(*run.result);
  std::optional<UnacknowledgedResults::Where> place;
  std::optional<std::string> lines = LinesFor(run, [&]() SASH_REQUIRES(mutex_) {
    place = PlaceOf(result);
    return !place;
  });
  if (place) {
    ++repeated_;
    if (lines_.file().regular()) unacknowledged_.Add(run.advance->number, result, "", *place);
  }
  if (lines) {
    Write(run.advance->number, result, *std::move(lines));
    return PastDelivery::State::kWritten;
  }
  return place ? PastDelivery::State::kAlreadyThere : PastDelivery::State::kLeftOut;
}

std::optional<std::string> FileSink::LinesFor(const CompletedRun& run,
                                              const std::function<bool()>& admits) const {
  std::optional<std::string> text = chosen_.TextOf(run, admits);
  if (text) return Line(*std::move(text));
  const std::optional<RowList> rows = chosen_.RowsOf(run, admits);
  if (!rows) return std::nullopt;
  if (!spec_.checksum) return RowLines(*rows, spec_.format);
  std::string lines;
  for (std::size_t i = 0; i < rows->rows; ++i) lines += Line(RowText(*rows, i));
  return lines;
}

std::string FileSink::Line(std::string json) const {
  return (spec_.checksum ? WithChecksum(std::move(json)) : std::move(json)) + '\n';
}

// Rows of CSV have a header in front of them. Names of columns have no line ends.
std::size_t FileSink::HeaderBytes(std::string_view lines) const {
  return LinesOf(spec_) == ResultLines::kCsvRows ? lines.find('\n') + 1 : 0;
}

void FileSink::Notify(std::uint64_t advance, const AlertMessage& alert) {
  const MutexLock lock(mutex_);
  if (alert.is_test) return Write(advance, alert.identity, Line(alert.json));
  const std::optional<UnacknowledgedResults::Where> place = PlaceOf(alert.identity);
  if (!place) return Write(advance, alert.identity, Line(alert.json));
  ++repeated_;
  if (lines_.file().regular()) unacknowledged_.Add(advance, alert.identity, "", *place);
}

void FileSink::Write(std::uint64_t advance, const ResultIdentity& result, std::string lines) {
  const bool regular = lines_.file().regular();
  if (regular) unacknowledged_.Add(advance, result, lines, UnacknowledgedResults::Where::kWaiting);
  const std::size_t header_bytes = HeaderBytes(lines);
  lines_.Add(std::move(lines), header_bytes);
  // An error here is not lost: Flush() tries again and returns it.
  static_cast<void>(lines_.kept_bytes() > backlog_bytes_ ? MakeDurable() : lines_.Write());
  while (lines_.kept_bytes() > backlog_bytes_) {
    const std::size_t oldest = unacknowledged_.waiting() - lines_.unwritten();
    if (!lines_.DropOldest()) break;
    if (regular) unacknowledged_.Drop(oldest);
    ++dropped_;
  }
  written_total_ = written_before_ + lines_.written();
}

Status FileSink::Flush() {
  const MutexLock lock(mutex_);
  Status durable = MakeDurable();
  written_total_ = written_before_ + lines_.written();
  if (!durable) return std::move(durable).error().Within(kAttempt);
  if (dropped_ > 0) {
    return Error{ErrorCode::kOverloaded,
                 fmt::format("file sink: {}: {} results did not fit into memory while it could not "
                             "be written; a restart writes them",
                             spec_.path, dropped_.load())};
  }
  return Ok{};
}

bool FileSink::IsThere() const {
  return lines_.file().place() == FilePlace::kThere && !lines_.is_cut();
}

Status FileSink::MakeDurable() {
  for (int moves = 0; moves < kMostMoves; ++moves) {
    if (!IsThere()) {
      if (Status followed = FollowFile(); !followed) return followed;
    }
    if (Status synced = lines_.Sync(); !synced) return synced;
    // If the file was moved or deleted meanwhile, the lines went to the wrong file: write again.
    if (!IsThere()) continue;
    confirmed_size_ = lines_.file().size();
    unacknowledged_.Confirm();
    return Ok{};
  }
  return Error{ErrorCode::kUnavailable,
               fmt::format("{}: was moved or deleted repeatedly", spec_.path)};
}

Status FileSink::FollowFile() {
  const FilePlace place = lines_.file().place();
  const bool cut = place == FilePlace::kThere;
  std::optional<AppendFile> next;
  std::string header;
  if (!cut) {
    Result<AppendFile> opened = AppendFile::Open(spec_.path);
    if (!opened) return std::move(opened).error();
    next = std::move(opened).value();
    if (!next->regular()) {
      return Error{ErrorCode::kUnavailable,
                   fmt::format("{}: is not a regular file any more", spec_.path)};
    }
    Result<WrittenResults> written = TakeOver(*next, LinesOf(spec_), log_);
    if (!written) return std::move(written).error();
    header = std::move(written.value().header);
    // The results of earlier processes in it that the stream has not passed yet.
    if (place == FilePlace::kMoved) moved_.Add(held_);
    held_ = std::move(written.value().held);
  }
  written_before_ += lines_.written();
  if (place == FilePlace::kMoved) {
    static_cast<void>(lines_.TakeFile(confirmed_size_));
    unacknowledged_.MoveAway([&](const ResultIdentity& result)
                                 SASH_REQUIRES(mutex_) { moved_.Add(result); });
    log_.Log(sink_events::kFileMoved,
             fmt::format("file sink: {} was moved away; a new file is begun", spec_.path),
             {{"path", spec_.path}});
  } else {
    if (cut) {
      // Lines that are written but not durable may be after the cut; they are written again.
      next = lines_.TakeFile(lines_.size_before_written());
      Result<WrittenResults> written = TakeOver(*next, LinesOf(spec_), log_);
      held_ = written.ok() ? std::move(written.value().held) : HeldResults();
      if (written) header = std::move(written.value().header);
    }
    const std::uint64_t lost = unacknowledged_.Lose(
        [&](const ResultIdentity& result) SASH_REQUIRES(mutex_) { return held_.Holds(result); });
    dropped_ += lost;
    log_.Log(
        cut ? sink_events::kFileCut : sink_events::kFileDeleted,
        fmt::format("file sink: {} was {} by another process; results that no commit covers are "
                    "written again: {}{}",
                    spec_.path, cut ? "cut" : "deleted", unacknowledged_.waiting(),
                    lost > 0 ? fmt::format(", and a restart writes {} more", lost) : ""),
        {{"path", spec_.path}, {"results", unacknowledged_.waiting()}});
  }
  ContinueIn(*std::move(next), std::move(header));
  return Ok{};
}

void FileSink::ContinueIn(AppendFile file, std::string header) {
  confirmed_size_ = file.size();
  lines_ = DurableLines(std::move(file), std::move(header));
  KeepTrail();
  for (std::string& lines : unacknowledged_.Waiting()) {
    const std::size_t header_bytes = HeaderBytes(lines);
    lines_.Add(std::move(lines), header_bytes);
  }
}

void FileSink::Look() {
  if (!mutex_.TryLock()) return;
  const MutexLock lock(mutex_, AdoptLock{});
  if (!lines_.file().regular() || IsThere()) return;
  static_cast<void>(MakeDurable());  // Flush() tries again and returns an error
}

void FileSink::Acknowledged(std::uint64_t advances) {
  const MutexLock lock(mutex_);
  const std::size_t moved = moved_.size();
  unacknowledged_.Cover(
      advances, [&](const ResultIdentity& result) SASH_REQUIRES(mutex_) { moved_.Forget(result); });
  if (moved > 0 && moved_.size() == 0) KeepTrail();
}

}  // namespace sash
