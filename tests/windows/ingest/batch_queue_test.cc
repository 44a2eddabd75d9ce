#include "windows/ingest/batch_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace sash {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kLong{10'000};

EventBatch Batch(std::int64_t offset) {
  EventBatch batch;
  batch.Add({.time = {}, .offset = offset});
  return batch;
}

TEST(BatchQueueTest, AFullQueueRefusesAndLeavesTheBatchUntouched) {
  BatchQueue queue(1);
  EventBatch first = Batch(1);
  ASSERT_TRUE(queue.Push(first, milliseconds(0))) << "an empty queue takes a batch of any size";
  EXPECT_TRUE(first.empty());
  EventBatch second = Batch(2);
  EXPECT_FALSE(queue.Push(second, milliseconds(0)));
  ASSERT_EQ(second.events().size(), 1u);
  EXPECT_EQ(second.events()[0].offset, 2);
}

TEST(BatchQueueTest, NothingIsLostAndOrderHoldsWhileTheSourceWaits) {
  BatchQueue queue(3 * sizeof(EdgeEvent));
  constexpr std::int64_t kBatches = 2'000;
  std::jthread source([&] {
    for (std::int64_t i = 0; i < kBatches; ++i) {
      EventBatch batch = Batch(i);
      ASSERT_TRUE(queue.Push(batch, kLong));
    }
  });
  for (std::int64_t i = 0; i < kBatches; ++i) {
    const std::optional<EventBatch> batch = queue.Pop(kLong);
    ASSERT_TRUE(batch.has_value());
    ASSERT_EQ(batch->events()[0].offset, i);
  }
  EXPECT_EQ(queue.bytes(), 0u);
}

TEST(BatchQueueTest, CloseHandsOutWhatIsInside) {
  BatchQueue queue(1 << 20);
  EventBatch batch = Batch(1);
  ASSERT_TRUE(queue.Push(batch, kLong));
  queue.Close();
  EXPECT_FALSE(queue.Push(batch, kLong));
  EXPECT_TRUE(queue.Pop(kLong).has_value());
  EXPECT_FALSE(queue.Pop(kLong).has_value());
}

}  // namespace
}  // namespace sash
