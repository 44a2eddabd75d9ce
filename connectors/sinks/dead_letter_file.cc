#include "connectors/sinks/dead_letter_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "connectors/sinks/dead_letter_line.h"
#include "connectors/sinks/file_lines.h"
#include "connectors/sinks/letter_rotation.h"
#include "connectors/sinks/log_events.h"

namespace sash {
namespace {

constexpr std::size_t kFlushBytes = 64 << 10;
constexpr std::size_t kBufferBytes = 2 << 20;

// A line and the buffer may each take a quarter of the limit: together with the half that a
// rotation keeps, they stay within the limit.
std::size_t Share(std::uint64_t limit, std::uint64_t most, std::uint64_t parts) {
  return static_cast<std::size_t>(std::min(most, limit / parts));
}

constexpr int kMostMovesABuffer = 100;  // while one buffer is written

// Cuts a torn last line. Refuses a file that Sash did not write, and leaves it unchanged.
Status TakeOverLetters(AppendFile& file) {
  Result<std::string> first = FirstLine(file);
  if (!first) return std::move(first).error();
  const bool is_whole = first.value().size() < file.size();
  if (is_whole && !IsLetterLine(first.value())) {
    return Error{
        ErrorCode::kCorruption,
        fmt::format("{}:1: not a dead letter, so nothing is appended to this file; move it "
                    "away or name another",
                    file.path())};
  }
  return CutTornLine(file, kDeadLetterHead);
}

}  // namespace

Result<std::unique_ptr<DeadLetterFile>> DeadLetterFile::Open(const DeadLetterSpec& spec,
                                                             bool replay, EventLog& log) {
  constexpr std::string_view kAttempt = "dead letters";
  DeadLetterSpec resolved = spec;
  std::error_code unresolved;
  if (std::filesystem::is_symlink(spec.path, unresolved)) {
    const std::filesystem::path target = std::filesystem::weakly_canonical(spec.path, unresolved);
    if (!unresolved && std::filesystem::is_regular_file(target, unresolved)) {
      resolved.path = target.string();
    }
  }
  Result<AppendFile> file = AppendFile::Open(resolved.path);
  if (!file) return std::move(file).error().Within(kAttempt);
  const bool regular = file.value().regular();
  Status ready = Ok{};
  if (regular && replay) ready = EmptyIfOurs(file.value(), kDeadLetterHead, IsLetterLine);
  if (regular && ready.ok()) ready = RemoveRotating(resolved.path);
  if (!ready) return std::move(ready).error().Within(kAttempt);
  std::unique_ptr<DeadLetterFile> letters(
      new DeadLetterFile(resolved, std::move(file).value(), log));
  if (!regular) return letters;
  Result<FileTrail> trail = FileTrail::Read(resolved.path);
  if (!trail) return std::move(trail).error().Within(kAttempt);
  if (replay) {
    trail.value().Remove();
    return letters;
  }
  const MutexLock lock(letters->mutex_);
  letters->trail_ = LetterTrail(std::move(trail).value());
  if (Status resumed = letters->Resume(); !resumed) {
    return std::move(resumed).error().Within(kAttempt);
  }
  return letters;
}

DeadLetterFile::DeadLetterFile(const DeadLetterSpec& spec, AppendFile file, EventLog& log)
    : path_(spec.path),
      limit_bytes_(spec.limit_bytes),
      flush_bytes_(Share(spec.limit_bytes, kFlushBytes, 4)),
      buffer_bytes_(Share(spec.limit_bytes, kBufferBytes, 2)),
      log_(log),
      file_(std::move(file)) {}

Status DeadLetterFile::Resume() {
  if (Status ready = TakeOverLetters(file_); !ready) return ready;
  size_ = file_.size();
  const std::optional<FileMark> last = trail_.last_file();
  if (last && *last != file_.mark()) ResumeFromMoved(*last);
  const std::size_t of_others = held_.letters().size();
  if (Status read = held_.Read(file_); !read) return read;
  const auto& letters = held_.letters();
  for (std::size_t i = std::min(of_others, letters.size()); i < letters.size(); ++i) {
    trail_.Note(letters[i]);
  }
  for (const LetterIdentity letter : trail_.moved()) held_.Add(letter);
  held_.Sort();
  KeepTrail();
  return Ok{};
}

// Handles a file that was moved away while no process watched it.
void DeadLetterFile::ResumeFromMoved(const FileMark& last) {
  const std::optional<std::string> place = FindMoved(path_, last);
  if (!place) return;  // deleted: its letters may be written again
  Result<AppendFile> file = AppendFile::Open(*place);
  if (!file.ok() || !file.value().regular() || !TakeOverLetters(file.value()).ok()) return;
  if (!held_.Read(file.value()).ok()) return;
  for (const LetterIdentity letter : held_.letters()) trail_.Note(letter);
  trail_.NoteMoved();
  log_.Log(sink_events::kFileMoved,
           fmt::format("dead letters: {} was moved to {}; the letters in it are not written again",
                       path_, *place),
           {{"path", path_}});
}

void DeadLetterFile::KeepTrail() {
  const Status kept = trail_.Keep(file_.mark());
  if (kept.ok()) return;
  log_.Log(sink_events::kTrailFailed,
           fmt::format("dead letters: {}: if the file is moved away and the process then ends, "
                       "letters may be written twice: {}",
                       path_, kept.error().message),
           {{"path", path_}});
}

bool DeadLetterFile::IsThere() const {
  return !file_.regular() || (file_.place() == FilePlace::kThere && file_.size() >= size_);
}

Status DeadLetterFile::FollowFile() {
  const FilePlace place = file_.place();
  if (place == FilePlace::kThere) {
    size_ = file_.size();
    trail_.NoteGone();
    log_.Log(sink_events::kFileCut,
             fmt::format("dead letters: {} was cut by another process", path_), {{"path", path_}});
    return CutTornLine(file_, kDeadLetterHead);
  }
  Result<AppendFile> next = AppendFile::Open(path_);
  if (!next) return std::move(next).error();
  if (!next.value().regular()) {
    return Error{ErrorCode::kUnavailable, path_ + ": is not a regular file any more"};
  }
  if (Status ready = TakeOverLetters(next.value()); !ready) return ready;
  const bool moved = place == FilePlace::kMoved;
  if (moved) {
    trail_.NoteMoved();
  } else {
    trail_.NoteGone();
  }
  file_ = std::move(next).value();
  size_ = file_.size();
  log_.Log(moved ? sink_events::kFileMoved : sink_events::kFileDeleted,
           fmt::format("dead letters: {} was {}; a new file is begun", path_,
                       moved ? "moved away" : "deleted"),
           {{"path", path_}});
  KeepTrail();
  return Ok{};
}

DeadLetterFile::~DeadLetterFile() { static_cast<void>(Flush()); }

std::string DeadLetterFile::LineOf(const RefusedRecord& record) const {
  const std::uint64_t most = limit_bytes_ / 4;
  std::string line = DeadLetterLine(record, kPayloadBytes);
  if (line.size() <= most) return line;
  // A byte of payload takes at most six bytes of JSON (\u0000).
  const std::size_t rest = DeadLetterLine(record, 0).size();
  line = DeadLetterLine(record, rest < most ? static_cast<std::size_t>(most - rest) / 6 : 0);
  return line.size() <= most ? line : std::string();
}

bool DeadLetterFile::Repeats(const RefusedRecord& record) const {
  return !held_.letters().empty() && held_.Holds(IdentityOfLetter(LineOf(record)));
}

void DeadLetterFile::Refuse(const RefusedRecord& record) {
  counts_[static_cast<std::size_t>(record.reason)].fetch_add(1, std::memory_order_relaxed);
  const std::string line = LineOf(record);  // outside the lock: this is most of the work
  if (line.empty()) {
    ++lost_;
    return;
  }
  const LetterIdentity letter = IdentityOfLetter(line);
  if (held_.Holds(letter)) {
    ++repeated_;
    return;
  }
  const MutexLock lock(mutex_);
  if (buffer_.size() + line.size() > buffer_bytes_) {
    if (Status written = WriteBuffer(); !written) LoseBuffer();
  }
  buffer_ += line;
  buffered_letters_.push_back(letter);
  // While writing fails, only Flush() and a full buffer try again: a try per record costs too much.
  if (!failure_ && buffer_.size() >= flush_bytes_) static_cast<void>(WriteBuffer());
}

Status DeadLetterFile::Flush() {
  const MutexLock lock(mutex_);
  return WriteBuffer();
}

std::optional<Status> DeadLetterFile::TakeChange() {
  const MutexLock lock(mutex_);
  if (!std::exchange(changed_, false)) return std::nullopt;
  return failure_ ? Status(*failure_) : Status(Ok{});
}

Status DeadLetterFile::WriteBuffer() {
  Status written = TryWriteBuffer();
  changed_ = changed_ != (failure_.has_value() == written.ok());
  failure_.reset();
  if (!written) failure_ = written.error();
  return written;
}

Status DeadLetterFile::TryWriteBuffer() {
  for (int moves = 0; moves < kMostMovesABuffer; ++moves) {
    if (!IsThere()) {
      if (Status followed = FollowFile(); !followed) {
        return std::move(followed).error().Within("dead letters");
      }
    }
    if (file_.regular() && file_.size() + buffer_.size() > limit_bytes_) {
      if (Status rotated = RotateOut(); !rotated) {
        return std::move(rotated).error().Within("dead letters: rotate");
      }
    }
    const std::uint64_t before = file_.size();
    if (Status written = file_.Append(buffer_); !written) {
      return std::move(written).error().Within("dead letters");
    }
    // If the file was moved or deleted meanwhile, the buffer went to the wrong file: write it
    // again.
    if (file_.regular() && file_.place() != FilePlace::kThere) {
      static_cast<void>(file_.CutTo(before));
      continue;
    }
    size_ = file_.size();
    buffer_.clear();
    for (const LetterIdentity letter : buffered_letters_) trail_.Note(letter);
    buffered_letters_.clear();
    return Ok{};
  }
  return Error{ErrorCode::kUnavailable,
               fmt::format("dead letters: {}: was moved or deleted repeatedly", path_)};
}

void DeadLetterFile::LoseBuffer() {
  lost_ += buffered_letters_.size();
  buffered_letters_.clear();
  buffer_.clear();
}

Status DeadLetterFile::RotateOut() {
  const std::uint64_t keep = limit_bytes_ / 2;
  if (file_.size() <= keep) return Ok{};
  Result<std::uint64_t> dropped = DropOlderLines(file_, path_, keep);
  if (!dropped) return std::move(dropped).error();
  size_ = file_.size();
  rotated_ += dropped.value();
  KeepTrail();
  return Ok{};
}

}  // namespace sash
