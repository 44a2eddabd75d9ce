// Brokers that hold connections open and answer nothing: no step of a producer waits longer than
// its patience, and closing it does not wait.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/kafka/transactional_producer.h"
#include "tests/connectors/kafka/mock_kafka.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{300};
// For a loaded computer. librdkafka's own timeouts are 60 s.
constexpr milliseconds kSlack{2500};
constexpr std::chrono::seconds kLong{20};

milliseconds Took(const std::function<void()>& call) {
  const auto begun = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begun);
}

class SilentBrokerSinkTest : public ::testing::Test {
 protected:
  SilentBrokerSinkTest() { kafka_.CreateTopic("results"); }

  // A producer with an open transaction, which has a message.
  std::unique_ptr<TransactionalProducer> OpenTransaction() {
    const KafkaDestination to{.brokers = kafka_.brokers(), .topic = "results"};
    auto opened = TransactionalProducer::Open(to, "id", TopicProducer::Spread::kByOrigin);
    EXPECT_TRUE(opened.ok());
    std::unique_ptr<TransactionalProducer> producer = std::move(opened).value();
    EXPECT_EQ(producer->Init(kLong).outcome, TransactionalProducer::Outcome::kDone);
    EXPECT_EQ(producer->Begin().outcome, TransactionalProducer::Outcome::kDone);
    TopicMessage message;
    message.key = "key";
    message.value = "value";
    EXPECT_TRUE(producer->producer().Send(1, message).ok());
    const auto deadline = std::chrono::steady_clock::now() + kLong;
    while (producer->producer().Poll(milliseconds(20)).empty() &&
           std::chrono::steady_clock::now() < deadline) {
      continue;
    }
    return producer;
  }

  void ExpectNoLongWait(
      const char* name,
      const std::function<TransactionalProducer::Step(TransactionalProducer&)>& do_step) {
    std::unique_ptr<TransactionalProducer> producer = OpenTransaction();
    kafka_.BeSilent();
    TransactionalProducer::Step step;
    EXPECT_LT(Took([&] { step = do_step(*producer); }), kPatience + kSlack) << name;
    EXPECT_NE(step.outcome, TransactionalProducer::Outcome::kDone) << name;
    EXPECT_LT(Took([&] { producer.reset(); }), kSlack) << name;
  }

  MockKafka kafka_;
};

TEST_F(SilentBrokerSinkTest, AQuestionWaitsNoLongerThanItMay) {
  const KafkaDestination to{.brokers = kafka_.brokers(), .topic = "results"};
  kafka_.BeSilent();
  auto opened = TransactionalProducer::Open(to, "id", TopicProducer::Spread::kByOrigin);
  ASSERT_TRUE(opened.ok());
  std::unique_ptr<TransactionalProducer> producer = std::move(opened).value();
  EXPECT_LT(Took([&] { EXPECT_FALSE(producer->producer().Probe(kPatience).ok()); }),
            kPatience + kSlack);
  EXPECT_LT(Took([&] {
              EXPECT_EQ(producer->Init(kPatience).outcome, TransactionalProducer::Outcome::kAgain);
            }),
            kPatience + kSlack);
  EXPECT_LT(Took([&] { producer.reset(); }), kSlack);
}

TEST_F(SilentBrokerSinkTest, ACommitOfOffsetsWaitsNoLongerThanItMay) {
  const std::vector<PartitionOffset> offsets = {{{"results", 0}, 1, {}}};
  ExpectNoLongWait("Commits", [&](TransactionalProducer& producer) {
    return producer.Commits("group", offsets, kPatience);
  });
}

TEST_F(SilentBrokerSinkTest, AnAbortAfterOffsetsThatNobodyTookWaitsNoLongerThanItMay) {
  std::unique_ptr<TransactionalProducer> producer = OpenTransaction();
  kafka_.BeSilent();
  const std::vector<PartitionOffset> offsets = {{{"results", 0}, 1, {}}};
  EXPECT_EQ(producer->Commits("group", offsets, kPatience).outcome,
            TransactionalProducer::Outcome::kAgain);
  EXPECT_LT(Took([&] {
              EXPECT_EQ(producer->Commits("group", offsets, kPatience).outcome,
                        TransactionalProducer::Outcome::kAgain);
            }),
            kPatience + kSlack);
  EXPECT_LT(Took([&] {
              EXPECT_EQ(producer->Abort(kPatience).outcome, TransactionalProducer::Outcome::kAgain);
            }),
            kPatience + kSlack);
  EXPECT_LT(Took([&] { producer.reset(); }), kSlack);
}

TEST_F(SilentBrokerSinkTest, ACommitWaitsNoLongerThanItMay) {
  ExpectNoLongWait("Commit",
                   [](TransactionalProducer& producer) { return producer.Commit(kPatience); });
}

TEST_F(SilentBrokerSinkTest, AnAbortWaitsNoLongerThanItMay) {
  ExpectNoLongWait("Abort",
                   [](TransactionalProducer& producer) { return producer.Abort(kPatience); });
}

}  // namespace
}  // namespace sash
