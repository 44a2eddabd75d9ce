// Brokers that hold connections open and answer nothing: no question waits longer than its timeout,
// but that for the bounds of a partition (bounds_question.h says why), which can be interrupted. No
// consumer or member needs longer than it may to close.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/group_member.h"
#include "tests/connectors/kafka/mock_kafka.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kQuestion{300};
// For a loaded computer. librdkafka's own timeouts are 60 s.
constexpr milliseconds kScheduling{2000};

// Connections wait in its backlog: they open, and nothing is read or written.
class SilentPort {
 public:
  SilentPort() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::listen(socket_, 64), 0);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    brokers_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;
  ~SilentPort() { ::close(socket_); }

  const std::string& brokers() const { return brokers_; }

 private:
  const int socket_;
  std::string brokers_;
};

KafkaSpec SpecOf(const std::string& brokers) {
  KafkaSpec spec;
  spec.brokers = brokers;
  spec.topics = {"edges"};
  spec.group = "silent";
  return spec;
}

milliseconds TimeOf(const std::function<void()>& call) {
  const auto begun = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begun);
}

// Asks the questions of a consumer; each must fail in time.
void ExpectNoLongWait(ConsumerHandle& consumer) {
  const std::vector<TopicPartition> pairs = {{"edges", 0}, {"edges", 1}};
  const auto expect_failure_in_time = [](const char* name, const std::function<bool()>& ask) {
    bool answered = true;
    EXPECT_LT(TimeOf([&] { answered = ask(); }), kQuestion + kScheduling) << name;
    EXPECT_FALSE(answered) << name;
  };
  expect_failure_in_time("Addresses", [&] { return consumer.brokers().Addresses(kQuestion).ok(); });
  expect_failure_in_time(
      "PartitionCount", [&] { return consumer.brokers().PartitionCount("edges", kQuestion).ok(); });
  expect_failure_in_time("PartitionCounts",
                         [&] { return consumer.brokers().PartitionCounts(kQuestion).ok(); });
  expect_failure_in_time("Committed",
                         [&] { return consumer.brokers().Committed(pairs, kQuestion).ok(); });
  expect_failure_in_time("OffsetsAt", [&] {
    return consumer.brokers().OffsetsAt(pairs, EventTime(), kQuestion).ok();
  });
  expect_failure_in_time("Ends", [&] { return consumer.brokers().Ends(pairs, kQuestion).ok(); });
  expect_failure_in_time("IsCompacted",
                         [&] { return consumer.brokers().IsCompacted("edges", kQuestion).ok(); });
  // These need no answer.
  const std::vector<PartitionOffset> places = {{{"edges", 0}, 0, {}}, {{"edges", 1}, 0, {}}};
  EXPECT_LT(TimeOf([&] { (void)consumer.Assign(places); }), kScheduling);
  EXPECT_LT(TimeOf([&] { (void)consumer.Seek(places[0]); }), milliseconds(1000) + kScheduling);
  EXPECT_LT(TimeOf([&] { (void)consumer.Pause(pairs); }), kScheduling);
  EXPECT_LT(TimeOf([&] { (void)consumer.Resume(pairs); }), kScheduling);
  EXPECT_LT(TimeOf([&] { (void)consumer.Poll(kQuestion); }), kQuestion + kScheduling);
  EXPECT_LT(TimeOf([&] { (void)consumer.commits().Send(places); }), kScheduling);
  EXPECT_LT(TimeOf([&] { (void)consumer.commits().TakeOutcome(kQuestion); }),
            kQuestion + kScheduling);
}

TEST(SilentBrokerTest, ABrokerThatNeverAnswersDelaysNoQuestion) {
  const SilentPort port;
  auto opened = ConsumerHandle::Open(SpecOf(port.brokers()));
  ASSERT_TRUE(opened.ok());
  std::unique_ptr<ConsumerHandle> consumer = std::move(opened).value();
  ExpectNoLongWait(*consumer);
  EXPECT_LT(TimeOf([&] { consumer->Close(kQuestion); }), kQuestion + kScheduling);
  EXPECT_LT(TimeOf([&] { consumer.reset(); }), kScheduling);
}

TEST(SilentBrokerTest, ABrokerThatFallsSilentDelaysNoQuestion) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  auto opened = ConsumerHandle::Open(SpecOf(kafka.brokers()));
  ASSERT_TRUE(opened.ok());
  std::unique_ptr<ConsumerHandle> consumer = std::move(opened).value();
  const std::vector<TopicPartition> pairs = {{"edges", 0}};
  ASSERT_TRUE(consumer->QueryBounds(pairs[0], std::chrono::seconds(20)).ok());
  ASSERT_TRUE(consumer->brokers().Committed(pairs, std::chrono::seconds(20)).ok());
  kafka.BeSilent();
  ExpectNoLongWait(*consumer);
  EXPECT_LT(TimeOf([&] { consumer->Close(kQuestion); }), kQuestion + kScheduling);
  EXPECT_LT(TimeOf([&] { consumer.reset(); }), kScheduling);
}

