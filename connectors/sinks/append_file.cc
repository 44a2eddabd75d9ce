#include "connectors/sinks/append_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "connectors/sinks/descriptor_write.h"

namespace sash {
namespace {

constexpr std::size_t kCopyBytes = 1 << 18;

// The descriptor of this process that `path` names; no value for other paths.
std::optional<int> OwnDescriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int descriptor = 0;
    const std::string_view number = path.substr(folder.size());
    const auto end = std::from_chars(number.data(), number.data() + number.size(), descriptor);
    if (end.ec == std::errc() && end.ptr == number.data() + number.size()) return descriptor;
  }
  return std::nullopt;
}

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Makes a new file's directory entry durable, so that the file still exists after a power cut.
void SyncFolder(const std::string& path) {
  const int folder = ::open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

FileMark MarkOf(int descriptor, const char* path, int flags) {
  constexpr std::int64_t kNanos = 1'000'000'000;
  struct statx found {};
  if (::statx(descriptor, path, flags, STATX_INO | STATX_BTIME, &found) != 0) return {};
  const bool knows_birth = (found.stx_mask & STATX_BTIME) != 0;
  return {.device = std::uint64_t{found.stx_dev_major} << 32 | found.stx_dev_minor,
          .inode = found.stx_ino,
          .born = knows_birth ? found.stx_btime.tv_sec * kNanos + found.stx_btime.tv_nsec : 0};
}

Error OpenFailure(const std::string& path, std::string_view reason) {
  return {ErrorCode::kUnavailable, fmt::format("open {}: {}", path, reason)};
}

}  // namespace

bool IsOwnDescriptor(std::string_view path) { return OwnDescriptor(path).has_value(); }

FileMark MarkOfFile(const std::string& path) { return MarkOf(AT_FDCWD, path.c_str(), 0); }

Result<AppendFile> AppendFile::Open(const std::string& path) {
  if (const std::optional<int> own = OwnDescriptor(path)) return Over(*own, path);
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
    if (S_ISDIR(found.st_mode))
      return OpenFailure(path, "this is a folder; give the path of a file");
    return OpenStream(path);
  }
  return OpenRegular(path);
}

Result<AppendFile> AppendFile::Over(int descriptor, const std::string& name) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return OpenFailure(name, std::strerror(errno));
  return AppendFile(copy, name, false);
}

Result<AppendFile> AppendFile::OpenStream(const std::string& path) {
  // Non-blocking only for open(), which would otherwise wait without limit for a pipe's reader.
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) {
    return OpenFailure(path,
                       errno == ENXIO ? "no process reads from this pipe" : std::strerror(errno));
  }
  ::fcntl(descriptor, F_SETFL, O_APPEND);
  return AppendFile(descriptor, path, false);
}

Result<AppendFile> AppendFile::OpenRegular(const std::string& path) {
  const bool exists = ::access(path.c_str(), F_OK) == 0;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0 && errno == ENOENT) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("open {}: the folder {} does not exist", path, FolderOf(path))};
  }
  if (descriptor < 0) return OpenFailure(path, std::strerror(errno));
  AppendFile file(descriptor, path, true);
  // If the file system has no locks, the file is used without one.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return OpenFailure(path, "another sink or process is writing to it");
  }
  if (!exists) SyncFolder(path);
  return file;
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      regular_(other.regular_),
      patience_(other.patience_),
      unfinished_(std::move(other.unfinished_)),
      cut_first_(other.cut_first_) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  path_.swap(other.path_);
  std::swap(regular_, other.regular_);
  std::swap(patience_, other.patience_);
  unfinished_.swap(other.unfinished_);
  cut_first_.swap(other.cut_first_);
  return *this;
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Error AppendFile::Failure(std::string_view attempt, int code) const {
  return {ErrorCode::kUnavailable, fmt::format("{} {}: {}", attempt, path_, std::strerror(code))};
}

std::uint64_t AppendFile::size() const {
  struct stat found {};
  if (!regular_ || ::fstat(descriptor_, &found) != 0) return 0;
  return static_cast<std::uint64_t>(found.st_size);
}

FilePlace AppendFile::place() const {
  struct stat open {};
  struct stat named {};
  if (!regular_ || ::fstat(descriptor_, &open) != 0) return FilePlace::kThere;
  if (open.st_nlink == 0) return FilePlace::kDeleted;
  if (::stat(path_.c_str(), &named) != 0) {
    return errno == ENOENT || errno == ENOTDIR ? FilePlace::kMoved : FilePlace::kThere;
  }
  const bool same = named.st_ino == open.st_ino && named.st_dev == open.st_dev;
  return same ? FilePlace::kThere : FilePlace::kMoved;
}

FileMark AppendFile::mark() const { return MarkOf(descriptor_, "", AT_EMPTY_PATH); }

Status AppendFile::Append(std::string_view text) {
  return regular_ ? AppendToFile(text) : AppendToStream(text);
}

Status AppendFile::AppendToFile(std::string_view text) {
  if (cut_first_) {
    if (Status cut = CutTo(*cut_first_); !cut) return cut;
  }
  const std::uint64_t begin = size();
  const std::size_t written = WriteUntilError(descriptor_, text);
  if (written == text.size()) return Ok{};
  const int code = errno;
  if (written > 0) static_cast<void>(CutTo(begin));  // if it fails: before the next append
  return Failure("write", code);
}

Status AppendFile::AppendToStream(std::string_view text) {
  const SigpipeHeld held;
  unfinished_.erase(0, WriteWhileTaken(descriptor_, unfinished_, patience_));
  if (!unfinished_.empty()) return Failure("write", errno);
  const std::size_t written = WriteWhileTaken(descriptor_, text, patience_);
  if (written == 0 && !text.empty()) return Failure("write", errno);
  unfinished_ = text.substr(written);
  return Ok{};
}

Status AppendFile::AppendFrom(const AppendFile& other, std::uint64_t offset) {
  std::vector<char> chunk(kCopyBytes);
  for (;;) {
    Result<std::size_t> count = other.Read(offset, chunk);
    if (!count) return std::move(count).error();
    if (count.value() == 0) return Ok{};
    if (Status added = Append({chunk.data(), count.value()}); !added) return added;
    offset += count.value();
  }
}

Status AppendFile::Sync() {
  if (!regular_) return AppendToStream({});
  if (cut_first_) {
    if (Status cut = CutTo(*cut_first_); !cut) return cut;
  }
  // EINVAL: this file cannot be synced, and trying again would not help.
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL) return Failure("sync", errno);
  return Ok{};
}

Status AppendFile::CutTo(std::uint64_t wanted) {
  if (size() > wanted && ::ftruncate(descriptor_, static_cast<off_t>(wanted)) != 0) {
    cut_first_ = wanted;
    return Failure("cut", errno);
  }
  cut_first_.reset();
  return Ok{};
}

Result<std::size_t> AppendFile::Read(std::uint64_t offset, std::span<char> into) const {
  std::size_t filled = 0;
  while (filled < into.size()) {
    const ssize_t count = ::pread(descriptor_, into.data() + filled, into.size() - filled,
                                  static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failure("read", errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

Status AppendFile::RenameTo(const std::string& path) {
  if (std::rename(path_.c_str(), path.c_str()) != 0) {
    return Failure("rename to " + path + " from", errno);
  }
  path_ = path;
  return Ok{};
}

void AppendFile::CopyModeTo(const AppendFile& other) const {
  struct stat found {};
  if (::fstat(descriptor_, &found) == 0) ::fchmod(other.descriptor_, found.st_mode & 07777);
}

}  // namespace sash
