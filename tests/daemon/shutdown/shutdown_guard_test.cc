#include "daemon/shutdown/shutdown_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <optional>
#include <thread>

#include "tests/support/kept_log.h"

namespace sash {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

void SendMyself(int number) { ASSERT_EQ(kill(getpid(), number), 0); }

bool IsPending(int number) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, number) == 1;
}

TEST(ShutdownGuardTest, LeavesAStopInPeaceThatIsInTime) {
  StopRequest stop;
  KeptLog log;
  std::atomic<int> cuts = 0;
  {
    ShutdownGuard guard(stop, log, hours(1), [&] { ++cuts; });
    guard.Release();
    guard.Release();
    EXPECT_FALSE(guard.acted());
  }
  EXPECT_EQ(cuts, 0);
  EXPECT_TRUE(log.lines().empty());
}

TEST(ShutdownGuardTest, CutsShortOnceWhenTheDeadlineIsNear) {
  StopRequest stop;
  KeptLog log;
  std::latch cut(1);  // a second count_down() would be undefined: once is checked by `cuts`
  std::atomic<int> cuts = 0;
  ShutdownGuard guard(stop, log, milliseconds(1), [&] {
    if (++cuts == 1) cut.count_down();
  });
  cut.wait();
  guard.Release();
  EXPECT_TRUE(guard.acted());
  EXPECT_EQ(cuts, 1);
}

TEST(ShutdownGuardTest, CutsShortOnASignalWithAndWithoutADeadline) {
  for (const std::optional<nanoseconds> deadline : {std::optional<nanoseconds>(), {hours(1)}}) {
    StopRequest stop;
    KeptLog log;
    std::latch cut(1);
    ShutdownGuard guard(stop, log, deadline, [&] { cut.count_down(); });
    SendMyself(SIGTERM);
    cut.wait();
    guard.Release();
    EXPECT_TRUE(guard.acted());
  }
}

TEST(ShutdownGuardTest, DoesNotTakeAReloadForASignalToStop) {
  StopRequest stop;
  KeptLog log;
  std::latch cut(1);
  ShutdownGuard guard(stop, log, hours(1), [&] { cut.count_down(); });
  SendMyself(SIGHUP);
  while (IsPending(SIGHUP)) std::this_thread::yield();
  guard.Release();
  EXPECT_FALSE(guard.acted());
}

// The log of the process that dies in a death test.
class StandardErrorLog final : public EventLog {
 public:
  void Write(const LogLine& line) override {
    std::fprintf(stderr, "%s\n", std::string(line.message).c_str());
  }
};

[[noreturn]] void NeverEnd(std::optional<nanoseconds> deadline, int signals) {
  StopRequest stop;
  StandardErrorLog log;
  std::latch cut(1);
  ShutdownGuard guard(stop, log, deadline, [&] { cut.count_down(); });
  if (signals > 0) SendMyself(SIGTERM);
  cut.wait();
  if (signals > 1) SendMyself(SIGTERM);
  for (;;) pause();
}

TEST(ShutdownGuardDeathTest, EndsByForceWhatDoesNotEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(NeverEnd(milliseconds(1), 0), ::testing::ExitedWithCode(1),
              "ended by force: the work in progress did not stop in time");
}

TEST(ShutdownGuardDeathTest, EndsByForceAtOnceOnAnotherSignal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EXIT(NeverEnd(std::nullopt, 2), ::testing::ExitedWithCode(1),
              "ended by force, on another signal");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(4))
      << "the process must not wait for the grace period";
}

}  // namespace
}  // namespace sash
