#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

TEST(ValidConfigTest, ARecordMayGiveSeveralEdges) {
  const auto config = ParseGood(R"(
source:
  kafka: {topics: [a]}
  format:
    json: {each: /items}
    edges:
    - source: $record/user
      target: /product
      time: {from: /at, unit: s}
    - {source: /product, target: /shop, weight: /price, time: /at, direction: both}
windows: [{name: w, length: 5m, slide: 10s}]
jobs: [{name: p, kernel: pagerank, window: w}]
)");
  const FormatSpec& format = config.source.format;
  EXPECT_EQ(format.time_unit, TimeUnit::kSeconds);
  EXPECT_EQ(format.time_origin, TimeOrigin::kField);
  const auto& first = std::get<JsonMapping>(format.mapping);
  EXPECT_EQ(first.each, "/items");
  EXPECT_EQ(first.source, "$record/user");
  EXPECT_EQ(first.target, "/product");
  EXPECT_FALSE(first.both_directions);
  ASSERT_EQ(first.more_edges.size(), 1u);
  EXPECT_EQ(first.more_edges[0].source, "/product");
  EXPECT_EQ(first.more_edges[0].weight, "/price");
  EXPECT_TRUE(first.more_edges[0].both_directions);
}

TEST(ValidConfigTest, OneEdgeInAListIsTheShortForm) {
  const char* const text = R"(
source: {{kafka: {{topics: [a]}}, format: {{{}}}}}
windows: [{{name: w, length: 5m, slide: 10s}}]
jobs: [{{name: p, kernel: pagerank, window: w}}]
)";
  const auto shorter = ParseGood(
      fmt::format(fmt::runtime(text), "json: {each: /l, source: /a, target: /b, time: /t}"));
  const auto longer = ParseGood(fmt::format(
      fmt::runtime(text), "json: {each: /l}, edges: [{source: /a, target: /b, time: /t}]"));
  EXPECT_EQ(PrintConfig(longer), PrintConfig(shorter));
}

TEST(ValidConfigTest, AMappedFieldMaySayWhatIsDoneWithItsText) {
  const auto config = ParseGood(R"(
source:
  kafka: {topics: [a]}
  format:
    csv:
      source: {from: [bank, id], join: ":", prefix: "acct:", case: lower, trim: true}
      target: {from: to}
      weight: {from: amount, decimal: ",", group: ".", invalid: zero}
      operation: {from: op, add: [c, r], remove: [d]}
windows: [{name: w, length: 5m, slide: 10s}]
)");
  const auto& csv = std::get<CsvMapping>(config.source.format.mapping);
  EXPECT_EQ(csv.source, CsvColumn("bank"));
  EXPECT_EQ(csv.source_parts,
            (KeyParts<CsvColumn>{{{CsvColumn("id")}, ":"}, {true, LetterCase::kLower, "acct:"}}));
  EXPECT_EQ(csv.target, CsvColumn("to"));
  EXPECT_EQ(csv.target_parts, KeyParts<CsvColumn>());
  EXPECT_EQ(csv.weight, CsvColumn("amount"));
  EXPECT_EQ(csv.weight_text, (WeightSpelling{',', ".", InvalidWeight::kZero}));
  EXPECT_EQ(csv.operation_words, (OperationWords{{"c", "r"}, {"d"}, {}}));
  EXPECT_TRUE(config.windows[0].removals);
}

