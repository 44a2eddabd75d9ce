#include "daemon/memory/thread_list.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <latch>
#include <thread>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

TEST(ThreadListTest, HasEveryThreadByItsName) {
  std::latch named(2);
  std::latch done(1);
  std::thread other([&] {
    pthread_setname_np(pthread_self(), "a) S (b");
    named.count_down();
    done.wait();
  });
  named.arrive_and_wait();
  const std::vector<ThreadStanding> threads = ListThreads();
  done.count_down();
  other.join();
  const auto found = std::ranges::find(threads, "a) S (b", &ThreadStanding::name);
  ASSERT_NE(found, threads.end());
  EXPECT_NE(found->state, "unknown");
  EXPECT_TRUE(std::ranges::is_sorted(threads, {}, &ThreadStanding::id));
  EXPECT_EQ(std::ranges::count(threads, ::getpid(), &ThreadStanding::id), 1);
}

TEST(ThreadListTest, ReadsStateAndTimesAsTheKernelWritesThem) {
  const testing::ScratchFolder folder;
  std::filesystem::create_directory(folder.File("71"));
  std::filesystem::create_directory(folder.File("9"));
  testing::Write(folder.File("71/stat"),
                 "71 (engine) R 1 71 71 0 -1 4194368 1234 0 3 0 250 50 0 0 20 0 9 0 100 1 1\n");
  testing::Write(folder.File("9/stat"), "");  // a thread that has just ended
  const std::vector<ThreadStanding> threads = ListThreads(folder.File(""));
  ASSERT_EQ(threads.size(), 1U);
  EXPECT_EQ(threads[0].id, 71);
  EXPECT_EQ(threads[0].name, "engine");
  EXPECT_EQ(threads[0].state, "running");
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  EXPECT_DOUBLE_EQ(threads[0].user_seconds, 250 / ticks);
  EXPECT_DOUBLE_EQ(threads[0].system_seconds, 50 / ticks);
}

}  // namespace
}  // namespace sash
