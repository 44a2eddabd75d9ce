#include "daemon/config/idle_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// `source`: lines that begin with two blanks. `window`: more keys of the only window.
std::vector<std::string> IdleIn(const std::string& source, const std::string& window = "") {
  const ParsedConfig parsed =
      Parsed("source:\n" + source + "windows: [{name: w, length: 5m, slide: 10s" + window + "}]\n",
             "f.yaml");
  EXPECT_EQ(AllErrors(parsed), "");
  std::vector<std::string> idle;
  for (const IdleKey& each : FindIdleKeys(parsed.config)) idle.push_back(each.ToString());
  return idle;
}

std::string Mapped(const std::string& topics, const std::string& mappings) {
  return "  kafka: {topics: " + topics + "}\n  mappings: [" + mappings + "]\n";
}

constexpr const char* kPay = "{name: pay, topics: [a], json: {source: /s, target: /t}}";

TEST(IdleKeysTest, IdsNeedDedupe) {
  const std::string replay = "  replay: {path: e}\n";
  const std::string json = replay + "  format: {json: {source: /s, target: /t, id: /i}}\n";
  EXPECT_THAT(IdleIn(json),
              ElementsAre("source.format.json.id: has no effect, because source.dedupe is not "
                          "given; give source.dedupe: {within: 10m}, or leave out `id`"));
  EXPECT_THAT(IdleIn(json + "  dedupe: {within: 1m}\n"), IsEmpty());
  EXPECT_THAT(IdleIn(replay + "  format: {csv: {source: 1, target: 2, id: 3}}\n"),
              ElementsAre(HasSubstr("source.format.csv.id: ")));
  EXPECT_THAT(IdleIn(replay + "  format: {json: {}, edges: [{source: /s, target: /t}, "
                              "{source: /t, target: /s, id: /i}]}\n"),
              ElementsAre(HasSubstr("source.format.edges[1].id: ")));
  EXPECT_THAT(
      IdleIn(Mapped("[a]", kPay + std::string(", {json: {source: /t, target: /s, id: /i}}"))),
      ElementsAre(HasSubstr("source.mappings[1].json.id: ")));
}

TEST(IdleKeysTest, EveryTopicNeedsAMapping) {
  EXPECT_THAT(IdleIn(Mapped("[a, b, c]", kPay)),
              ElementsAre(HasSubstr("source.kafka.topics: no mapping takes the records of b, c; "
                                    "they are only counted; name the topic")));
  EXPECT_THAT(IdleIn(Mapped("[a, b]", kPay + std::string(", {json: {source: /x, target: /y}}"))),
              IsEmpty());
  EXPECT_THAT(IdleIn(Mapped("[a, b, c]",
                            "{topics: {pattern: \"^[ab]$\"}, json: {source: /x, "
                            "target: /y}}")),
              ElementsAre(HasSubstr("the records of c; ")));
}

TEST(IdleKeysTest, MappingsOfATopicMakeDifferentEdges) {
  const auto with = [](const std::string& second) {
    return IdleIn(Mapped("[a, b]", kPay + (", " + second)));
  };
  EXPECT_THAT(with("{topics: [b, a], json: {source: /s, target: /t}}"),
              ElementsAre(HasSubstr("source.mappings[1]: makes the same edges of a as mapping pay, "
                                    "so each is counted twice; leave out")));
  EXPECT_THAT(with("{json: {source: /s, target: /t}}"), ElementsAre(HasSubstr("same edges of a ")));
  EXPECT_THAT(with("{topics: [b], json: {source: /s, target: /t}}"), IsEmpty());
  EXPECT_THAT(with("{json: {source: /s, target: /t, type: paid}}"), IsEmpty());
  EXPECT_THAT(with("{json: {source: /s, target: /t}, where: /k == 1}"), IsEmpty());
  EXPECT_THAT(with("{topics: {pattern: \"^[ab]\"}, json: {source: /s, target: /t}}"),
              ElementsAre(HasSubstr("same edges of a ")));
  EXPECT_THAT(with("{topics: {pattern: ^b}, json: {source: /s, target: /t}}"), IsEmpty());
}

TEST(IdleKeysTest, MappingsOfAPatternOfTheSourceMakeDifferentEdges) {
  const auto with = [](const std::string& first, const std::string& second) {
    const std::string edge = "json: {source: /s, target: /t}}";
    return IdleIn(Mapped("{pattern: ^a}", "{" + first + edge + ", {" + second + edge));
  };
  const std::string pattern = "topics: {pattern: x$}, ";
  EXPECT_THAT(with("", ""), ElementsAre(HasSubstr("the same edges of all topics as mapping 0, ")));
  EXPECT_THAT(with(pattern, pattern), ElementsAre(HasSubstr("of topics that match `x$` as")));
  EXPECT_THAT(with(pattern, ""), ElementsAre(HasSubstr("of topics that match `x$` as")));
  EXPECT_THAT(with(pattern, "topics: [a-x], "), ElementsAre(HasSubstr("edges of a-x as")));
  EXPECT_THAT(with(pattern, "topics: {pattern: y}, "), IsEmpty()) << "there may be no such topic";
}

TEST(IdleKeysTest, MappingsOfATopicReadItsRecordsInOneWay) {
  const auto with = [](const std::string& second) {
    return IdleIn(Mapped("[a, b]", kPay + (", " + second)));
  };
  EXPECT_THAT(
      with("{csv: {source: 1, target: 2}}"),
      ElementsAre(HasSubstr("source.mappings[1]: reads the records of a as CSV, and mapping "
                            "pay reads them as JSON; a record is only one of these")));
  EXPECT_THAT(with("{avro: {source: /s, target: /t}, registry: {url: \"http://r\"}}"),
              ElementsAre(HasSubstr("as Avro with schema numbers, and")));
  EXPECT_THAT(with("{topics: [b], csv: {source: 1, target: 2}}"), IsEmpty());
}

TEST(IdleKeysTest, AWindowHasAnotherFilterThanTheSource) {
  const std::string one =
      "  replay: {path: e}\n  format: {json: {source: /s, target: /t}, where: /k == 1}\n";
  EXPECT_THAT(IdleIn(one, ", where: /k == 1"),
              ElementsAre(HasSubstr("windows[0].where: has no effect, because it is the `where` of "
                                    "source.format")));
  EXPECT_THAT(IdleIn(one, ", where: /k == 2"), IsEmpty());
  const std::string some = Mapped("[a]",
                                  "{json: {source: /s, target: /t, type: x}, where: /k == 1}"
                                  ", {json: {source: /t, target: /s, type: y}}");
  EXPECT_THAT(IdleIn(some, ", where: /k == 1"), IsEmpty()) << "not that of the second";
  EXPECT_THAT(IdleIn(some, ", types: [x], where: /k == 1"),
              ElementsAre(HasSubstr("`where` of source.mappings")));
}

}  // namespace
}  // namespace sash
