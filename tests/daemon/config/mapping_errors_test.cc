// Faults in what records are mapped from, and in several mappings.
#include <gmock/gmock.h>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

TEST(MappedKeyConfigErrorsTest, IntegerKeysCannotBeMadeOfTexts) {
  const auto error = [](const std::string& target) {
    const ParsedConfig parsed = Parsed(
        "source:\n  replay: {path: e}\n  format:\n    keys: integer\n    json: {source: {from: /s, "
        "trim: true}, target: " +
            target + "}\nwindows: [{name: w, length: 5m, slide: 10s}]\n",
        "f.yaml");
    return AllErrors(parsed);
  };
  EXPECT_EQ(error("{from: /t, trim: true}"), "");
  EXPECT_THAT(error("{from: /t, prefix: x}"),
              ::testing::HasSubstr(
                  "f.yaml:5: source.format.json.target: has a prefix, which makes the key a "
                  "text, but `keys: integer` is set"));
  EXPECT_THAT(error("{from: /t, case: lower}"), ::testing::HasSubstr("has a case"));
  EXPECT_THAT(error("{from: [/t, /u], join: x}"), ::testing::HasSubstr("joins fields"));
}

TEST(EnvelopeConfigErrorsTest, AReplayHasNeitherKeysNorHeadersNorTimestamps) {
  const auto error = [](const std::string& source, const std::string& format) {
    return AllErrors(Parsed("source:\n  " + source + "\n  format: {" + format +
                                "}\nwindows: [{name: w, length: 5m, slide: 10s}]\n",
                            "f.yaml"));
  };
  const std::string replay = "replay: {path: e}";
  EXPECT_EQ(error(replay, "json: {source: /s, target: $topic}, where: $partition == 0"), "");
  EXPECT_THAT(error(replay, "json: {source: /s, target: {from: [/t, $key/a], join: x}}"),
              ::testing::HasSubstr("f.yaml:3: source.format.json.target: reads $key/a, which a "
                                   "replay does not have"));
  EXPECT_THAT(error(replay, "csv: {source: 1, target: $header.to}"),
              ::testing::HasSubstr("source.format.csv.target: reads $header.to, which a replay"));
  EXPECT_THAT(AllErrors(Parsed("source:\n  replay: {path: e}\n"
                               "  format: {csv: {source: 1, target: 2}}\nwindows:\n"
                               "  - {name: w, length: 5m, slide: 10s, where: $key == '1'}\n",
                               "f.yaml")),
              ::testing::HasSubstr("f.yaml:5: windows[0].where: reads $key, which a replay"));
  EXPECT_THAT(AllErrors(Parsed("source:\n  kafka: {topics: [a, b]}\n  mappings:\n"
                               "    - {topics: [a], json: {source: /s, target: /t}}\n"
                               "    - {topics: [b], name: rows, csv: {source: 1, target: 2}}\n"
                               "windows:\n"
                               "  - {name: w, length: 5m, slide: 10s, where: /kind == 'x'}\n",
                               "f.yaml")),
              ::testing::HasSubstr("f.yaml:7: windows[0].where: for the records of mapping "
                                   "rows: "));
  EXPECT_THAT(error(replay, "csv: {source: 1, target: 2}, where: $timestamp > 5"),
              ::testing::HasSubstr("source.format.where: reads $timestamp, which a replay"));
  EXPECT_EQ(error("kafka: {topics: [a]}", "json: {source: $key, target: $header.to}"), "");
  EXPECT_EQ(error(replay, "json: {source: /s, target: $header.ce_type, unwrap: cloudevents}"), "");
  EXPECT_THAT(error(replay, "json: {source: /s, target: $header.ce_type, unwrap: connect}"),
              ::testing::HasSubstr("reads $header.ce_type, which a replay"));
}

TEST(EnvelopeConfigErrorsTest, TimestampsCountMilliseconds) {
  const auto error = [](const std::string& time, const std::string& more) {
    return AllErrors(
        Parsed("source:\n  kafka: {topics: [a]}\n  format: {json: {source: /s, "
               "target: /t, time: " +
                   time + "}}\n" + more + "windows: [{name: w, length: 5m, slide: 10s}]\n",
               "f.yaml"));
  };
  EXPECT_EQ(error("$timestamp", ""), "");
  EXPECT_EQ(error("$timestamp", "  time: {unit: s, from: clock}\n"), "") << "it is not read";
  EXPECT_THAT(error("$timestamp", "  time: {unit: s}\n"),
              ::testing::HasSubstr("f.yaml:4: source.time.unit: `time` in source.format is "
                                   "$timestamp, which counts milliseconds"));
  EXPECT_THAT(error("{from: $timestamp, unit: s}", ""),
              ::testing::HasSubstr("f.yaml:3: source.format.json.time: is $timestamp"));
}