TEST(ValidConfigTest, FieldsMayBeBesideTheValue) {
  const auto format = [](const std::string& mapping) {
    return ParseGood("source:\n  kafka: {topics: [a]}\n  format: {" + mapping +
                     "}\nwindows: [{name: w, length: 5m, slide: 10s}]\n")
        .source.format;
  };
  const FormatSpec pointers = format(
      "json: {source: {from: [$topic, $key/id], join: \":\"}, target: \"$key\", "
      "weight: $header.w, time: $timestamp}, where: $header.a == '1'");
  const auto& json = std::get<JsonMapping>(pointers.mapping);
  EXPECT_EQ(json.source, "$topic");
  EXPECT_EQ(json.source_parts.rest.more, std::vector<std::string>{"$key/id"});
  EXPECT_EQ(json.target, "$key");
  EXPECT_EQ(json.weight, "$header.w");
  EXPECT_EQ(json.time, "$timestamp");
  EXPECT_EQ(pointers.time_origin, TimeOrigin::kField);

  const FormatSpec wrapped =
      format("json: {source: /a, target: /b, unwrap: connect, text_at: \"\"}");
  EXPECT_EQ(std::get<JsonMapping>(wrapped.mapping).unwrap, Unwrap::kConnect);
  EXPECT_EQ(std::get<JsonMapping>(wrapped.mapping).text_at, "");
  EXPECT_EQ(json.unwrap, Unwrap::kNone);
  EXPECT_EQ(json.text_at, std::nullopt);

  const FormatSpec columns = format("csv: {source: $key, target: 2, weight: $header.x-y}");
  const auto& numbers = std::get<CsvMapping>(columns.mapping);
  EXPECT_EQ(numbers.source, CsvColumn(EnvelopeName("$key")));
  EXPECT_EQ(numbers.weight, CsvColumn(EnvelopeName("$header.x-y")));
  const FormatSpec names = format("csv: {source: \"$key\", target: b}");
  EXPECT_EQ(std::get<CsvMapping>(names.mapping).source, CsvColumn("$key"));
}

TEST(ValidConfigTest, AMappedTimeMaySayHowItIsWritten) {
  const auto format = [](const std::string& mapping, const std::string& time) {
    return ParseGood("source:\n  kafka: {topics: [a]}\n  format: {" + mapping + "}\n" + time +
                     "windows: [{name: w, length: 5m, slide: 10s}]\n")
        .source.format;
  };
  const FormatSpec joined = format(
      "json: {source: /s, target: /t, time: {from: [/date, /time], join: \" \", format: "
      "\"%d.%m.%Y %H:%M\", zone: Europe/Berlin}}",
      "");
  EXPECT_EQ(joined.time_origin, TimeOrigin::kField);
  EXPECT_EQ(joined.time_unit, TimeUnit::kFormat);
  EXPECT_EQ(joined.time_zone, "Europe/Berlin");
  const auto& json = std::get<JsonMapping>(joined.mapping);
  EXPECT_EQ(json.time, "/date");
  EXPECT_EQ(json.time_rest, (JoinedFields<std::string>{{"/time"}, " "}));

  const FormatSpec steps = format("csv: {source: 1, target: 2, time: {from: 3}}",
                                  "  time: {unit: 3600s, base: \"2026-01-01T00:00:00Z\"}\n");
  EXPECT_EQ(steps.time_unit, TimeUnit::kStep);
  EXPECT_EQ(steps.time_step, std::chrono::hours(1));
  EXPECT_EQ(steps.time_base, EventTime(std::chrono::seconds(1767225600)));
  EXPECT_EQ(std::get<CsvMapping>(steps.mapping).time, CsvColumn(3u));
  EXPECT_EQ(format("csv: {source: 1, target: 2, time: 3}", "  time: {unit: 1000us}\n").time_unit,
            TimeUnit::kMilliseconds);
  const FormatSpec nearer = format("csv: {source: 1, target: 2, time: {from: 3, unit: s}}",
                                   "  time: {format: \"%F\", zone: UTC}\n");
  EXPECT_EQ(nearer.time_unit, TimeUnit::kSeconds);
  EXPECT_EQ(nearer.time_zone, "");
}

