// Errors of configurations in which each key is valid by itself.
#include "daemon/check/check_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CheckConfigTest : public ::testing::Test {
 protected:
  std::vector<std::string> ErrorsOf(const std::string& yaml) {
    std::ofstream(path_) << yaml;
    std::vector<std::string> texts;
    for (const ConfigError& error : LoadAndCheckConfig(path_).errors) {
      texts.push_back(std::to_string(error.line) + ": " + error.key + ": " + error.message);
    }
    return texts;
  }

  std::string With(const std::string& windows, const std::string& more = "") {
    return "source: {replay: {path: x}, format: {json: {source: /s, target: /t}}}\nwindows:\n" +
           windows + more;
  }

  // A whole configuration of records of Kafka in this format.
  static std::string OfFormat(const std::string& format) {
    return "source: {kafka: {topics: [a]}, format: {" + format +
           "}}\nwindows: [{name: w, length: 1m, slide: 1m}]\n";
  }
  std::string SchemaFile(const std::string& name, const std::string& schema) const {
    std::ofstream(folder_.File(name)) << schema;
    return folder_.File(name);
  }

 private:
  const testing::ScratchFolder folder_;
  const std::string path_ = folder_.File("sashd.yaml");
};

// A shard of a topic; every key is valid by itself.
std::string ShardOf(const std::string& brokers, const std::string& time, const std::string& windows,
                    const std::string& more) {
  return "source:\n  kafka: {brokers: '" + brokers +
         "', topics: [a], partitions: {shard: 1, of: 2}}\n"
         "  format: {json: {source: /s, target: /t, time: /ts, id: /id}}\n" +
         time + "windows:\n  - {name: w, length: 1m, slide: 1m}\n" + windows + more;
}

TEST_F(CheckConfigTest, AShardNeedsAnExportOfSlicesAndABrokerThatOthersReach) {
  const std::string slices = "exports: [{parquet: {path: g, slices: true}}]\n";
  const std::string dedupe = "  dedupe: {within: 1m}\n";
  EXPECT_THAT(ErrorsOf(ShardOf("k:1", dedupe, "", slices)), IsEmpty())
      << "the reader of the slices removes duplicates";
  EXPECT_THAT(ErrorsOf(ShardOf("k:1", "", "", "")),
              ElementsAre(HasSubstr("2: source.kafka.partitions: a shard does nothing but export "
                                    "slices; add {parquet: {path: export, slices: true}} to "
                                    "`exports`")));
  EXPECT_THAT(ErrorsOf(ShardOf("embedded", "", "", slices)),
              ElementsAre(HasSubstr("2: source.kafka.partitions: no other shard can read from the "
                                    "embedded broker")));
}

TEST_F(CheckConfigTest, AShardRefusesWhatNeedsTheWholeStreamOrAClock) {
  const std::string slices = "exports: [{parquet: {path: g, slices: true}}]\n";
  EXPECT_THAT(
      ErrorsOf(ShardOf("k:1", "",
                       "  - {name: e, by: events, length: 10, slide: 5}\n"
                       "  - {name: p, by: processing_time, length: 10s, slide: 5s}\n",
                       slices)),
      ElementsAre(HasSubstr("windows[1].by: a window by number of events needs the whole stream, "
                            "and each shard (source.kafka.partitions) has a part of it; give "
                            "`event_time`"),
                  HasSubstr("windows[2].by: a window by processing time needs")));
  EXPECT_THAT(ErrorsOf(ShardOf("k:1", "  time: {from: clock}\n", "", slices)),
              ElementsAre(HasSubstr("source.time.from: is `clock`, which is different in each "
                                    "shard")));
}

