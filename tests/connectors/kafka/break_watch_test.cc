#include "connectors/kafka/break_watch.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int16_t kProduceRequest = 0;
constexpr std::int16_t kFetchRequest = 1;
constexpr std::int16_t kMetadataRequest = 3;
constexpr std::int16_t kApiVersionRequest = 18;

class BreakWatchTest : public ::testing::Test {
 protected:
  bool Breaks(std::int32_t broker, std::int16_t request, milliseconds later = milliseconds(1)) {
    now_ += later;
    const std::uint64_t before = watch_.breaks();
    watch_.Sent(broker, request, now_);
    return watch_.breaks() != before;
  }

  BreakWatch watch_;
  std::chrono::steady_clock::time_point now_{seconds(100)};
};

TEST_F(BreakWatchTest, AConnectionAndAQuestionForMetadataAreBreaks) {
  EXPECT_TRUE(Breaks(1, kApiVersionRequest));
  EXPECT_TRUE(Breaks(1, kMetadataRequest));
  EXPECT_FALSE(Breaks(1, kProduceRequest));
  EXPECT_FALSE(Breaks(-1, kApiVersionRequest)) << "a broker without a number leads no partition";
}

TEST_F(BreakWatchTest, AQuestionOfOursIsNone) {
  const std::uint64_t before = watch_.breaks();
  EXPECT_TRUE(Breaks(1, kMetadataRequest));
  watch_.Forgive();
  EXPECT_EQ(watch_.breaks(), before);
}

TEST_F(BreakWatchTest, ABrokerThatNobodyAskedForSecondsIsABreak) {
  EXPECT_FALSE(Breaks(1, kFetchRequest)) << "the first request for records is no break";
  EXPECT_FALSE(Breaks(2, kFetchRequest));
  EXPECT_FALSE(Breaks(1, kFetchRequest, milliseconds(1200))) << "librdkafka may pause for a second";
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(Breaks(1, kFetchRequest, milliseconds(500)));
  EXPECT_TRUE(Breaks(2, kFetchRequest)) << "broker 2 was not asked for seconds";
  EXPECT_TRUE(Breaks(1, kFetchRequest, seconds(3)));
  EXPECT_FALSE(Breaks(1, kFetchRequest));
}

}  // namespace
}  // namespace sash
