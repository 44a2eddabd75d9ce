#include "connectors/sinks/descriptor_write.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ctime>

namespace sash {
namespace {

// A pipe that is ready takes this number of bytes without waiting.
constexpr std::size_t kAtOnce = PIPE_BUF;

}  // namespace

SigpipeHeld::SigpipeHeld() {
  sigemptyset(&pipe_);
  sigaddset(&pipe_, SIGPIPE);
  sigset_t pending;
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
}

SigpipeHeld::~SigpipeHeld() {
  const int error = errno;
  const timespec at_once{};
  if (!was_pending_) sigtimedwait(&pipe_, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

std::size_t WriteUntilError(int descriptor, std::string_view text) {
  std::size_t written = 0;
  errno = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + written, text.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      break;
    }
  }
  return written;
}

std::size_t WriteWhileTaken(int descriptor, std::string_view text,
                            std::chrono::milliseconds patience) {
  std::size_t written = 0;
  errno = 0;
  while (written < text.size()) {
    pollfd ready{descriptor, POLLOUT, 0};
    const int polled = ::poll(&ready, 1, static_cast<int>(patience.count()));
    if (polled < 0 && errno == EINTR) continue;
    if (polled == 0) errno = EAGAIN;
    if (polled <= 0) break;
    const std::string_view part = text.substr(written, kAtOnce);
    ssize_t count = ::send(descriptor, part.data(), part.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == ENOTSOCK) count = ::write(descriptor, part.data(), part.size());
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR && errno != EAGAIN) {
      break;
    }
  }
  return written;
}

}  // namespace sash
