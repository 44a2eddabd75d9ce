#include "daemon/http/work_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace sash {
namespace {

using ::testing::ElementsAre;

TEST(WorkQueueTest, WorkIsTakenInTheOrderInWhichItWasGiven) {
  WorkQueue queue;
  std::vector<int> done;
  const auto give = [&](int number) { queue.Push([&done, number] { done.push_back(number); }); };
  const auto take = [&] { queue.Take()(); };
  give(1);
  give(2);
  give(3);
  take();
  give(4);
  take();
  take();
  take();
  EXPECT_THAT(done, ElementsAre(1, 2, 3, 4));
}

TEST(WorkQueueTest, TheWorkOfEachThreadIsDoneOnceAndInItsOrder) {
  constexpr int kThreads = 4;
  constexpr int kWork = 5'000;
  WorkQueue queue;
  std::vector<std::vector<int>> done(kThreads);
  std::thread taker([&] {
    while (const WorkQueue::Work work = queue.Take()) work();
  });
  std::vector<std::thread> givers;
  for (int t = 0; t < kThreads; ++t) {
    givers.emplace_back([&, t] {
      for (int i = 0; i < kWork; ++i) queue.Push([&done, t, i] { done[t].push_back(i); });
    });
  }
  for (std::thread& giver : givers) giver.join();
  queue.Push([&] { queue.Stop(); });
  taker.join();
  for (const std::vector<int>& of_thread : done) {
    ASSERT_EQ(of_thread.size(), kWork);
    for (int i = 0; i < kWork; ++i) ASSERT_EQ(of_thread[i], i);
  }
}

TEST(WorkQueueTest, AStopEndsTheWaitAndWorkStaysUntilItIsDropped) {
  WorkQueue queue;
  std::thread taker([&] { EXPECT_FALSE(queue.Take()); });
  queue.Stop();
  taker.join();
  const auto held = std::make_shared<int>(1);
  for (int i = 0; i < 2; ++i) queue.Push([held] {});
  EXPECT_FALSE(queue.Take());
  EXPECT_EQ(held.use_count(), 3);
  queue.Drop();
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace sash
