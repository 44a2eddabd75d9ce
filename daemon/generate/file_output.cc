#include "daemon/generate/file_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "windows/base/clock.h"

namespace sash {
namespace {

constexpr std::size_t kBlockBytes = 256 * 1024;
// A pipe with room takes this much without blocking (POSIX: PIPE_BUF is at least 512, here 4096).
constexpr std::size_t kPipeBytes = 4096;
constexpr std::chrono::seconds kPatienceAfterStop{5};
constexpr int kPollMilliseconds = 100;

}  // namespace

FileOutput::FileOutput(std::string name, int descriptor, bool may_block, const StopFlag& stop)
    : name_(std::move(name)), descriptor_(descriptor), may_block_(may_block), stop_(stop) {
  block_.reserve(kBlockBytes + 1024);
}

FileOutput::~FileOutput() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

Result<std::unique_ptr<RecordOutput>> FileOutput::Open(const std::string& path,
                                                       const std::string& header,
                                                       const StopFlag& stop) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard output" : path;
  const int descriptor = standard
                             ? STDOUT_FILENO
                             : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  struct stat kind {};
  if (descriptor < 0 || ::fstat(descriptor, &kind) != 0) {
    return Error{ErrorCode::kUnavailable, fmt::format("open {}: {}", name, std::strerror(errno))};
  }
  const bool may_block = !S_ISREG(kind.st_mode);
  std::unique_ptr<FileOutput> output(new FileOutput(name, descriptor, may_block, stop));
  if (!header.empty()) output->block_.append(header).push_back('\n');
  return std::unique_ptr<RecordOutput>(std::move(output));
}

Result<Taken> FileOutput::Write(const OutgoingRecord& record) {
  if (closed_) return Taken::kClosed;
  block_.append(record.text);
  block_.push_back('\n');
  return block_.size() < kBlockBytes ? Taken::kYes : WriteOut();
}

Result<Taken> FileOutput::Flush() { return WriteOut(); }

Status FileOutput::Finish() {
  if (Result<Taken> rest = WriteOut(); !rest) return std::move(rest).error();
  // Some file systems report a full disk only here.
  if (descriptor_ > STDERR_FILENO && ::close(std::exchange(descriptor_, -1)) != 0) {
    return Failed(std::strerror(errno));
  }
  return Ok{};
}

bool FileOutput::AwaitRoom() const {
  SteadyTime give_up = SteadyTime::max();
  while (true) {
    struct pollfd room {
      descriptor_, POLLOUT, 0
    };
    if (::poll(&room, 1, kPollMilliseconds) > 0)
      return true;  // room, or an error that write() names
    if (!stop_.load()) continue;
    const SteadyTime now = std::chrono::steady_clock::now();
    if (give_up == SteadyTime::max()) give_up = now + kPatienceAfterStop;
    if (now >= give_up) return false;
  }
}

Result<Taken> FileOutput::WriteOut() {
  std::size_t written = 0;
  while (!closed_ && written < block_.size()) {
    const std::size_t rest = block_.size() - written;
    if (may_block_ && !AwaitRoom()) {
      return Failed(fmt::format("the reader takes nothing, {} bytes are lost", rest));
    }
    const std::size_t size = may_block_ ? std::min(rest, kPipeBytes) : rest;
    const ssize_t count = ::write(descriptor_, block_.data() + written, size);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno == EPIPE) {
      closed_ = true;
    } else if (errno != EINTR && errno != EAGAIN) {
      return Failed(std::strerror(errno));
    }
  }
  block_.clear();
  return closed_ ? Taken::kClosed : Taken::kYes;
}

Error FileOutput::Failed(const std::string& why) const {
  return {ErrorCode::kUnavailable, fmt::format("write {}: {}", name_, why)};
}

}  // namespace sash
