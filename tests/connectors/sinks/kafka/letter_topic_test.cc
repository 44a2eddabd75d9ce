#include "connectors/sinks/kafka/letter_topic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/connectors/kafka/topic_contents.h"
#include "tests/connectors/sinks/full_disk.h"
#include "tests/connectors/sinks/kafka/awaited.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::Await;
using ::testing::Contains;
using testing::Drain;
using ::testing::ElementsAre;
using testing::FullDisk;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using testing::ScratchFolder;
using ::testing::UnorderedElementsAre;

class LetterTopicTest : public ::testing::Test {
 protected:
  LetterTopicTest() {
    kafka_.CreateTopic("refused");
    to_.brokers = kafka_.brokers();
    to_.topic = "refused";
    to_.outbox.path = folder_.File("outbox");
  }

  std::unique_ptr<LetterTopic> Open() {
    Result<std::unique_ptr<LetterTopic>> topic = LetterTopic::Open(to_, false, log_);
    EXPECT_TRUE(topic.ok()) << topic.error().message;
    return std::move(topic).value();
  }
  static RefusedRecord Record(std::int64_t offset, std::optional<std::string_view> key,
                              std::optional<std::string_view> payload) {
    return {.topic = "edges",
            .partition = 2,
            .offset = offset,
            .timestamp = EventTime(std::chrono::milliseconds(1'767'225'600'123)),
            .reason = RefusalReason::kInvalidWeight,
            .detail = "weight is \"x\"",
            .stage = "decode",
            .payload = payload,
            .key = key};
  }
  std::vector<ReadMessage> Held() const { return TopicContents(kafka_.brokers(), "refused"); }

  MockKafka kafka_;
  ScratchFolder folder_;
  KeptLog log_;
  KafkaDestination to_;
};

TEST_F(LetterTopicTest, SendsTheRecordAsItCameAndSaysWhyInHeaders) {
  const auto letters = Open();
  const std::string key("k\0\xff", 3);
  const std::string value("\x00{\t\n\xfe", 5);
  letters->Refuse(Record(17, key, value));
  Drain(letters->topic());
  const std::vector<ReadMessage> held = Held();
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].key, key);
  EXPECT_EQ(held[0].value, value);
  EXPECT_THAT(
      held[0].headers,
      UnorderedElementsAre(
          Pair("sash.topic", "edges"), Pair("sash.partition", "2"), Pair("sash.offset", "17"),
          Pair("sash.timestamp", "2026-01-01T00:00:00.123Z"), Pair("sash.reason", "invalid_weight"),
          Pair("sash.stage", "decode"), Pair("sash.error", "weight is \"x\"")));
  EXPECT_EQ(letters->topic().Counts().sink, "dead_letters:refused");
}

TEST_F(LetterTopicTest, AMessageIsReadBackAsTheLetterThatItIs) {
  const DeadLetter letter{.topic = "edges",
                          .partition = 2,
                          .offset = 17,
                          .timestamp = EventTime(std::chrono::milliseconds(5)),
                          .reason = "late",
                          .stage = "window",
                          .detail = "why",
                          .key = "k"};
  TopicMessage message = LetterMessage(letter);
  const Result<DeadLetter> read = LetterOf(message);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().topic, "edges");
  EXPECT_EQ(read.value().partition, 2);
  EXPECT_EQ(read.value().offset, 17);
  EXPECT_EQ(read.value().timestamp, letter.timestamp);
  EXPECT_EQ(read.value().stage, "window");
  EXPECT_EQ(read.value().key, "k");
  EXPECT_EQ(read.value().payload, std::nullopt);
  EXPECT_EQ(read.value().headers, OwnHeaders());
  message.headers.pop_back();
  EXPECT_THAT(LetterOf(message).error().message, HasSubstr("has no header sash.error"));
}

