// Records whose schemas are not known yet hold the stream.
#include "connectors/kafka/schema_hold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/connectors/kafka/kafka_source_fixture.h"
#include "tests/connectors/kafka/source_harness.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A registry that answers when a test says so.
class LateSchemas final : public SchemaSource {
 public:
  void Answer(std::uint32_t id, RegisteredSchema schema) {
    const MutexLock lock(mutex_);
    schemas_[id] = std::make_shared<const RegisteredSchema>(std::move(schema));
  }
  bool Ask(std::uint32_t id) override { return Find(id) != nullptr; }
  bool Await(std::uint32_t id, std::chrono::milliseconds patience) override {
    if (!Ask(id)) std::this_thread::sleep_for(patience);
    return Ask(id);
  }
  std::shared_ptr<const RegisteredSchema> Find(std::uint32_t id) const override {
    const MutexLock lock(mutex_);
    const auto found = schemas_.find(id);
    return found == schemas_.end() ? nullptr : found->second;
  }
  std::string Trouble() const override { return "it answers 503"; }
  Counts counts() const override { return {.requests = 5, .failures = 4}; }

 private:
  mutable Mutex mutex_;
  std::map<std::uint32_t, std::shared_ptr<const RegisteredSchema>> schemas_ SASH_GUARDED_BY(mutex_);
};

std::string FramedEdge(char id, const std::string& source, int milliseconds) {
  return std::string("\0\0\0\0", 4) + id + R"({"s":")" + source + R"(","t":"t","at":)" +
         std::to_string(milliseconds) + "}";
}

class SchemaHoldTest : public KafkaSourceTest {
 protected:
  SchemaHoldTest() {
    harness_.format.mapping =
        JsonMapping{.source = "/s", .target = "/t", .weight = {}, .time = "/at", .operation = {}};
    harness_.format.registry = RegistrySpec{.url = "http://registry"};
    harness_.schemas = schemas_;
    harness_.policy.idle_after = std::chrono::milliseconds(100);
  }

  std::shared_ptr<LateSchemas> schemas_ = std::make_shared<LateSchemas>();
  SourceHarness harness_{kafka_.brokers()};
};

TEST_F(SchemaHoldTest, TheStreamWaitsForASchemaAndThenLosesNothing) {
  schemas_->Answer(1, {RegisteredSchema::Kind::kJson, {}});
  for (int partition = 0; partition < kPartitions; ++partition) {
    for (int i = 0; i < 50; ++i) {
      const char id = partition == 1 && i >= 20 ? 2 : 1;
      producer_.Send("edges", partition, FramedEdge(id, "v", 1000 + i));
    }
  }
  producer_.Flush();
  harness_.Start();
  const auto waits = [&] {
    const SourceStatus status = harness_.source->status();
    return status.not_ready.size() == 1 &&
           status.not_ready.front().find("whose schema 2 is not known: it answers 503") !=
               std::string::npos;
  };
  ASSERT_TRUE(harness_.PopUntil(waits)) << harness_.log.Text();
  EXPECT_EQ(harness_.Offsets(1), Range(0, 20));
  EXPECT_FALSE(harness_.caught_up);
  EXPECT_EQ(harness_.Marks(Mark::Kind::kCaughtUp, 1), 0u) << "a partition that waits is not idle";
  EXPECT_FALSE(harness_.source->status().held) << "that is said of memory";
  EXPECT_EQ(harness_.source->counters().registry_holds, 1u);
  EXPECT_EQ(harness_.source->counters().registry_failures, 4u);
  schemas_->Answer(2, {RegisteredSchema::Kind::kJson, {}});
  ASSERT_TRUE(harness_.PopUntil([&] { return harness_.events.size() == 4u * 50; }))
      << harness_.events.size() << harness_.log.Text();
  ASSERT_TRUE(harness_.PopUntil([&] { return harness_.caught_up; }));
  for (std::int32_t partition = 0; partition < kPartitions; ++partition) {
    EXPECT_EQ(harness_.Offsets(partition), Range(0, 50));
  }
  EXPECT_TRUE(harness_.source->status().not_ready.empty());
  EXPECT_TRUE(harness_.log.WaitFor("the schema registry answers"));
}

TEST_F(SchemaHoldTest, AnUnknownSchemaIsRefusedAndTheStreamGoesOn) {
  schemas_->Answer(1, {RegisteredSchema::Kind::kJson, {}});
  schemas_->Answer(3, {RegisteredSchema::Kind::kUnknown, {}});
  producer_.Send("edges", 0, FramedEdge(3, "lost", 1000));
  producer_.Send("edges", 0, FramedEdge(1, "kept", 1000));
  producer_.Send("edges", 0, R"({"s":"bare","t":"t","at":1000})");
  producer_.Flush();
  harness_.Start();
  ASSERT_TRUE(harness_.PopCaughtUp()) << harness_.log.Text();
  EXPECT_THAT(harness_.sources, ElementsAre("kept"));
  const auto seen = harness_.refusals.seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].reason, RefusalReason::kSchema);
  EXPECT_THAT(seen[0].detail, HasSubstr("knows no schema 3"));
  EXPECT_THAT(seen[1].detail, HasSubstr("has no schema number"));
  EXPECT_EQ(harness_.source->counters().registry_holds, 0u);
}

