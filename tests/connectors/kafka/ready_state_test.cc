#include "connectors/kafka/ready_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

TEST(ReadyStateTest, LogsOneLinePerChange) {
  RecordingLog log;
  ReadyState ready(log);
  ready.Set("brokers", "down", "no broker, tried 1 time");
  ready.Set("brokers", "down", "no broker, tried 2 times");
  EXPECT_EQ(log.Count("no broker"), 1u);
  EXPECT_THAT(ready.Reasons(), testing::ElementsAre("no broker, tried 2 times"));
  ready.Set("brokers", "refused", "not allowed");
  EXPECT_EQ(log.Count("not allowed"), 1u);
  ready.Clear("brokers", "back");
  ready.Clear("brokers", "back");
  EXPECT_EQ(log.Count("back"), 1u);
  EXPECT_TRUE(ready.Reasons().empty());
  EXPECT_FALSE(ready.IsSet("brokers"));
}

TEST(ReadyStateTest, SubjectsAreIndependent) {
  RecordingLog log;
  ReadyState ready(log);
  ready.Set("a", "x", "a is down");
  ready.Set("b", "x", "b is down");
  ready.Clear("a", "a is up");
  EXPECT_THAT(ready.Reasons(), testing::ElementsAre("b is down"));
}

}  // namespace
}  // namespace sash
