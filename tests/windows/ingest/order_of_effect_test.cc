#include "windows/ingest/order_of_effect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <ostream>
#include <random>
#include <tuple>

namespace sash {
namespace {

struct Shape {
  PartitionIndex partitions;
  std::int64_t step;      // time from one event of a partition to its next
  std::int64_t disorder;  // how much earlier an event may be
  bool remarks;           // some events have a weight, some are removals
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.partitions << " partitions, step " << shape.step << ", disorder " << shape.disorder;
}

class OrderOfEffectTest : public ::testing::TestWithParam<Shape> {};

TEST_P(OrderOfEffectTest, IsByTimeThenPartitionThenOffset) {
  const Shape shape = GetParam();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto draw = [&](std::int64_t limit) {
      return std::uniform_int_distribution<std::int64_t>(0, limit)(random);
    };
    std::deque<PartitionLog> logs;
    std::vector<BufferedEvent> events;
    for (PartitionIndex p = 0; p < shape.partitions; ++p) {
      PartitionLog& log = logs.emplace_back(p);
      std::int64_t time = draw(10) - 5;  // before the epoch too
      const std::int64_t count = 1 + draw(400);
      for (std::int64_t offset = 0; offset < count; ++offset) {
        BufferedEvent event{.time = EventTime(Duration(time - draw(shape.disorder))),
                            .offset = offset,
                            .source = static_cast<VertexId>(events.size()),
                            .target = static_cast<VertexId>(draw(50)),
                            .partition = p};
        if (shape.remarks && draw(3) == 0) event.weight = Weight::Integer(draw(9));
        if (shape.remarks && draw(9) == 0) event.weight = Weight::Real(0.25);
        if (shape.remarks && draw(9) == 0) event.operation = Operation::kRemove;
        if (seed % 3 == 0 && draw(2) == 0) event.passes = static_cast<FilterBits>(draw(7));
        if (seed % 4 == 0) event.type = static_cast<TypeNumber>(draw(seed % 8 == 0 ? 2 : 400));
        log.Append(event);
        events.push_back(event);
        time += draw(shape.step);
      }
    }
    std::vector<const PartitionLog*> pointers;
    for (const PartitionLog& log : logs) pointers.push_back(&log);
    Slice slice;
    FillInOrder(pointers, slice);

    std::ranges::sort(events, {}, [](const BufferedEvent& event) {
      return std::tuple(event.time, event.partition, event.offset);
    });
    ASSERT_EQ(slice.size(), events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      ASSERT_EQ(slice.sources[i], events[i].source) << "event " << i;
      ASSERT_EQ(slice.targets[i], events[i].target) << "event " << i;
      ASSERT_EQ(slice.operation(i), events[i].operation) << "event " << i;
      ASSERT_EQ(slice.weights[i], events[i].weight) << "event " << i;
      ASSERT_EQ(slice.types[i], events[i].type) << "event " << i;
      if (!slice.passes.empty()) {
        ASSERT_EQ(slice.passes[i], events[i].passes) << "event " << i;
      }
    }
    EXPECT_EQ(slice.passes.empty(), std::ranges::all_of(events, [](const BufferedEvent& event) {
                return event.passes == kPassesAll;
              }));
    EXPECT_EQ(slice.types.width(),
              WidthOf(std::ranges::max(events, {}, &BufferedEvent::type).type));
    if (!shape.remarks) {
      EXPECT_TRUE(slice.operations.empty());
      EXPECT_EQ(slice.weights.kind(), WeightColumn::Kind::kOnes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, OrderOfEffectTest,
                         ::testing::Values(Shape{1, 3, 0, false},
                                           Shape{1, 3, 40, false},  // one log: sorted, unsorted
                                           Shape{4, 0, 0, true},    // all at the same time
                                           Shape{2, 3, 0, false}, Shape{5, 3, 0, true},  // merged
                                           Shape{4, 3, 40, true},
                                           Shape{40, 3, 0, false}));  // sorted

TEST(OrderOfNoLogsTest, IsNothing) {
  Slice slice;
  FillInOrder({}, slice);
  EXPECT_EQ(slice.size(), 0u);
}

}  // namespace
}  // namespace sash
