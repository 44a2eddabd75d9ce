// Dead letters of a topic, read while fetches fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <string>
#include <vector>

#include "daemon/letters/letter_reader.h"
#include "tests/connectors/kafka/mock_kafka.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int kFetch = 1;  // the API key

class LetterTopicReadingTest : public ::testing::Test {
 protected:
  LetterTopicReadingTest() {
    kafka_.CreateTopic("refused", 1);
    TestProducer producer(kafka_.brokers());
    for (const char* value : {"a", "b", "c"}) producer.Send("refused", 0, value);
    producer.Flush();
    from_.brokers = kafka_.brokers();
    from_.topic = "refused";
  }

  Status Read() {
    return ReadLetterTopic(from_, [&](const std::string& place, const Result<DeadLetter>&) {
      places_.push_back(place);
      return Status(Ok{});
    });
  }

  MockKafka kafka_;
  KafkaDestination from_;
  std::vector<std::string> places_;
};

TEST_F(LetterTopicReadingTest, AnOffsetThatIsOutOfRangeDoesNotEndAPartition) {
  kafka_.FailRequests(kFetch, RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE, 2);
  const Status read = Read();
  EXPECT_TRUE(read.ok());
  EXPECT_THAT(places_,
              ElementsAre(HasSubstr("offset 0"), HasSubstr("offset 1"), HasSubstr("offset 2")));
}

TEST_F(LetterTopicReadingTest, ABatchThatIsReadAtLastIsNotLost) {
  kafka_.FailRequests(kFetch, RD_KAFKA_RESP_ERR__BAD_MSG, 2);
  const Status read = Read();
  EXPECT_TRUE(read.ok());
  EXPECT_THAT(places_, SizeIs(3));
}

}  // namespace
}  // namespace sash
