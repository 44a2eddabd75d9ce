#include "connectors/export/stored_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <system_error>

namespace sash {

Result<std::string> ReadSmallFile(int at, const std::string& name, std::size_t most) {
  const OwnedDescriptor file(
      ::openat(at, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat about {};
  if (!file.is_open() || ::fstat(file.number(), &about) != 0) return SystemFailure("open " + name);
  if (!S_ISREG(about.st_mode) || static_cast<std::uint64_t>(about.st_size) > most) {
    return Error{ErrorCode::kCorruption, "read " + name + ": it is not a file of that kind"};
  }
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t read = 0;
  while (read < text.size()) {
    const ssize_t some = ::read(file.number(), text.data() + read, text.size() - read);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return SystemFailure("read " + name);
    if (some == 0) break;
    read += static_cast<std::size_t>(some);
  }
  text.resize(read);
  return text;
}

OwnedDescriptor LockToRead(int folder, const std::string& name) {
  OwnedDescriptor file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat about {};
  if (!file.is_open() || ::flock(file.number(), LOCK_SH) != 0 ||
      ::fstat(file.number(), &about) != 0 || about.st_nlink == 0) {
    return OwnedDescriptor(-1);
  }
  return file;
}

std::optional<std::uint32_t> ChecksumIn(std::string_view digits) {
  constexpr int kHexadecimal = 16;
  std::uint32_t checksum = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, checksum, kHexadecimal);
  if (error != std::errc() || rest != end) return std::nullopt;
  return checksum;
}

}  // namespace sash
