#include "daemon/shutdown/stop_request.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace sash {
namespace {

using Cause = StopRequest::Cause;
using std::chrono::milliseconds;

constexpr milliseconds kAtOnce{0};
constexpr milliseconds kPatience{60'000};

void Signal(int number) { ASSERT_EQ(kill(getpid(), number), 0); }

TEST(StopRequestTest, TellsSignalsApartAndNamesThem) {
  StopRequest stop;
  Signal(SIGTERM);
  EXPECT_EQ(stop.Wait(kPatience), Cause::kSignal);
  EXPECT_EQ(stop.signal_name(), "SIGTERM");
  Signal(SIGINT);
  EXPECT_EQ(stop.Wait(kPatience), Cause::kSignal);
  EXPECT_EQ(stop.signal_name(), "SIGINT");
  Signal(SIGHUP);
  EXPECT_EQ(stop.Wait(kPatience), Cause::kReload);
  Signal(SIGUSR1);
  EXPECT_EQ(stop.Wait(kPatience), Cause::kReopen);
  EXPECT_EQ(stop.signal_name(), "SIGUSR1");
  EXPECT_EQ(stop.Wait(kAtOnce), Cause::kNone) << "each signal is returned once";
}

// In a process of its own: after another StopRequest, the signals are blocked already.
TEST(StopRequestTest, SignalsThatAreHeldWaitForIt) {
  const auto child = [] {
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    StopRequest::HoldSignals();
    Signal(SIGUSR1);
    Signal(SIGHUP);
    StopRequest stop;
    const bool both =
        stop.Wait(kPatience) == Cause::kReload && stop.Wait(kPatience) == Cause::kReopen;
    _exit(both ? 0 : 1);
  };
  EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
}

TEST(StopRequestTest, TheFirstCauseRaisedIsTold) {
  StopRequest stop;
  stop.Raise(Cause::kEndOfSource);
  stop.Raise(Cause::kSourceFailed);
  EXPECT_EQ(stop.Wait(kPatience), Cause::kEndOfSource);
  EXPECT_EQ(stop.Wait(kAtOnce), Cause::kNone);
}

TEST(StopRequestTest, ASignalGoesBeforeTheEndOfTheSourceAndLosesNothing) {
  StopRequest stop;
  stop.Raise(Cause::kEndOfSource);
  Signal(SIGTERM);
  EXPECT_EQ(stop.Wait(kPatience), Cause::kSignal);
  EXPECT_EQ(stop.Wait(kPatience), Cause::kEndOfSource);
}

TEST(StopRequestTest, RaisingWakesWhoWaits) {
  StopRequest stop;
  std::jthread engine([&] { stop.Raise(Cause::kEndOfSource); });
  EXPECT_EQ(stop.Wait(kPatience), Cause::kEndOfSource);
}

TEST(StopRequestTest, AReaderThatWentAwayIsAnErrorOfAWrite) {
  StopRequest stop;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  close(ends[1]);
}

}  // namespace
}  // namespace sash
