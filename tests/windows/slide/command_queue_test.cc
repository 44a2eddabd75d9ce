#include "windows/slide/command_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sash {
namespace {

TEST(CommandQueueTest, CommandsAreExecutedInTheirOrderByTheExecutingThread) {
  CommandQueue queue;
  std::vector<int> executed;
  PendingCommand first = queue.Submit([&]() -> Status {
    executed.push_back(1);
    return Ok();
  });
  PendingCommand second = queue.Submit([&]() -> Status {
    executed.push_back(2);
    return Error{ErrorCode::kNotFound, "nothing there"};
  });
  EXPECT_FALSE(first.IsReady());
  queue.Execute();
  EXPECT_EQ(executed, (std::vector<int>{1, 2}));
  EXPECT_TRUE(first.get().ok());
  EXPECT_EQ(second.get().error().message, "nothing there");
}

TEST(CommandQueueTest, WhatIsLeftIsRefusedWhenItClosesAndWhatComesLaterToo) {
  CommandQueue queue;
  const auto never = []() -> Status {
    ADD_FAILURE() << "executed after the end";
    return Ok();
  };
  PendingCommand waiting = queue.Submit(never);
  queue.Close();
  EXPECT_EQ(waiting.get().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(queue.Submit(never).get().error().code, ErrorCode::kUnavailable);
  queue.Execute();
}

TEST(CommandQueueTest, WhatIsTakenBackIsNeverExecuted) {
  CommandQueue queue;
  PendingCommand unwanted = queue.Submit([]() -> Status {
    ADD_FAILURE() << "executed";
    return Ok();
  });
  PendingCommand wanted = queue.Submit([]() -> Status { return Ok(); });
  EXPECT_TRUE(unwanted.TakeBack());
  EXPECT_FALSE(unwanted.IsReady());
  queue.Execute();
  EXPECT_EQ(unwanted.get().error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(wanted.TakeBack()) << "it is already done";
  EXPECT_TRUE(wanted.get().ok());
}

TEST(CommandQueueTest, MoreThanItsBoundIsRefusedAtOnce) {
  CommandQueue queue;
  std::vector<PendingCommand> answers;
  for (std::size_t i = 0; i <= CommandQueue::kMostWaiting; ++i) {
    answers.push_back(queue.Submit([]() -> Status { return Ok(); }));
  }
  EXPECT_FALSE(answers.front().IsReady());
  ASSERT_TRUE(answers.back().IsReady());
  EXPECT_EQ(answers.back().get().error().code, ErrorCode::kOverloaded);
}

TEST(CommandQueueTest, EveryCommandOfManyThreadsIsAnswered) {
  CommandQueue queue;
  int executed = 0;  // only by this thread
  std::atomic<int> threads = 4;
  std::atomic<int> succeeded = 0;
  std::vector<std::thread> others;
  for (int t = 0; t < 4; ++t) {
    others.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        PendingCommand answer = queue.Submit([&]() -> Status {
          ++executed;
          return Ok();
        });
        if (answer.get()) ++succeeded;
      }
      --threads;
    });
  }
  while (threads > 0) queue.Execute();
  for (std::thread& other : others) other.join();
  EXPECT_EQ(executed, 800);
  EXPECT_EQ(succeeded, 800);
}

}  // namespace
}  // namespace sash