TEST(SilentBrokerTest, APartitionWithoutALeaderDelaysNoQuestion) {
  MockKafka kafka(2);
  kafka.CreateTopic("edges");
  auto opened = ConsumerHandle::Open(SpecOf(kafka.brokers()));
  ASSERT_TRUE(opened.ok());
  ConsumerHandle& consumer = *opened.value();
  const TopicPartition pair{"edges", 0};
  ASSERT_TRUE(consumer.QueryBounds(pair, std::chrono::seconds(20)).ok());
  kafka.SetLeader("edges", 0, -1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(TimeOf([&] { (void)consumer.brokers().Ends(std::span(&pair, 1), kQuestion); }),
              kQuestion + kScheduling);
  }
}

TEST(SilentBrokerTest, AQuestionForBoundsCanBeInterrupted) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  auto opened = ConsumerHandle::Open(SpecOf(kafka.brokers()));
  ASSERT_TRUE(opened.ok());
  std::unique_ptr<ConsumerHandle> consumer = std::move(opened).value();
  const TopicPartition pair{"edges", 0};
  ASSERT_TRUE(consumer->QueryBounds(pair, std::chrono::seconds(20)).ok());
  kafka.BeSilent();
  std::jthread other([&] {
    std::this_thread::sleep_for(kQuestion);
    consumer->Interrupt();
  });
  const auto ask = [&] {
    const auto bounds = consumer->QueryBounds(pair, kQuestion);
    ASSERT_FALSE(bounds.ok());
    EXPECT_EQ(bounds.error().message, "bounds of edges [0]: stopped");
  };
  EXPECT_LT(TimeOf(ask), kQuestion + kScheduling);
  other.join();
  EXPECT_LT(TimeOf(ask), kScheduling) << "also a later one";
  EXPECT_LT(TimeOf([&] { consumer->Close(kQuestion); }), kQuestion + kScheduling);
  EXPECT_LT(TimeOf([&] { consumer.reset(); }), kScheduling);
}

// librdkafka itself waits for a minute.
TEST(SilentBrokerTest, AQuestionForBoundsIsGivenUp) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  auto opened = ConsumerHandle::Open(SpecOf(kafka.brokers()));
  ASSERT_TRUE(opened.ok());
  std::unique_ptr<ConsumerHandle> consumer = std::move(opened).value();
  ASSERT_TRUE(consumer->QueryBounds({"edges", 0}, std::chrono::seconds(20)).ok());
  kafka.BeSilent();
  const auto ask = [&](std::int32_t partition) {
    return consumer->QueryBounds({"edges", partition}, kQuestion).error().message;
  };
  EXPECT_EQ(ask(0), "bounds of edges [0]: no answer within 5000 ms");
  EXPECT_EQ(ask(1), "bounds of edges [1]: an earlier question has no answer yet");
  EXPECT_LT(TimeOf([&] { consumer->Close(kQuestion); }), kQuestion + kScheduling);
  EXPECT_LT(TimeOf([&] { consumer.reset(); }), kScheduling);
}

TEST(SilentBrokerTest, TheGroupsMemberWaitsForNoAnswer) {
  const SilentPort port;
  auto opened = GroupMember::Open(SpecOf(port.brokers()), "client", "instance");
  ASSERT_TRUE(opened.ok());
  std::unique_ptr<GroupMember> member = std::move(opened).value();
  EXPECT_LT(TimeOf([&] { EXPECT_FALSE(member->Cluster(kQuestion).ok()); }),
            kQuestion + kScheduling);
  EXPECT_LT(TimeOf([&] { EXPECT_FALSE(member->Members(kQuestion).ok()); }),
            kQuestion + kScheduling);
  EXPECT_LT(TimeOf([&] { EXPECT_TRUE(member->Join().ok()); }), kScheduling);
  EXPECT_LT(TimeOf([&] { member->Serve(); }), kScheduling);
  EXPECT_LT(TimeOf([&] { member->Leave(kQuestion); }), kQuestion + kScheduling);
  EXPECT_LT(TimeOf([&] { member.reset(); }), kScheduling);
}

TEST(SilentBrokerTest, TheBoundsOfAPartitionAreItsFirstOffsetAndItsEnd) {
  MockKafka kafka;
  kafka.CreateTopic("edges");
  TestProducer producer(kafka.brokers());
  for (int i = 0; i < 7; ++i) producer.Send("edges", 1, "x");
  producer.Flush();
  auto opened = ConsumerHandle::Open(SpecOf(kafka.brokers()));
  ASSERT_TRUE(opened.ok());
  const auto bounds = opened.value()->QueryBounds({"edges", 1}, std::chrono::seconds(20));
  ASSERT_TRUE(bounds.ok()) << bounds.error().message;
  EXPECT_EQ(bounds.value().low, 0);
  EXPECT_EQ(bounds.value().high, 7);
  const auto missing = opened.value()->QueryBounds({"edges", 99}, kQuestion);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound) << missing.error().message;
  EXPECT_TRUE(missing.error().message.starts_with("bounds of edges [99]: "))
      << missing.error().message;
}

}  // namespace
}  // namespace sash
