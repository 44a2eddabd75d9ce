#include "connectors/sinks/result_file.h"

#include <fmt/format.h>

#include <chrono>
#include <set>

#include "connectors/sinks/file_lines.h"
#include "connectors/sinks/log_events.h"

namespace sash {
namespace {

constexpr int kMostMoves = 100;                  // within one MakeDurable()
constexpr std::size_t kMostMovedNames = 10'000;  // for each job and window
constexpr UnacknowledgedResults::Limits kNothingKept{.results = 0, .bytes = 0};

}  // namespace

ResultFile::ResultFile(const FileSinkSpec& spec, bool replay, EventLog& log, AppendFile file)
    : path_(spec.path),
      kind_(LinesOf(spec)),
      log_(log),
      lines_(std::move(file)),
      unacknowledged_(replay ? kNothingKept : UnacknowledgedResults::Limits()) {}

Result<ResultFile> ResultFile::Open(const FileSinkSpec& spec, bool replay, EventLog& log) {
  Result<AppendFile> file = AppendFile::Open(spec.path);
  if (!file) return std::move(file).error();
  // A replay may wait without limit for the reader of a pipe.
  if (replay) file.value().SetPatience(std::chrono::milliseconds(-1));
  if (!file.value().regular()) return ResultFile(spec, replay, log, std::move(file).value());
  Result<FileTrail> trail = FileTrail::Read(spec.path);
  if (!trail) return std::move(trail).error();
  if (replay) {
    Status empty = EmptyIfOurs(file.value(), HeadOfTornLine(LinesOf(spec), WrittenResults()),
                               BeginsLikeResults);
    if (!empty) return std::move(empty).error();
    trail.value().Remove();
    return ResultFile(spec, replay, log, std::move(file).value());
  }
  ResultFile results(spec, replay, log, std::move(file).value());
  results.trail_ = std::move(trail).value();
  if (Status resumed = results.Resume(); !resumed) return std::move(resumed).error();
  return results;
}

Status ResultFile::Resume() {
  AppendFile file = lines_.TakeFile(lines_.end());
  Result<WrittenResults> written = TakeOver(file, kind_, log_);
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
void ResultFile::ResumeFromMoved(const FileMark& last) {
  const std::optional<std::string> place = FindMoved(path_, last);
  if (!place) {
    log_.Log(
        sink_events::kFileDeleted,
        fmt::format("file sink: the file that was {} is gone; its results that no commit covers "
                    "are written again",
                    path_),
        {{"path", path_}});
    return;
  }
  Result<AppendFile> file = AppendFile::Open(*place);
  if (file.ok() && file.value().regular()) {
    if (auto written = TakeOver(file.value(), kind_, log_)) {
      moved_.Add(written.value().held);
    }
  }
  log_.Log(sink_events::kFileMoved,
           fmt::format("file sink: {} was moved to {}; the results in it are not written again",
                       path_, *place),
           {{"path", path_}});
}

void ResultFile::KeepTrail() {
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
                  path_, kept.error().message),
      {{"path", path_}});
}

std::optional<ResultFile::Where> ResultFile::PlaceOf(const ResultIdentity& result) {
  if (moved_.Holds(result)) return Where::kElsewhere;
  if (!held_.Admit(result)) return Where::kInFile;
  return std::nullopt;
}

void ResultFile::Repeat(std::uint64_t advance, const ResultIdentity& result, Where where) {
  if (regular()) unacknowledged_.Add(advance, result, "", where);
}

void ResultFile::Add(std::uint64_t advance, const ResultIdentity& result, std::string lines) {
  if (regular()) unacknowledged_.Add(advance, result, lines, Where::kWaiting);
  AddLines(std::move(lines));
}

// Rows of CSV have a header in front of them. Names of columns have no line ends.
void ResultFile::AddLines(std::string lines) {
  const std::size_t header_bytes = kind_ == ResultLines::kCsvRows ? lines.find('\n') + 1 : 0;
  lines_.Add(std::move(lines), header_bytes);
}

bool ResultFile::DropOldest() {
  const std::size_t oldest = unacknowledged_.waiting() - lines_.unwritten();
  if (!lines_.DropOldest()) return false;
  if (regular()) unacknowledged_.Drop(oldest);
  ++dropped_;
  return true;
}

bool ResultFile::IsThere() const {
  return lines_.file().place() == FilePlace::kThere && !lines_.is_cut();
}

Status ResultFile::MakeDurable() {
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
  return Error{ErrorCode::kUnavailable, fmt::format("{}: was moved or deleted repeatedly", path_)};
}

Status ResultFile::FollowFile() {
  const FilePlace place = lines_.file().place();
  const bool cut = place == FilePlace::kThere;
  std::optional<AppendFile> next;
  std::string header;
  if (!cut) {
    Result<AppendFile> opened = AppendFile::Open(path_);
    if (!opened) return std::move(opened).error();
    next = std::move(opened).value();
    if (!next->regular()) {
      return Error{ErrorCode::kUnavailable,
                   fmt::format("{}: is not a regular file any more", path_)};
    }
    Result<WrittenResults> written = TakeOver(*next, kind_, log_);
    if (!written) return std::move(written).error();
    header = std::move(written.value().header);
    // The results of earlier processes in it that the stream has not passed yet.
    if (place == FilePlace::kMoved) moved_.Add(held_);
    held_ = std::move(written.value().held);
  }
  written_before_ += lines_.written();
  if (place == FilePlace::kMoved) {
    static_cast<void>(lines_.TakeFile(confirmed_size_));
    unacknowledged_.MoveAway([&](const ResultIdentity& result) { moved_.Add(result); });
    log_.Log(sink_events::kFileMoved,
             fmt::format("file sink: {} was moved away; a new file is begun", path_),
             {{"path", path_}});
  } else {
    if (cut) {
      // Lines that are written but not durable may be after the cut; they are written again.
      next = lines_.TakeFile(lines_.size_before_written());
      Result<WrittenResults> written = TakeOver(*next, kind_, log_);
      held_ = written.ok() ? std::move(written.value().held) : HeldResults();
      if (written) header = std::move(written.value().header);
    }
    const std::uint64_t lost =
        unacknowledged_.Lose([&](const ResultIdentity& result) { return held_.Holds(result); });
    dropped_ += lost;
    log_.Log(
        cut ? sink_events::kFileCut : sink_events::kFileDeleted,
        fmt::format("file sink: {} was {} by another process; results that no commit covers are "
                    "written again: {}{}",
                    path_, cut ? "cut" : "deleted", unacknowledged_.waiting(),
                    lost > 0 ? fmt::format(", and a restart writes {} more", lost) : ""),
        {{"path", path_}, {"results", unacknowledged_.waiting()}});
  }
  ContinueIn(*std::move(next), std::move(header));
  return Ok{};
}

void ResultFile::ContinueIn(AppendFile file, std::string header) {
  confirmed_size_ = file.size();
  lines_ = DurableLines(std::move(file), std::move(header));
  KeepTrail();
  for (std::string& lines : unacknowledged_.Waiting()) AddLines(std::move(lines));
}

void ResultFile::Cover(std::uint64_t advances) {
  const std::size_t moved = moved_.size();
  unacknowledged_.Cover(advances, [&](const ResultIdentity& result) { moved_.Forget(result); });
  if (moved > 0 && moved_.size() == 0) KeepTrail();
}

}  // namespace sash
