#include "daemon/generate/record_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sash {
namespace {

using std::chrono::seconds;

EdgeStreamOptions Everything() {
  EdgeStreamOptions options;
  options.duplicates = 0.2;
  options.removals = 0.05;
  options.disorder = seconds(1);
  options.weights = WeightKind::kReal;
  options.episodes.hubs = {{seconds(10), seconds(60), 0.2}};
  options.episodes.bursts = {{seconds(90), seconds(20), 0.3, 12}};
  return options;
}

// FNV-1a over the lines of the first `count` records.
std::uint64_t Fingerprint(const EdgeStreamOptions& options, const RecordOptions& records,
                          int count) {
  EdgeStream stream(options);
  RecordWriter writer(records, options);
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](char c) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  for (int i = 0; i < count; ++i) {
    for (const char c : writer.Write(stream.Next())) add(c);
    add('\n');
  }
  return hash;
}

std::string Text(const RecordOptions& records, const EdgeStreamOptions& stream,
                 const GeneratedEdge& edge) {
  RecordWriter writer(records, stream);
  return std::string(writer.Write(edge));
}

// A change of these numbers affects everyone who recorded results of a seed: write a release note.
TEST(RecordWriterTest, TheSameSeedGivesTheSameBytesEverywhere) {
  EXPECT_EQ(Fingerprint({}, {}, 300'000), 5041854032308651349u);
  EXPECT_EQ(Fingerprint(Everything(), {}, 300'000), 16498636616092030291u);
  EdgeStreamOptions uniform = Everything();
  uniform.graph = GraphShape::kUniform;
  uniform.weights = WeightKind::kInteger;
  EXPECT_EQ(Fingerprint(uniform, {RecordFormat::kCsv, KeyKind::kInteger, "v"}, 300'000),
            12245220440758018527u);
}

TEST(RecordWriterTest, EveryJsonRecordParsesWithExactlyTheFieldsAskedFor) {
  const EdgeStreamOptions options = Everything();
  EdgeStream stream(options);
  RecordWriter writer({}, options);
  int removals = 0;
  for (int i = 0; i < 20'000; ++i) {
    const GeneratedEdge edge = stream.Next();
    const auto json = nlohmann::json::parse(writer.Write(edge));
    const bool removal = edge.operation == Operation::kRemove;
    removals += removal ? 1 : 0;
    ASSERT_EQ(json.size(), removal ? 4u : 5u);
    ASSERT_EQ(json["from"], writer.source_key());
    ASSERT_TRUE(json["to"].is_string());
    ASSERT_EQ(json["ts"], edge.time_ms);
    ASSERT_EQ(json["op"], removal ? "remove" : "add");
    if (!removal) {
      ASSERT_TRUE(json["amount"].is_number_float());
      ASSERT_NEAR(json["amount"].get<double>(), edge.weight / 100.0, 1e-9);
    }
  }
  EXPECT_GT(removals, 500);
}

TEST(RecordWriterTest, EveryCsvRowHasAsManyFieldsAsItsHeader) {
  for (const WeightKind weights : {WeightKind::kNone, WeightKind::kInteger}) {
    for (const double removals : {0.0, 0.2}) {
      EdgeStreamOptions options;
      options.weights = weights;
      options.removals = removals;
      EdgeStream stream(options);
      RecordWriter writer({RecordFormat::kCsv, KeyKind::kString, "v"}, options);
      const std::string header = writer.Header();
      const auto commas = std::count(header.begin(), header.end(), ',');
      EXPECT_EQ(commas, 2 + (weights != WeightKind::kNone) + (removals > 0));
      for (int i = 0; i < 5000; ++i) {
        const std::string_view row = writer.Write(stream.Next());
        ASSERT_EQ(std::count(row.begin(), row.end(), ','), commas) << row;
      }
    }
  }
}

TEST(RecordWriterTest, WritesWhatTheDocumentationShows) {
  EdgeStreamOptions stream;
  const RecordOptions json;
  const RecordOptions csv{RecordFormat::kCsv, KeyKind::kString, "user-"};
  EXPECT_EQ(Text(json, stream, {1, 2, 3}), R"({"from":"v1","to":"v2","ts":3})");
  EXPECT_EQ(Text(csv, stream, {1, 2, 3}), "user-1,user-2,3");
  stream.weights = WeightKind::kReal;
  stream.removals = 0.1;
  EXPECT_EQ(Text(json, stream, {1, 2, 3, 1205}),
            R"({"from":"v1","to":"v2","ts":3,"amount":12.05,"op":"add"})");
  EXPECT_EQ(Text(csv, stream, {1, 2, 3, 7}), "user-1,user-2,3,0.07,add");
  EXPECT_EQ(Text(csv, stream, {1, 2, 3, 0, Operation::kRemove}), "user-1,user-2,3,,remove");
  EXPECT_EQ(
      Text({RecordFormat::kJson, KeyKind::kInteger, "v"}, stream, {1, 2, 3, 0, Operation::kRemove}),
      R"({"from":1,"to":2,"ts":3,"op":"remove"})");
}

TEST(RecordWriterTest, VerticesOfEpisodesHaveTellingKeys) {
  EdgeStreamOptions stream;
  stream.scale = 4;
  const GeneratedEdge edge{16 + 2 * kEpisodeStride + 7, 16 + kEpisodeStride, 3};
  EXPECT_EQ(Text({}, stream, edge), R"({"from":"ring-2-7","to":"hub-1","ts":3})");
  EXPECT_EQ(Text({RecordFormat::kJson, KeyKind::kInteger, "v"}, stream, edge),
            R"({"from":2071,"to":1040,"ts":3})");
}

TEST(RecordWriterTest, TheLongestRecordFits) {
  EdgeStreamOptions stream;
  stream.weights = WeightKind::kReal;
  stream.removals = 0.1;
  const RecordOptions options{RecordFormat::kJson, KeyKind::kString, std::string(64, 'k')};
  const std::string text = Text(options, stream, {65535, 65535, INT64_MAX, INT32_MAX});
  EXPECT_EQ(nlohmann::json::parse(text)["to"], std::string(64, 'k') + "65535");
}

TEST(RecordWriterTest, RefusesPrefixesThatWouldNeedEscaping) {
  for (const char* prefix : {"a\"", "a\\", "a,b", "a b", "\n", "\xc3\xa9"}) {
    EXPECT_FALSE(Validate(RecordOptions{RecordFormat::kJson, KeyKind::kString, prefix}).ok());
  }
  EXPECT_FALSE(Validate(RecordOptions{{}, {}, std::string(65, 'a')}).ok());
  EXPECT_TRUE(Validate(RecordOptions{{}, {}, ""}).ok());
}

}  // namespace
}  // namespace sash