TEST_F(LetterTopicTest, TheHeadersOfTheRecordGoBeforeOurs) {
  const DeadLetter letter{.topic = "edges",
                          .reason = "missing_field",
                          .stage = "decode",
                          .detail = "why",
                          .headers = {{"ce_id", "1"}, {"sash.topic", "other"}, {"none", {}}}};
  const TopicMessage message = LetterMessage(letter);
  EXPECT_EQ(message.headers[0], (std::pair<std::string, std::string>("ce_id", "1")));
  const Result<DeadLetter> read = LetterOf(message);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().topic, "edges") << "the last one is ours";
  EXPECT_EQ(read.value().headers,
            (OwnHeaders{{"ce_id", "1"}, {"sash.topic", "other"}, {"none", ""}}));
}

TEST_F(LetterTopicTest, LettersWaitOnDiskWhileTheBrokerIsAwayAndTheNextProcessSendsThem) {
  kafka_.SetDown();
  {
    const auto letters = Open();
    for (const std::int64_t offset : {1, 2, 3}) letters->Refuse(Record(offset, "k", "broken"));
    EXPECT_TRUE(letters->Flush().ok());
    ASSERT_TRUE(Await([&] { return !letters->topic().NotReady().empty(); }));
    EXPECT_THAT(letters->topic().NotReady(),
                ElementsAre(HasSubstr("dead letters to refused: no broker can be reached: ")));
    EXPECT_FALSE(letters->topic().Counts().ready);
  }
  kafka_.SetUp();
  const auto letters = Open();
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("3 letters from an earlier run wait in ")));
  Drain(letters->topic());
  EXPECT_EQ(Held().size(), 3u);
  EXPECT_EQ(letters->topic().Counts().delivered, 3u);
}

TEST_F(LetterTopicTest, WhatTheOutboxHasNoRoomForIsCountedAndHoldsNoCommitUp) {
  to_.outbox.limit_bytes = 1000;
  kafka_.SetDown();
  const auto letters = Open();
  for (std::int64_t offset = 0; offset < 10; ++offset) letters->Refuse(Record(offset, "k", "x"));
  const KafkaSinkCounts counts = letters->topic().Counts();
  EXPECT_GT(counts.dropped, 0u);
  EXPECT_EQ(counts.dropped + counts.waiting, 10u);
  EXPECT_TRUE(letters->Flush().ok());
  EXPECT_THAT(letters->topic().NotReady(),
              Contains(HasSubstr("is full, letters do not reach the topic")));
  kafka_.SetUp();
  Drain(letters->topic());
  letters->Refuse(Record(10, "k", "x"));
  EXPECT_THAT(letters->topic().NotReady(), Not(Contains(HasSubstr("is full"))));
}

TEST_F(LetterTopicTest, WhatIsTooLargeIsLostToTheTopicSaidOnceAndNoReasonNotToBeReady) {
  to_.options = {{"message.max.bytes", "2000"}};
  const auto letters = Open();
  const std::string large(3000, 'x');
  letters->Refuse(Record(1, "k", large));
  letters->Refuse(Record(2, "k", large));
  letters->Refuse(Record(3, "k", "x"));
  Drain(letters->topic());
  EXPECT_EQ(letters->topic().Counts().refused, 2u);
  EXPECT_EQ(letters->topic().Counts().delivered, 1u);
  EXPECT_THAT(letters->topic().NotReady(), IsEmpty());
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("edges [2] offset 1 is larger than")));
}

TEST_F(LetterTopicTest, WhatIsNotOnDiskMayNotBeForgottenByTheSource) {
  kafka_.SetDown();
  const auto letters = Open();
  {
    const FullDisk full(0);
    letters->Refuse(Record(1, "k", "x"));
    EXPECT_FALSE(letters->Flush().ok());
    EXPECT_THAT(letters->topic().NotReady(), Contains(HasSubstr("committing stops")));
  }
  EXPECT_TRUE(letters->Flush().ok());
  EXPECT_THAT(letters->topic().NotReady(), Not(Contains(HasSubstr("committing stops"))));
}

}  // namespace
}  // namespace sash
