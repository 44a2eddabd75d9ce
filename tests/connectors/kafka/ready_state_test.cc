#include "connectors/kafka/ready_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

constexpr LogEvent kDown{"test.down", LogSeverity::kWarning};
constexpr LogEvent kUp{"test.up", LogSeverity::kInfo};

TEST(ReadyStateTest, LogsOneLinePerChange) {
  RecordingLog log;
  ReadyState ready(log);
  ready.Set("brokers", kDown, "down", "no broker, tried 1 time");
  ready.Set("brokers", kDown, "down", "no broker, tried 2 times");
  EXPECT_EQ(log.Count("no broker"), 1u);
  EXPECT_THAT(ready.Reasons(), ::testing::ElementsAre("no broker, tried 2 times"));
  ready.Set("brokers", kDown, "refused", "not allowed");
  EXPECT_EQ(log.Count("not allowed"), 1u);
  ready.Clear("brokers", kUp, "back");
  ready.Clear("brokers", kUp, "back");
  EXPECT_EQ(log.Count("back"), 1u);
  EXPECT_TRUE(ready.Reasons().empty());
  EXPECT_FALSE(ready.IsSet("brokers"));
}

TEST(ReadyStateTest, SubjectsAreIndependent) {
  RecordingLog log;
  ReadyState ready(log);
  ready.Set("a", kDown, "x", "a is down");
  ready.Set("b", kDown, "x", "b is down");
  ready.Clear("a", kUp, "a is up");
  EXPECT_THAT(ready.Reasons(), ::testing::ElementsAre("b is down"));
}

}  // namespace
}  // namespace sash