std::string ErrorsOfMappings(const std::string& mappings) {
  return AllErrors(Parsed("source:\n  kafka: {topics: [a]}\n  mappings:\n" + mappings +
                              "windows: [{name: w, length: 5m, slide: 10s}]\n",
                          "f.yaml"));
}

TEST(MappingsConfigErrorsTest, ANameIsGivenOnce) {
  const std::string json = "json: {source: /s, target: /t}}\n";
  EXPECT_EQ(ErrorsOfMappings("    - {name: x, " + json + "    - {name: y, " + json), "");
  EXPECT_EQ(
      ErrorsOfMappings("    - {name: x, " + json + "    - {name: x, " + json),
      "f.yaml:5: source.mappings[1].name: `x` is the name of an earlier mapping; give another "
      "name\n");
  // A mapping without a name is called by its number.
  EXPECT_THAT(ErrorsOfMappings("    - {name: \"1\", " + json + "    - {" + json),
              ::testing::HasSubstr("f.yaml:5: source.mappings[1].name: `1` is the name"));
}

TEST(MappingsConfigErrorsTest, HowTimesAreWrittenIsSaidOnce) {
  const auto errors = [](const std::string& edge_time, const std::string& time) {
    return ErrorsOfMappings("    - json: {source: /s, target: /t, time: " + edge_time + "}\n" +
                            time);
  };
  const std::string time = "      time: {unit: s}\n";
  EXPECT_EQ(errors("/ts", time), "");
  EXPECT_EQ(errors("{from: /ts, unit: s}", ""), "");
  EXPECT_EQ(
      errors("{from: /ts, unit: s}", time),
      "f.yaml:5: source.mappings[0].time: is given, but the time of an edge says how times are "
      "written; leave out one of them\n");
}

TEST(MappingsConfigErrorsTest, TopicsAreThoseOfTheSource) {
  const auto errors = [](const std::string& source, const std::string& topics) {
    return AllErrors(Parsed("source:\n  " + source + "\n  mappings: [{topics: " + topics +
                                ", json: {source: /s, target: /t}}]\n"
                                "windows: [{name: w, length: 5m, slide: 10s}]\n",
                            "f.yaml"));
  };
  const std::string names = "kafka: {topics: [a, b]}";
  const std::string pattern = "kafka: {topics: {pattern: ^pay-}}";
  EXPECT_EQ(errors(names, "{pattern: a|c}"), "");
  EXPECT_EQ(errors(pattern, "{pattern: eu$}"), "");
  EXPECT_EQ(errors(pattern, "[pay-eu]"), "");
  EXPECT_EQ(errors("replay: {path: e}", "{pattern: ^rep}"), "");
  EXPECT_THAT(errors(names, "[c]"),
              ::testing::HasSubstr("f.yaml:3: source.mappings[0].topics: `c` is not a topic of the "
                                   "source, which reads a, b"));
  EXPECT_THAT(errors(pattern, "[eu]"),
              ::testing::HasSubstr("`eu` is not a topic of the source, which reads those that "
                                   "match `^pay-`"));
  EXPECT_THAT(errors(names, "{pattern: ^c}"),
              ::testing::HasSubstr("matches no topic of the source, which reads a, b"));
  EXPECT_THAT(errors("replay: {path: e}", "[a]"),
              ::testing::HasSubstr("`a` is not a topic of the source, which reads replay"));
  EXPECT_THAT(errors(names, "{pattern: \"[\"}"),
              ::testing::HasSubstr("source.mappings[0].topics.pattern: `[` is not a regular "
                                   "expression of RE2"));
}

TEST(MappingsConfigErrorsTest, TheSourceHasOneRegistryAndAReplayNone) {
  const std::string avro = "    - {avro: {source: /s, target: /t}, registry: {url: \"http://";
  EXPECT_EQ(ErrorsOfMappings(avro + "r\"}}\n" + avro + "r\"}, name: x}\n"), "");
  EXPECT_THAT(ErrorsOfMappings(avro + "r\"}}\n" + avro + "q\"}}\n"),
              ::testing::HasSubstr("f.yaml:5: source.mappings[1].registry: must be that of mapping "
                                   "0: a source has one registry"));
  EXPECT_THAT(
      ErrorsOfMappings("    - {csv: {source: 1, target: 2}, registry: {url: \"http://r\"}}\n"),
      ::testing::HasSubstr("source.mappings[0].registry: is only for avro and json"));
  EXPECT_THAT(AllErrors(Parsed("source:\n  replay: {path: e}\n  mappings:\n" + avro +
                                   "r\"}}\nwindows: [{name: w, length: 5m, slide: 10s}]\n",
                               "f.yaml")),
              ::testing::HasSubstr("source.mappings[0].avro: is only for source.kafka"));
}

}  // namespace
}  // namespace sash