TEST(ValidConfigTest, ColumnsInQuotesAreNames) {
  const auto mapping = [](const char* csv) {
    return std::get<CsvMapping>(
        ParseGood(Replaced(kGood, "json: {source: /s, target: /t, time: /ts}", csv))
            .source.format.mapping);
  };
  EXPECT_EQ(mapping("csv: {source: 1, target: 2, time: 3}").target, CsvColumn(2u));
  EXPECT_EQ(mapping("csv: {source: \"1\", target: b, time: c}").source, CsvColumn("1"));
  EXPECT_EQ(mapping("csv: {source: 1, target: 2, time: 3, delimiter: \"\\t\"}").delimiter, '\t');
  EXPECT_EQ(mapping("csv: {source: 1, target: 2, time: 3, delimiter: tab}").delimiter, '\t');
  EXPECT_EQ(mapping("csv: {source: 1, target: 2, time: 3, delimiter: blanks}").delimiter, kBlanks);
  EXPECT_TRUE(mapping("csv: {source: 1, target: 2, time: 3, quote: '\"'}").quotes);
  EXPECT_FALSE(mapping("csv: {source: 1, target: 2, time: 3, quote: none}").quotes);
  EXPECT_EQ(mapping("csv: {source: 1, target: 2, time: 3, comment: '#'}").comment, "#");
  EXPECT_EQ(mapping("csv: {source: 1, target: 2, time: 3, skip_rows: 8}").skip_rows, 8u);
  EXPECT_FALSE(mapping("csv: {source: 1, target: 2, time: 3}").multiline);
  EXPECT_TRUE(mapping("csv: {source: 1, target: 2, time: 3, multiline: true}").multiline);
}

TEST(ValidConfigTest, EdgesHaveTypesAndIds) {
  const std::string text = R"(
source:
  kafka: {topics: [a]}
  mappings:
    - json: {}
      edges:
        - {source: /s, target: /t, type: paid, id: /tx}
        - {source: /s, target: /u, type: /kind}
        - {source: /s, target: /v, type: {from: [/a, /b], join: "-", case: lower}}
    - {csv: {source: 1, target: 2, type: {from: 3}, id: {from: [1, 4], join: "/"}}, topics: [a]}
    - {csv: {source: 1, target: 2, type: "3"}}
    - {csv: {source: 1, target: 2, type: $header.kind}}
  dedupe: {within: 10m}
windows:
  - {name: w, length: 2s, slide: 1s, types: [paid, login]}
  - {name: v, length: 2s, slide: 1s, types: [login, paid]}
)";
  const Config config = ParseGood(text);
  const auto& json = std::get<JsonMapping>(config.source.format.mappings[0].mapping);
  EXPECT_EQ(json.type_word, "paid");
  EXPECT_EQ(json.id, "/tx");
  EXPECT_EQ(config.source.time.dedupe_within, std::chrono::minutes(10));
  EXPECT_EQ(json.more_edges[0].type, "/kind");
  EXPECT_EQ(json.more_edges[1].type, "/a");
  EXPECT_EQ(json.more_edges[1].type_parts.rest.separator, "-");
  const auto csv = [&](std::size_t i) {
    return std::get<CsvMapping>(config.source.format.mappings[i].mapping);
  };
  EXPECT_EQ(csv(1).type, CsvColumn(3u));
  EXPECT_EQ(csv(1).id_parts.rest.more, std::vector<CsvColumn>{4u});
  EXPECT_EQ(csv(2).type_word, "3");
  EXPECT_EQ(csv(3).type, CsvColumn(EnvelopeName("$header.kind")));
  EXPECT_EQ(config.windows[0].types, (std::vector<std::string>{"paid", "login"}));
  EXPECT_EQ(config.source.format.window_filters.size(), 1u) << "in any order they are the same";
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
  for (const auto& [from, to] : {std::pair("type: paid", "type: owed"), std::pair("/tx", "/tx2"),
                                 std::pair("type: /kind", "type: kind")}) {
    EXPECT_FALSE(Same(ParseGood(Replaced(text, from, to)), config)) << to;
  }
}

TEST(ValidConfigTest, ATypeHasAtMost255Bytes) {
  const auto typed = [](std::size_t bytes) {
    return Replaced(kGood, "target: /t", "target: /t, type: " + std::string(bytes, 'x'));
  };
  ParseGood(typed(255));
  const auto errors = ParseConfig(typed(256), "f").errors;
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].message, "has 256 bytes; a type has at most 255");
}

}  // namespace
}  // namespace sash