TEST_F(CheckConfigTest, WindowsTogetherAreNotCutIntoMoreSlicesThanMemoryHolds) {
  const std::string hour = "  - {name: a, length: 1h, slide: 1s}\n";
  EXPECT_THAT(ErrorsOf(With(hour + "  - {name: b, length: 1001ms, slide: 1001ms}\n")), IsEmpty());
  EXPECT_THAT(
      ErrorsOf(With(hour + "  - {name: b, length: 1000000007ns, slide: 1000000007ns}\n")),
      ElementsAre(
          HasSubstr("3: windows[0].length: 1h in panes of 1ns (the greatest common divisor of "
                    "the slides and offsets of its axis) are up to 3,600,000,000,000 slices"),
          HasSubstr("4: windows[1].length: 1000000007ns in panes of 1ns")));
  EXPECT_THAT(ErrorsOf(With(hour + "  - {name: b, by: processing_time, length: 1000000007ns, "
                                   "slide: 1000000007ns}\n")),
              IsEmpty())
      << "the windows have different axes";
  EXPECT_THAT(ErrorsOf(With(hour + "  - {name: b, length: 1s, slide: 1s, offset: 1us}\n")),
              ElementsAre(HasSubstr("3: windows[0].length: 1h in panes of 1us (the greatest common "
                                    "divisor of the slides and offsets of its axis) are up to "
                                    "3,600,000,000 slices, more than memory holds; at most "
                                    "10,000,000: give a shorter length, or slides and offsets with "
                                    "a greater common divisor")));
  EXPECT_THAT(ErrorsOf(With("  - {name: a, length: 10s, slide: 1s, retain: 7300d}\n")),
              ElementsAre(HasSubstr("10s and `retain` 7300d in panes of 1s (its slide) are up to "
                                    "630,720,010 slices, more than memory holds; at most "
                                    "10,000,000: give a shorter length or `retain` or a longer "
                                    "slide")));
}

TEST_F(CheckConfigTest, SlicesFitInTheLimitOfMemory) {
  const std::string window = "  - {name: a, length: 48h, slide: 1s}\n";
  EXPECT_THAT(ErrorsOf(With(window, "memory: {limit: 128MiB}\n")), IsEmpty());
  EXPECT_THAT(
      ErrorsOf(With(window, "memory: {limit: 64MiB}\n")),
      ElementsAre(HasSubstr("3: windows[0].length: 2d in panes of 1s are up to 172,800 slices, "
                            "and these alone take more than memory.limit (64MiB)")));
}

TEST_F(CheckConfigTest, AFilterMayNameColumnsThatAreNotMapped) {
  const auto file = [](const std::string& mapping) {
    return "source: {replay: {path: x}, format: {" + mapping +
           "}}\nwindows: [{name: w, length: 1m, slide: 1m}]\n";
  };
  EXPECT_THAT(ErrorsOf(file("csv: {source: a, target: b}, where: '`k i` == \"x\" || $topic != a'")),
              IsEmpty());
  EXPECT_THAT(ErrorsOf(file("csv: {source: 1, target: 2}, where: '$4 == \"x\"'")), IsEmpty());
  EXPECT_THAT(ErrorsOf(file("json: {source: /a, target: /b}, where: '`/c~2` == 1'")),
              ElementsAre(HasSubstr("1: source.format.json: where: JSON pointer \"/c~2\"")));
}

TEST_F(CheckConfigTest, AKeyMayBeJoinedFromNamedColumns) {
  EXPECT_THAT(
      ErrorsOf("source: {replay: {path: x}, format: {csv: {source: {from: [bank, id], join: "
               "\"-\"}, target: {from: [b, to], join: \":\"}}}}\n"
               "windows: [{name: w, length: 1m, slide: 1m}]\n"),
      IsEmpty());
}

TEST_F(CheckConfigTest, RecordsOfATopicHaveNoHeader) {
  const std::string kafka =
      "source:\n  kafka: {topics: [t], brokers: \"localhost:1\"}\n  format:\n    csv:\n"
      "      source: a\n      target: b\n";
  const std::string windows = "windows: [{name: w, length: 1m, slide: 1m}]\n";
  EXPECT_THAT(
      ErrorsOf(kafka + windows),
      ElementsAre(HasSubstr("5: source.format.csv.source: is a name (a), but the records of a "
                            "topic have no header row"),
                  HasSubstr("6: source.format.csv.target: is a name (b)")));
  EXPECT_THAT(
      ErrorsOf("source:\n  replay: {path: x}\n  format: {csv: {source: 'a\"', target: b}}\n" +
               windows),
      IsEmpty())
      << "a field name in a file may contain a quote";
}

