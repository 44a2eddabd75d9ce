#include "daemon/shutdown/service_notifier.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "daemon/log/log_events.h"

namespace sash {
namespace {

constexpr int kBeatsInWatchdog = 4;
// The time that the end may take beyond shutdown_deadline, at which the process is ended by force.
constexpr std::chrono::seconds kAfterDeadline{5};

// The value of an environment variable that holds an integer.
std::optional<std::int64_t> WholeNumber(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (text == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace

bool PipelinePulse::Beats(const PipelineStanding& standing) {
  return std::exchange(rounds_, standing.rounds) != standing.rounds || standing.jobs_busy;
}

ServiceNotifier::ServiceNotifier(EventLog& log) : log_(log) {
  const char* address = std::getenv("NOTIFY_SOCKET");  // NOLINT(concurrency-mt-unsafe)
  if (address == nullptr || *address == '\0') return;
  address_ = address;
  if ((address_[0] != '/' && address_[0] != '@') ||
      address_.size() >= sizeof(sockaddr_un::sun_path)) {
    log_.Log(process_events::kNotifyAddress,
             fmt::format("NOTIFY_SOCKET: `{}` is not a socket address: give a path that begins "
                         "with / or @ and is shorter than {} bytes; the service manager gets "
                         "no messages",
                         address_, sizeof(sockaddr_un::sun_path)));
    return;
  }
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const std::optional<std::int64_t> period = WholeNumber("WATCHDOG_USEC");
  const std::optional<std::int64_t> process = WholeNumber("WATCHDOG_PID");
  if (period.value_or(0) > 0 && process.value_or(::getpid()) == ::getpid()) {
    watchdog_ = std::chrono::microseconds(*period);
  }
}

ServiceNotifier::~ServiceNotifier() {
  if (socket_ >= 0) ::close(socket_);
}

void ServiceNotifier::Ready() { Send("READY=1"); }

void ServiceNotifier::Look(const std::vector<std::string>& not_ready,
                           const PipelineStanding& standing, SteadyTime now) {
  if (socket_ < 0) return;
  std::string status =
      not_ready.empty() ? "ready" : fmt::format("not ready: {}", fmt::join(not_ready, "; "));
  std::replace(status.begin(), status.end(), '\n', ' ');
  if (status != status_) {
    Send("STATUS=" + status);
    status_ = std::move(status);
  }
  if (!watchdog_ || (last_beat_ && now - *last_beat_ < *watchdog_ / kBeatsInWatchdog)) return;
  if (!pulse_.Beats(standing)) return;
  Send("WATCHDOG=1");
  last_beat_ = now;
}

void ServiceNotifier::Stopping(std::optional<std::chrono::nanoseconds> patience) {
  std::string message = "STOPPING=1";
  if (patience) {
    const auto most =
        std::chrono::duration_cast<std::chrono::microseconds>(*patience) + kAfterDeadline;
    message += fmt::format("\nEXTEND_TIMEOUT_USEC={}",
                           std::chrono::duration_cast<std::chrono::microseconds>(most).count());
  }
  Send(message);
}

void ServiceNotifier::Send(std::string_view message) {
  if (socket_ < 0) return;
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::copy(address_.begin(), address_.end(), to.sun_path);
  if (to.sun_path[0] == '@') to.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  const ssize_t sent = ::sendto(socket_, message.data(), message.size(), MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&to), length);
  // A later message may get through where this one did not.
  if (sent >= 0 || errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM || errno == EINTR) return;
  log_.Log(process_events::kNotifyFailed,
           fmt::format("NOTIFY_SOCKET: {} cannot be written to: {}; the service manager gets "
                       "no more messages",
                       address_, std::generic_category().message(errno)));
  ::close(std::exchange(socket_, -1));
}

}  // namespace sash
