#include "daemon/shutdown/stop_request.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <initializer_list>

#include "windows/base/check.h"

namespace sash {

namespace {

std::string_view NameOf(int number) {
  switch (number) {
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    case SIGUSR1:
      return "SIGUSR1";
    default:
      return "SIGHUP";
  }
}

sigset_t Block(std::initializer_list<int> numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  SASH_CHECK(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  return set;
}

}  // namespace

void StopRequest::HoldSignals() { Block({SIGHUP, SIGUSR1}); }

StopRequest::StopRequest() {
  signal(SIGPIPE, SIG_IGN);
  const sigset_t set = Block({SIGTERM, SIGINT, SIGHUP, SIGUSR1});
  signals_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  raised_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  SASH_CHECK(signals_ >= 0 && raised_ >= 0);
}

StopRequest::~StopRequest() {
  close(signals_);
  close(raised_);
}

void StopRequest::Raise(Cause cause) {
  Cause none = Cause::kNone;
  cause_.compare_exchange_strong(none, cause);
  Wake();
}

void StopRequest::Wake() {
  const std::uint64_t one = 1;
  SASH_CHECK(write(raised_, &one, sizeof one) == sizeof one);
}

StopRequest::Cause StopRequest::Wait(std::chrono::milliseconds patience) {
  std::array<pollfd, 2> waiting = {pollfd{signals_, POLLIN, 0}, pollfd{raised_, POLLIN, 0}};
  if (poll(waiting.data(), waiting.size(), static_cast<int>(patience.count())) <= 0) {
    return Cause::kNone;
  }
  signalfd_siginfo received;
  if (read(signals_, &received, sizeof received) == sizeof received) {
    signal_name_ = NameOf(static_cast<int>(received.ssi_signo));
    if (received.ssi_signo == SIGUSR1) return Cause::kReopen;
    return received.ssi_signo == SIGHUP ? Cause::kReload : Cause::kSignal;
  }
  std::uint64_t count = 0;
  if (read(raised_, &count, sizeof count) == sizeof count) return cause_.exchange(Cause::kNone);
  return Cause::kNone;
}

}  // namespace sash