TEST_F(CheckConfigTest, FarTooManyErrorsOfAnOptionAreCounted) {
  std::string yaml =
      "source:\n  format: {json: {source: /s, target: /t}}\n  kafka:\n    topics: [t]\n    "
      "options:\n";
  for (int i = 0; i < 500; ++i) yaml += "      no.such." + std::to_string(i) + ": 1\n";
  const std::vector<std::string> errors =
      ErrorsOf(yaml + "windows: [{name: w, length: 1m, slide: 1m}]\n");
  ASSERT_EQ(errors.size(), 51u);
  EXPECT_THAT(errors.back(), HasSubstr("there are 450 more errors"));
}

TEST_F(CheckConfigTest, EachMappingInAvroHasASchema) {
  const auto errors = [&](const std::string& second) {
    return ErrorsOf(
        "source:\n  kafka: {topics: [a, b]}\n  mappings:\n"
        "    - {topics: [a], json: {source: /a, target: /b}}\n"
        "    - {topics: [b], avro: {source: /a, target: /b" +
        second + "\nwindows: [{name: w, length: 1m, slide: 1m}]\n");
  };
  const std::string right = SchemaFile(
      "m.avsc", R"({"type":"record","name":"R","fields":[{"name":"a","type":"string"}]})");
  EXPECT_THAT(errors(", schema: " + right + "}}"), IsEmpty());
  EXPECT_THAT(errors("}, registry: {url: \"http://r\"}}"), IsEmpty());
  EXPECT_THAT(errors("}}"),
              ElementsAre(HasSubstr("5: source.mappings[1].avro: has no schema; give schema: FILE "
                                    "if all records have one schema, or "
                                    "source.mappings[1].registry")));
  EXPECT_THAT(errors(", schema: /nowhere/x}}"),
              ElementsAre(HasSubstr("source.mappings[1].avro.schema: `/nowhere/x` cannot be")));
  EXPECT_THAT(errors(", schema: " + SchemaFile("m.avro", "Obj\x01") + "}}"),
              ElementsAre(HasSubstr("m.avro` is a file of records in Avro; give their schema")));
}

TEST_F(CheckConfigTest, RecordsInAvroHaveOneSchemaOrARegistry) {
  const std::string right = SchemaFile("right.avsc", R"({"type":"record","name":"R","fields":[]})");
  const std::string broken = SchemaFile("broken.avsc", R"({"type":"record","name":"R"})");
  const auto avro = [](const std::string& schema) {
    return "avro: {source: /a, target: /b" + (schema.empty() ? "" : ", schema: " + schema) + "}";
  };
  const std::string registry = ", registry: {url: \"http://r\"}";
  EXPECT_THAT(ErrorsOf(OfFormat(avro(right))), IsEmpty());
  EXPECT_THAT(ErrorsOf(OfFormat(avro("") + registry)), IsEmpty());
  EXPECT_THAT(ErrorsOf(OfFormat(avro(""))),
              ElementsAre(HasSubstr("1: source.format.avro: has no schema; give schema: FILE")));
  EXPECT_THAT(ErrorsOf(OfFormat(avro(right) + registry)),
              ElementsAre(HasSubstr("source.format.avro.schema: is given together with a")));
  EXPECT_THAT(ErrorsOf(OfFormat(avro("/nowhere/x"))),
              ElementsAre(HasSubstr("source.format.avro.schema: `/nowhere/x` cannot be read")));
  EXPECT_THAT(ErrorsOf(OfFormat(avro(broken))),
              ElementsAre(HasSubstr("`: record \"R\": it has no list \"fields\"")));
  EXPECT_THAT(ErrorsOf(OfFormat(avro(right) + ", tombstone: remove")),
              ElementsAre(HasSubstr("source.format.tombstone: is `remove`, which reads the key")));
}

TEST_F(CheckConfigTest, KeysOfARegistryComeInPairs) {
  const auto errors = [this](const std::string& keys) {
    return ErrorsOf(
        OfFormat("json: {source: /a, target: /b}, registry: {url: \"http://r\", " + keys + "}"));
  };
  EXPECT_THAT(errors("user: u, password: p, certificate: c, key: k"), IsEmpty());
  EXPECT_THAT(errors("user: u"),
              ElementsAre(HasSubstr("source.format.registry.password: is missing: `user` is")));
  EXPECT_THAT(errors("key: k"),
              ElementsAre(HasSubstr("source.format.registry.certificate: is missing: `key` is")));
}

}  // namespace
}  // namespace sash
