// Events that are ahead of the clock, and clocks that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/connectors/kafka/kafka_source_fixture.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

TEST_F(KafkaSourceTest, ARecordTooFarAheadOfTheClockHoldsItsPartitionBackFromNothing) {
  const auto now =
      std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  const auto at = [](std::int64_t time) { return "a b " + std::to_string(time); };
  for (int partition = 0; partition < kPartitions; ++partition) {
    producer_.Send("edges", partition, at(now));
  }
  SourceHarness harness(kafka_.brokers());
  harness.policy.max_drift = std::chrono::seconds(10);
  harness.policy.idle_after = std::chrono::hours(1);
  harness.policy.ahead_limit = std::chrono::minutes(30);
  harness.Start();
  ASSERT_TRUE(harness.PopEvents(kPartitions)) << harness.log.Text();
  producer_.Send("edges", 0, at(now + 3'600'000));
  for (int i = 0; i < 20'000; ++i) producer_.Send("edges", 0, at(now + i / 10));
  producer_.Flush();
  ASSERT_TRUE(harness.PopEvents(kPartitions + 20'001)) << harness.events.size();
  EXPECT_EQ(harness.source->counters().pauses, 0u);
}

// The clock of a machine that is wrong by `wrong_by`.
class SetClock final : public Clock {
 public:
  EventTime Now() const override { return std::chrono::system_clock::now() + Duration(wrong_by); }
  SteadyTime Steady() const override { return right_.Steady(); }
  std::atomic<Duration::rep> wrong_by = 0;

 private:
  const SystemClock right_;
};

TEST_F(KafkaSourceTest, WithAClockThatIsTwoHoursBehindRecordsWaitUntilItIsRight) {
  constexpr std::size_t kRecords = 40'000;  // each partition has more than one round takes
  const auto now =
      std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  auto clock = std::make_unique<SetClock>();
  SetClock& set = *clock;
  set.wrong_by = -Duration(std::chrono::hours(2)).count();
  SourceHarness harness(kafka_.brokers());
  harness.clock = std::move(clock);
  harness.policy.idle_after = milliseconds(1);
  harness.Start();
  ASSERT_TRUE(harness.PopCaughtUp()) << harness.log.Text();
  for (std::size_t i = 0; i < kRecords; ++i) {
    producer_.Send("edges", static_cast<int>(i % kPartitions), "a b " + std::to_string(now));
  }
  producer_.Flush();
  ASSERT_TRUE(harness.log.WaitFor("is the clock behind?")) << harness.log.Text();
  const auto full = [](const PartitionStatus& partition) {
    return partition.held_ahead >= 1000 && partition.position == 0;
  };
  const auto text = [&] {
    std::string text;
    for (const PartitionStatus& partition : harness.source->status().partitions) {
      text += std::to_string(partition.held_ahead) + (partition.paused ? " paused, at " : ", at ") +
              std::to_string(partition.position) + "\n";
    }
    return text;
  };
  // A partition that was read to its end in the meantime is not paused.
  ASSERT_TRUE(harness.PopUntil([&] {
    const std::vector<PartitionStatus> partitions = harness.source->status().partitions;
    return std::ranges::all_of(partitions, full) &&
           std::ranges::any_of(partitions, &PartitionStatus::paused);
  })) << text()
      << harness.log.Text();
  const SourceStatus held = harness.source->status();
  ASSERT_EQ(held.not_ready.size(), 1u);
  EXPECT_THAT(held.not_ready[0], ::testing::HasSubstr("none is refused"));
  EXPECT_TRUE(harness.events.empty());
  EXPECT_TRUE(harness.PopUntil(
      [&] { return harness.Marks(Mark::Kind::kBehind) == std::size_t{kPartitions}; }));
  EXPECT_TRUE(harness.events.empty());
  set.wrong_by = 0;
  ASSERT_TRUE(harness.PopEvents(kRecords)) << harness.events.size();
  ASSERT_TRUE(harness.log.WaitFor("no record waits for the clock any more"));
  EXPECT_TRUE(harness.source->status().not_ready.empty());
  ASSERT_TRUE(harness.PopUntil([&] { return harness.caught_up; })) << harness.log.Text();
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    EXPECT_EQ(harness.Offsets(partition), Range(0, kRecords / kPartitions));
  }
  EXPECT_TRUE(harness.refusals.seen().empty());
}

}  // namespace
}  // namespace sash
