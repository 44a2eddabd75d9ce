#include "connectors/sinks/dead_letter_file.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/dead_letter_line.h"

namespace sash {
namespace {

constexpr std::size_t kFlushBytes = 64 << 10;
constexpr std::size_t kBufferBytes = 2 << 20;
constexpr std::size_t kChunk = 1 << 18;

// A line, and what is buffered before it is written, may take a quarter of the limit each: with
// the half that a rotation keeps they stay within it.
std::size_t Share(std::uint64_t limit, std::uint64_t most, std::uint64_t parts) {
  return static_cast<std::size_t>(std::min(most, limit / parts));
}

std::string RotatingPath(const std::string& path) { return path + ".rotating"; }

}  // namespace

Result<std::unique_ptr<DeadLetterFile>> DeadLetterFile::Open(const DeadLetterSpec& spec,
                                                             bool truncate) {
  constexpr std::string_view kAttempt = "dead letters";
  DeadLetterSpec resolved = spec;
  std::error_code unresolved;
  if (std::filesystem::is_symlink(spec.path, unresolved)) {
    const std::filesystem::path target = std::filesystem::weakly_canonical(spec.path, unresolved);
    if (!unresolved && std::filesystem::is_regular_file(target, unresolved)) {
      resolved.path = target.string();
    }
  }
  Result<AppendFile> file = AppendFile::Open(resolved.path, truncate);
  if (!file) return std::move(file).error().Within(kAttempt);
  if (file.value().regular()) {
    if (Status cut = file.value().CutTornLine(kDeadLetterHead); !cut) {
      return std::move(cut).error().Within(kAttempt);
    }
    std::error_code ignored;
    std::filesystem::remove(RotatingPath(resolved.path), ignored);  // of a process that was killed
  }
  return std::unique_ptr<DeadLetterFile>(new DeadLetterFile(resolved, std::move(file).value()));
}

DeadLetterFile::DeadLetterFile(const DeadLetterSpec& spec, AppendFile file)
    : path_(spec.path),
      limit_bytes_(spec.limit_bytes),
      flush_bytes_(Share(spec.limit_bytes, kFlushBytes, 4)),
      buffer_bytes_(Share(spec.limit_bytes, kBufferBytes, 2)),
      file_(std::move(file)) {}

DeadLetterFile::~DeadLetterFile() { static_cast<void>(Flush()); }

std::string DeadLetterFile::LineOf(const RefusedRecord& record) const {
  const std::uint64_t most = limit_bytes_ / 4;
  std::string line = DeadLetterLine(record, kPayloadBytes);
  if (line.size() <= most) return line;
  // A byte of payload takes at most six of JSON (\u0000).
  const std::size_t rest = DeadLetterLine(record, 0).size();
  line = DeadLetterLine(record, rest < most ? static_cast<std::size_t>(most - rest) / 6 : 0);
  return line.size() <= most ? line : std::string();
}

void DeadLetterFile::Refuse(const RefusedRecord& record) {
  counts_[static_cast<std::size_t>(record.reason)].fetch_add(1, std::memory_order_relaxed);
  const std::string line = LineOf(record);  // outside the lock: it is most of the work
  if (line.empty()) {
    ++lost_;
    return;
  }
  const std::lock_guard lock(mutex_);
  if (buffer_.size() + line.size() > buffer_bytes_) {
    if (Status written = WriteBuffer(); !written) LoseBuffer();
  }
  buffer_ += line;
  ++buffered_;
  // While writing fails, only Flush() and a full buffer try again: a try for each record is dear.
  if (!failure_ && buffer_.size() >= flush_bytes_) static_cast<void>(WriteBuffer());
}

Status DeadLetterFile::Flush() {
  const std::lock_guard lock(mutex_);
  return WriteBuffer();
}

std::optional<Status> DeadLetterFile::TakeChange() {
  const std::lock_guard lock(mutex_);
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
  if (file_.regular() && file_.size() + buffer_.size() > limit_bytes_) {
    if (Status rotated = RotateOut(); !rotated) {
      return std::move(rotated).error().Within("dead letters: rotate");
    }
  }
  if (Status written = file_.Append(buffer_); !written) {
    return std::move(written).error().Within("dead letters");
  }
  buffer_.clear();
  buffered_ = 0;
  return Ok{};
}

void DeadLetterFile::LoseBuffer() {
  lost_ += buffered_;
  buffered_ = 0;
  buffer_.clear();
}

Status DeadLetterFile::RotateOut() {
  const std::uint64_t size = file_.size();
  if (size <= limit_bytes_ / 2) return Ok{};
  Result<std::uint64_t> from = LineBeginAfter(size - limit_bytes_ / 2);
  if (!from) return std::move(from).error();
  Result<std::uint64_t> leaving = CountLines(from.value());
  if (!leaving) return std::move(leaving).error();
  Result<AppendFile> newer = AppendFile::Open(RotatingPath(path_), true);
  if (!newer) return std::move(newer).error();
  file_.CopyModeTo(newer.value());
  Status copied = CopyTo(newer.value(), from.value());
  if (copied.ok()) copied = newer.value().RenameTo(path_);
  if (!copied) {
    std::error_code ignored;
    std::filesystem::remove(RotatingPath(path_), ignored);
    return copied;
  }
  file_ = std::move(newer).value();
  rotated_ += leaving.value();
  return Ok{};
}

Status DeadLetterFile::CopyTo(AppendFile& newer, std::uint64_t from) {
  std::vector<char> chunk(kChunk);
  for (;;) {
    Result<std::size_t> count = file_.Read(from, chunk);
    if (!count) return std::move(count).error();
    if (count.value() == 0) return Ok{};
    if (Status added = newer.Append({chunk.data(), count.value()}); !added) return added;
    from += count.value();
  }
}

Result<std::uint64_t> DeadLetterFile::CountLines(std::uint64_t until) {
  std::vector<char> chunk(kChunk);
  std::uint64_t lines = 0;
  for (std::uint64_t at = 0; at < until;) {
    Result<std::size_t> count =
        file_.Read(at, std::span(chunk).first(std::min<std::uint64_t>(kChunk, until - at)));
    if (!count) return std::move(count).error();
    if (count.value() == 0) break;
    lines += static_cast<std::uint64_t>(std::count(
        chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(count.value()), '\n'));
    at += count.value();
  }
  return lines;
}

// Where the first line begins that begins at `from` (> 0) or later.
Result<std::uint64_t> DeadLetterFile::LineBeginAfter(std::uint64_t from) {
  std::vector<char> chunk(kChunk);
  for (std::uint64_t at = from - 1;;) {
    Result<std::size_t> count = file_.Read(at, chunk);
    if (!count) return std::move(count).error();
    if (count.value() == 0) return at;
    const std::size_t newline = std::string_view(chunk.data(), count.value()).find('\n');
    if (newline != std::string_view::npos) return at + newline + 1;
    at += count.value();
  }
}

}  // namespace sash
