#include "connectors/sinks/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace sash {
namespace {

constexpr std::size_t kReadAtOnce = 64 << 10;

std::string ReasonOf(int error) { return std::generic_category().message(error); }

// "a folder", "a named pipe"; empty for a regular file.
std::string KindOfFile(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

std::string SizeName(std::size_t bytes) {
  return bytes % (1 << 20) == 0 ? std::to_string(bytes >> 20) + " MiB"
                                : std::to_string(bytes >> 10) + " KiB";
}

// Reads the whole file of a descriptor.
Result<std::string> ReadAll(int file, std::size_t most_bytes) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return Error{ErrorCode::kUnavailable, ReasonOf(errno)};
  if (const std::string kind = KindOfFile(about.st_mode); !kind.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "it is " + kind + (kind == "a folder" ? "" : ", and only regular files are read")};
  }
  std::string bytes;
  for (;;) {  // files in /proc have no size before they are read
    const std::size_t size = bytes.size();
    if (size > most_bytes) {
      return Error{ErrorCode::kOverloaded, "it is larger than " + SizeName(most_bytes)};
    }
    bytes.resize(size + std::min(kReadAtOnce, most_bytes + 1 - size));
    const ssize_t got = ::read(file, bytes.data() + size, bytes.size() - size);
    const int error = errno;
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return bytes;
    if (got < 0 && error != EINTR) return Error{ErrorCode::kUnavailable, ReasonOf(error)};
  }
}

}  // namespace

Result<std::string> ReadRegularFile(const std::string& path, std::size_t most_bytes) {
  // O_NONBLOCK: opening a pipe must not wait for its writer. Regular files ignore it.
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) {
    const ErrorCode code = errno == ENXIO ? ErrorCode::kInvalidArgument : ErrorCode::kNotFound;
    return Error{code, errno == ENXIO
                           ? "it is a socket or a device, and only regular files are read"
                           : ReasonOf(errno)};
  }
  Result<std::string> bytes = ReadAll(file, most_bytes);
  ::close(file);
  return bytes;
}

}  // namespace sash