// Topics of mappings with a registry, and one whose mapping has none.
class MappedSchemaHoldTest : public SchemaHoldTest {
 protected:
  static constexpr int kPlain = kPartitions;  // the partition of it that has records

  MappedSchemaHoldTest() {
    kafka_.CreateTopic("plain", kPlain + 1);
    harness_.spec.topics = {"edges", "plain"};
    FormatSpec framed = harness_.format;
    framed.name = "framed";
    framed.topics = {"edges"};
    FormatSpec plain = harness_.format;
    plain.name = "plain";
    plain.topics = {"plain"};
    plain.registry.reset();
    harness_.format.mappings = {framed, plain};
    schemas_->Answer(1, {RegisteredSchema::Kind::kJson, {}});
  }

  void SendPlain(int first, int end) {
    for (int i = first; i < end; ++i) {
      producer_.Send("plain", kPlain, R"({"s":"p","t":"t","at":)" + std::to_string(1000 + i) + "}");
    }
    producer_.Flush();
  }
};

TEST_F(MappedSchemaHoldTest, OnlyTopicsOfMappingsWithARegistryWait) {
  for (int i = 0; i < 50; ++i) {
    producer_.Send("edges", 0, FramedEdge(i < 20 ? 1 : 2, "v", 1000 + i));
    producer_.Send("edges", 1, FramedEdge(1, "v", 1000 + i));
  }
  SendPlain(0, 50);
  harness_.Start();
  const auto waits = [&] {
    const SourceStatus status = harness_.source->status();
    return status.not_ready.size() == 1 &&
           status.not_ready.front().find(
               "the topics of mappings with a registry wait at edges [0] "
               "offset 20, whose schema 2 is not known") != std::string::npos;
  };
  ASSERT_TRUE(harness_.PopUntil(waits)) << harness_.log.Text();
  SendPlain(50, 100);
  ASSERT_TRUE(harness_.PopUntil([&] { return harness_.Offsets(kPlain) == Range(0, 100); }))
      << harness_.Offsets(kPlain).size();
  ASSERT_TRUE(harness_.PopUntil([&] { return harness_.Marks(Mark::Kind::kCaughtUp, kPlain) > 0; }));
  EXPECT_TRUE(waits());
  EXPECT_EQ(harness_.Offsets(0), Range(0, 20));
  EXPECT_FALSE(harness_.caught_up) << "a partition that waits is not idle";
  const SourceStatus status = harness_.source->status();
  EXPECT_TRUE(status.partitions[0].paused);
  EXPECT_TRUE(status.partitions[1].paused) << "its next schema is not known either";
  EXPECT_FALSE(status.partitions.back().paused);
  schemas_->Answer(2, {RegisteredSchema::Kind::kJson, {}});
  ASSERT_TRUE(harness_.PopUntil([&] { return harness_.events.size() == 50 + 50 + 100; }))
      << harness_.events.size() << harness_.log.Text();
  ASSERT_TRUE(harness_.PopUntil([&] { return harness_.caught_up; }));
  EXPECT_EQ(harness_.Offsets(0), Range(0, 50));
  EXPECT_EQ(harness_.Offsets(1), Range(0, 50));
  EXPECT_EQ(harness_.Offsets(kPlain), Range(0, 100));
  EXPECT_EQ(harness_.source->counters().registry_holds, 1u);
  EXPECT_EQ(harness_.source->counters().pauses, 0u) << "those are of drift";
}

// Any bytes may begin with 0.
TEST(SchemaHoldTopicsTest, OnlyRecordsOfMappingsWithARegistryWait) {
  RecordingLog log;
  ReadyState ready(log);
  FormatSpec format;
  format.mappings.resize(2);
  format.mappings[0].topics = {"plain"};
  format.mappings[1].topic_pattern = "^framed-";
  format.mappings[1].registry = RegistrySpec{.url = "http://registry"};
  SchemaHold hold(std::make_shared<LateSchemas>(), format, ready);
  const std::string bytes("\0\0\0\0\7x", 6);
  const auto holds = [&](std::string_view topic) {
    return hold.Holds({.topic = topic, .timestamp_ms = {}, .key = {}, .value = bytes});
  };
  EXPECT_FALSE(holds("plain"));
  EXPECT_FALSE(holds("other"));
  EXPECT_TRUE(holds("framed-a"));
  EXPECT_FALSE(holds("plain"));
  SchemaHold all(std::make_shared<LateSchemas>(), FormatSpec(), ready);
  EXPECT_TRUE(all.Holds({.topic = "plain", .timestamp_ms = {}, .key = {}, .value = bytes}));
}

}  // namespace
}  // namespace sash
