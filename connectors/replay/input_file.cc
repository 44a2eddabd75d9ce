#include "connectors/replay/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>

#include "connectors/codec/foreign_format.h"
#include "connectors/replay/expander.h"

namespace sash {
namespace {

std::string Reason(int error) { return std::generic_category().message(error); }

// For a regular file. Does not change the file's position.
std::optional<std::string> WhyForeign(int input) {
  std::array<char, kForeignHeadBytes> head = {};
  const off_t position = lseek(input, 0, SEEK_CUR);
  const ssize_t count = position < 0 ? 0 : pread(input, head.data(), head.size(), position);
  if (count <= 0) return std::nullopt;
  const std::string_view bytes(head.data(), static_cast<std::size_t>(count));
  const bool is_readable = CompressionOf(bytes).value_or(Compression::kNone) != Compression::kNone;
  return is_readable ? std::nullopt : WhyForeignFile(bytes);
}

}  // namespace

Result<std::unique_ptr<InputFile>> InputFile::Open(const std::string& path) {
  const bool owned = path != "-";
  // O_NONBLOCK: opening a named pipe must not wait for its writer. Regular files ignore it.
  const int input = owned ? open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : STDIN_FILENO;
  if (input < 0) return Error{ErrorCode::kInvalidArgument, "cannot be opened: " + Reason(errno)};
  struct stat status = {};
  std::string why;
  if (fstat(input, &status) != 0) {
    why = "cannot be read: " + Reason(errno);
  } else if (S_ISDIR(status.st_mode)) {
    why = "is a directory, not a file";
  } else if (S_ISREG(status.st_mode)) {
    why = WhyForeign(input).value_or("");
  }
  const int wake = why.empty() ? eventfd(0, EFD_CLOEXEC) : -1;
  if (why.empty() && wake < 0) why = "cannot be waited for: " + Reason(errno);
  if (!why.empty()) {
    if (owned) close(input);
    return Error{ErrorCode::kInvalidArgument, std::move(why)};
  }
  return std::unique_ptr<InputFile>(new InputFile(input, wake, owned));
}

InputFile::~InputFile() {
  if (owned_) close(input_);
  close(wake_);
}

InputFile::Reading InputFile::Read(std::span<char> room, std::chrono::milliseconds patience) {
  std::array<pollfd, 2> watched = {{{.fd = input_, .events = POLLIN, .revents = 0},
                                    {.fd = wake_, .events = POLLIN, .revents = 0}}};
  const int ready = poll(watched.data(), watched.size(), static_cast<int>(patience.count()));
  if (ready < 0 && errno != EINTR) return {Outcome::kFailed, 0, Reason(errno)};
  if (ready > 0 && watched[1].revents != 0) return {Outcome::kInterrupted, 0, {}};
  if (ready <= 0) return {Outcome::kNothingYet, 0, {}};
  const ssize_t count = read(input_, room.data(), room.size());
  if (count > 0) return {Outcome::kBytes, static_cast<std::size_t>(count), {}};
  if (count == 0) return {Outcome::kEnd, 0, {}};
  if (errno == EINTR || errno == EAGAIN) return {Outcome::kNothingYet, 0, {}};
  return {Outcome::kFailed, 0, Reason(errno)};
}

void InputFile::Interrupt() {
  const std::uint64_t one = 1;
  // The write fails only when the counter is full, and then the eventfd is readable anyway.
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof(one));
}

}  // namespace sash
