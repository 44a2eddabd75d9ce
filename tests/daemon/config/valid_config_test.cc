#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using namespace std::chrono_literals;

const KafkaSpec& Kafka(const Config& config) {
  return std::get<KafkaSpec>(config.source.connector);
}

TEST(ValidConfigTest, DefaultsAreThoseOfTheDesign) {
  const Config config = ParseGood(R"(
source:
  kafka: {topics: [interactions]}
  format: {json: {source: /from, target: /to}}
windows: [{name: w, length: 5m, slide: 10s}]
jobs: [{name: p, kernel: pagerank, window: w}]
)");
  EXPECT_EQ(Kafka(config).brokers, "embedded");
  EXPECT_EQ(Kafka(config).group, "sash");
  EXPECT_TRUE(std::holds_alternative<StartCommitted>(Kafka(config).start));
  EXPECT_EQ(config.source.format.time_origin, TimeOrigin::kKafka);
  EXPECT_EQ(config.source.format.time_unit, TimeUnit::kMilliseconds);
  EXPECT_TRUE(config.source.time.check_ahead);
  EXPECT_EQ(config.source.time.disorder, 2s);
  EXPECT_EQ(config.source.time.idle_after, 10s);
  EXPECT_TRUE(config.source.time.auto_ahead_limit);
  EXPECT_EQ(config.source.time.max_drift, 1min);
  EXPECT_EQ(config.source.dead_letters.path, "dead-letters.jsonl");
  EXPECT_EQ(config.source.dead_letters.limit_bytes, 64u << 20);
  EXPECT_EQ(config.windows[0].length, Duration(5min).count());
  EXPECT_EQ(config.windows[0].duplicates, DuplicatesPolicy::kKeep);
  EXPECT_EQ(config.windows[0].implementation, StoreKind::kMultiversioned);
  EXPECT_EQ(std::get<PageRankParameters>(config.jobs[0].parameters).damping, 0.85);
  EXPECT_FALSE(std::get<PageRankParameters>(config.jobs[0].parameters).is_biased());
  EXPECT_EQ(config.jobs[0].top, 50u);
  EXPECT_EQ(config.jobs[0].keep_results, 100u);
  EXPECT_EQ(config.http.port, 9640);
  EXPECT_EQ(config.shutdown_deadline, 10s);
  EXPECT_EQ(config.runners, 1u);
}

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

TEST(ValidConfigTest, TheLimitOfWhatIsAheadFollowsTheWindows) {
  const std::string yaml = R"(
source:
  kafka: {topics: [interactions]}
  format: {json: {source: /from, target: /to}}
  time: {disorder: DISORDER, ahead_limit: LIMIT}
windows:
  - {name: w, length: 4h, slide: SLIDE}
  - {name: x, length: 4h, slide: 4h}
  - {name: y, by: processing_time, length: 10s, slide: 10s}
)";
  const auto limit = [&](const char* disorder, const char* slide, const char* given) {
    const std::string text = Replaced(Replaced(yaml, "DISORDER", disorder), "SLIDE", slide);
    return ParseGood(Replaced(text, "LIMIT", given)).source.time.ahead_limit;
  };
  EXPECT_EQ(limit("2s", "10s", "auto"), 1min);
  EXPECT_EQ(limit("2s", "5m", "auto"), 5min);
  EXPECT_EQ(limit("1h", "5m", "auto"), 1h);
  EXPECT_EQ(limit("1h", "5m", "3s"), 3s);
  EXPECT_EQ(limit("1h", "5m", "0s"), 0s);
}

TEST(ValidConfigTest, OriginOfTimeFollowsTheSourceAndTheFormat) {
  const std::string replay = R"(
source: {replay: {path: "-"}, format: {csv: {source: 1, target: 2TIME}}}
windows: [{name: w, length: 1m, slide: 1m}]
)";
  const Config clock = ParseGood(Replaced(replay, "TIME", ""));
  EXPECT_EQ(clock.source.format.time_origin, TimeOrigin::kClock);
  EXPECT_FALSE(clock.source.time.check_ahead);
  EXPECT_EQ(ParseGood(Replaced(replay, "TIME", ", time: 3")).source.format.time_origin,
            TimeOrigin::kField);
}

TEST(ValidConfigTest, HowMuchAReplayMayRefuse) {
  const std::string replay = R"(
source: {replay: {path: "-"MORE}, format: {csv: {source: 1, target: 2}}}
windows: [{name: w, length: 1m, slide: 1m}]
)";
  const auto percent = [&](const char* more) {
    return ParseGood(Replaced(replay, "MORE", more)).source.refuse_at_most;
  };
  EXPECT_EQ(percent(""), 50);
  EXPECT_EQ(percent(", refuse_at_most: 0%"), 0);
  EXPECT_EQ(percent(", refuse_at_most: 12.5 %"), 12.5);
  for (const char* wrong : {"0.5", "101%", "half"}) {
    const std::string yaml = Replaced(replay, "MORE", std::string(", refuse_at_most: ") + wrong);
    EXPECT_THAT(AllErrors(ParseConfig(yaml, "test.yaml")),
                ::testing::HasSubstr("source.replay.refuse_at_most: `" + std::string(wrong) +
                                     "` is not a percentage; give 0% to 100%, such as 50%"));
  }
}

TEST(ValidConfigTest, AReplayReadsOneFileOrSeveral) {
  const auto yaml = [](const std::string& replay) {
    return "source: {replay: {" + replay + "}, format: {csv: {source: 1, target: 2}}}\n" +
           "windows: [{name: w, length: 2s, slide: 1s}]\n";
  };
  const auto read = [&](const std::string& replay) {
    return std::get<ReplaySpec>(ParseGood(yaml(replay)).source.connector);
  };
  EXPECT_THAT(read("path: a.csv").paths, ::testing::ElementsAre("a.csv"));
  EXPECT_THAT(read("path: [a.csv, \"b/*.gz\"]").paths, ::testing::ElementsAre("a.csv", "b/*.gz"));
  EXPECT_THAT(read("path: [\"-\"]").paths, ::testing::ElementsAre("-"));
  EXPECT_EQ(read("path: a").at_end, SourceEnd::kExit);
  EXPECT_EQ(read("path: a, at_end: stay").at_end, SourceEnd::kStay);
  for (const auto& [replay, error] :
       {std::pair{"path: []", "source.replay.path: is empty"},
        {"path: ", "source.replay.path: is empty; give"},
        {"pace: full", "source.replay.path: is required: give"},
        {"path: {a: b}", "source.replay.path: expected the path"},
        {"path: [a, a]", "source.replay.path[1]: `a` is listed twice"},
        {"path: [a, \"-\"]", "source.replay.path[1]: is standard input"},
        {"path: a, at_end: wait", "source.replay.at_end: must be"}}) {
    EXPECT_THAT(AllErrors(Parsed(yaml(replay), "test.yaml")), ::testing::HasSubstr(error));
  }
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

TEST(ValidConfigTest, EveryFormOfStart) {
  const auto start = [](const char* text) {
    return Kafka(ParseGood(Replaced(kGood, "start: committed", text))).start;
  };
  EXPECT_TRUE(std::holds_alternative<StartLatest>(start("start: latest")));
  EXPECT_EQ(std::get<StartTimestamp>(start("start: {timestamp: 1767225600000}")).time,
            std::get<StartTimestamp>(start("start: {timestamp: 2026-01-01T00:00:00Z}")).time);
  const auto offsets =
      std::get<StartExplicit>(start("start: {explicit: {a: {0: 7, 3: 9}}}")).offsets;
  EXPECT_EQ(offsets.at("a").at(3), 9);
}

TEST(ValidConfigTest, EmptySectionsTakeTheirDefaults) {
  const Config config = ParseGood(
      Replaced(Replaced(Replaced(kGood, "start: committed", "options:"),
                        "http: {listen: \"127.0.0.1:9640\"}", "http:\nlog:"),
               "  - file: {path: out.jsonl, jobs: [j]}", "  - terminal:\n  - terminal: {}"));
  EXPECT_EQ(config.sinks.size(), 2u);
  EXPECT_TRUE(config.http.enabled);
}

TEST(ValidConfigTest, HttpCanBeOff) {
  for (const char* off : {"http: {listen: off}", "http: {listen: false}", "http: off"}) {
    EXPECT_FALSE(
        ParseGood(Replaced(kGood, "http: {listen: \"127.0.0.1:9640\"}", off)).http.enabled);
  }
  const Config config = ParseGood(Replaced(kGood, "127.0.0.1:9640", "[::1]:0"));
  EXPECT_EQ(config.http.host, "::1");
  EXPECT_EQ(config.http.port, 0);
}

TEST(ValidConfigTest, ForeverFitsEveryAxis) {
  for (const char* axis : {"by: event_time", "by: processing_time", "by: events"}) {
    const bool events = std::string_view(axis) == "by: events";
    const Config config = ParseGood(
        Replaced(Replaced(kGood, "length: 5m", std::string(axis) + "\n    length: forever"),
                 "slide: 10s", events ? "slide: 10" : "slide: 10s"));
    EXPECT_FALSE(config.windows[0].length.has_value());
  }
}

TEST(ValidConfigTest, RootsFollowTheKindOfKeys) {
  const auto root = [](const std::string& yaml) {
    return std::get<BfsParameters>(ParseGood(yaml).jobs[0].parameters).roots[0];
  };
  EXPECT_EQ(root(Replaced(kGood, "[x]", "[10]")), VertexKey("10"));
  EXPECT_EQ(root(Replaced(Replaced(kGood, "[x]", "[-10]"), "keys: string", "keys: integer")),
            VertexKey(std::int64_t{-10}));
}

TEST(ValidConfigTest, SourcesAreAllOrAListOfKeys) {
  const auto sources = [](const std::string& text) {
    const std::string job = Replaced(kGood, "kernel: bfs", "kernel: pagerank");
    return std::get<PageRankParameters>(
               ParseGood(Replaced(job, "roots: [x]", "sources: " + text)).jobs[0].parameters)
        .sources;
  };
  EXPECT_EQ(sources("all"), std::vector<VertexKey>());
  EXPECT_EQ(sources("[all]"), std::vector<VertexKey>{"all"});
  EXPECT_EQ(sources("[b, 7]"), (std::vector<VertexKey>{"b", "7"}));
}

TEST(ValidConfigTest, BothImplementationsTakeEveryPolicyAndRemovals) {
  using Change = std::array<std::string_view, 2>;
  for (const auto& [from, to] :
       {Change{"time: /ts", "time: /ts"}, Change{"time: /ts", "time: /ts, operation: /o"},
        Change{"keys: string", "keys: string\n    tombstone: remove"}}) {
    for (const std::string duplicates : {"keep", "drop", "weigh"}) {
      for (const std::string implementation : {"multiversioned", "rebuild"}) {
        SCOPED_TRACE(std::string(to) + ", " + duplicates + ", " + implementation);
        const WindowSpec window = ParseGood(Replaced(Replaced(kGood, from, to), "slide: 10s",
                                                     "slide: 10s\n    duplicates: " + duplicates +
                                                         "\n    implementation: " + implementation))
                                      .windows[0];
        EXPECT_EQ(window.implementation == StoreKind::kRebuild, implementation == "rebuild");
        EXPECT_EQ(window.removals, from != to);
      }
    }
  }
}

TEST(ValidConfigTest, EdgesAreIdentifiedByTheirPairsUnlessTypesCountToo) {
  const auto identity = [](const std::string& text) {
    return ParseGood(Replaced(kGood, "slide: 10s", "slide: 10s" + text)).windows[0].identity;
  };
  EXPECT_EQ(identity(""), EdgeIdentity::kPair);
  EXPECT_EQ(identity("\n    identity: pair"), EdgeIdentity::kPair);
  EXPECT_EQ(identity("\n    identity: pair_and_type"), EdgeIdentity::kPairAndType);
}

TEST(ValidConfigTest, MultiversionedIsTheDefaultOfEveryPolicy) {
  for (const std::string duplicates : {"keep", "drop", "weigh"}) {
    const Config config =
        ParseGood(Replaced(kGood, "slide: 10s", "slide: 10s\n    duplicates: " + duplicates));
    EXPECT_EQ(config.windows[0].implementation, StoreKind::kMultiversioned);
  }
}

TEST(ValidConfigTest, WindowsMayEndAtAPartOfTheirSlide) {
  EXPECT_EQ(ParseGood(kGood).windows[0].offset, 0);
  const Config monday = ParseGood(Replaced(Replaced(kGood, "length: 5m", "length: 7d"),
                                           "slide: 10s", "slide: 7d\n    offset: 4d"));
  EXPECT_EQ(monday.windows[0].offset, Duration(96h).count());
  EXPECT_EQ(
      ParseGood(Replaced(kGood, "slide: 10s", "slide: 10s\n    offset: 0s")).windows[0].offset, 0);
}

TEST(ValidConfigTest, WindowsMayHaveFilters) {
  EXPECT_EQ(ParseGood(kGood).windows[0].where, "");
  EXPECT_TRUE(ParseGood(kGood).source.format.window_filters.empty());
  const Config config = ParseGood(
      Replaced(kGood, "slide: 10s",
               "slide: 10s\n    where: 'double(/amount) > 50.0'\n"
               "  - {name: x, length: 10s, slide: 10s, where: '/k == 1'}\n"
               "  - {name: y, length: 20s, slide: 10s, where: 'double(/amount) > 50.0'}"));
  EXPECT_EQ(config.windows[0].where, "double(/amount) > 50.0");
  EXPECT_EQ(config.source.format.window_filters,
            (std::vector<std::string>{"double(/amount) > 50.0", "/k == 1"}));
}

TEST(ValidConfigTest, DedupeIsForWindowsByEventTime) {
  const std::string text = R"(
source:
  kafka: {topics: [a]}
  format: {json: {source: /s, target: /t, id: /tx}}
  dedupe: {within: 1h}
windows:
  - {name: w, length: 2s, slide: 1s}
)";
  EXPECT_EQ(ParseGood(text).source.time.dedupe_within, std::chrono::hours(1));
  const std::string by_clock = text + "  - {name: v, by: processing_time, length: 2s, slide: 1s}\n";
  EXPECT_EQ(AllErrors(Parsed(by_clock, "test.yaml")),
            "test.yaml:8: windows[1].by: cannot be this together with source.dedupe: edges that "
            "came before are left out of windows by event_time alone\n");
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

TEST(ValidConfigTest, AWindowOfTypesAsksTheRecordsOfTheirMappings) {
  const std::string text = R"(
source:
  kafka: {topics: [a]}
  mappings:
    - {json: {source: /s, target: /t, type: paid}}
    - {csv: {source: 1, target: 2, type: login}}
windows: [{name: w, length: 2s, slide: 1s, types: [paid], where: /x == 1}]
)";
  EXPECT_EQ(ParseGood(text).windows[0].where, "/x == 1");
  EXPECT_FALSE(ParseConfig(Replaced(text, "types: [paid], ", ""), "f").errors.empty());
  const auto errors = ParseConfig(Replaced(text, "[paid]", "[paid, owed]"), "f").errors;
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].message, "has `owed`, but the types that mappings give are login, paid");
  const auto twice = ParseConfig(Replaced(text, "[paid]", "[paid, paid]"), "f").errors;
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_EQ(twice[0].message, "type `paid` is listed twice; keep one");
}

TEST(ValidConfigTest, EachMappingKnowsTheFiltersOfWindows) {
  const Config config = ParseGood(R"(
source:
  kafka: {topics: [a]}
  mappings:
    - {json: {source: /s, target: /t}}
    - {json: {source: /s, target: /u}, where: /x == 2}
windows: [{name: w, length: 2s, slide: 1s, where: /x == 1}]
)");
  for (const FormatSpec& mapping : config.source.format.mappings) {
    EXPECT_EQ(mapping.window_filters, FilterTexts{"/x == 1"});
  }
}

TEST(ValidConfigTest, MappingsTakeTopicsByAPattern) {
  const std::string text = R"(
source:
  kafka: {topics: {pattern: "^t-"}}
  mappings:
    - {topics: {pattern: "^t-pay"}, json: {source: /s, target: /t}}
    - {topics: [t-a], json: {source: /s, target: /u}}
windows: [{name: w, length: 2s, slide: 1s}]
)";
  const Config config = ParseGood(text);
  const std::vector<FormatSpec>& mappings = config.source.format.mappings;
  ASSERT_EQ(mappings.size(), 2u);
  EXPECT_EQ(mappings[0].topic_pattern, "^t-pay");
  EXPECT_TRUE(mappings[0].topics.empty());
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
  for (const std::string to : {"{pattern: \"^t-p\"}", "[t-pay]"}) {
    EXPECT_FALSE(Same(ParseGood(Replaced(text, "{pattern: \"^t-pay\"}", to)), config)) << to;
  }
}

TEST(ValidConfigTest, MappingsReadAvro) {
  const std::string text = R"(
source:
  kafka: {topics: [a, b, c]}
  mappings:
    - {topics: [a], avro: {source: /s, target: /t, schema: a.avsc}}
    - {topics: [b], avro: {source: /s, target: /t}, registry: {url: "http://r"}}
    - {topics: [c], json: {source: /s, target: /t}, registry: {url: "http://r"}}
windows: [{name: w, length: 2s, slide: 1s}]
)";
  const Config config = ParseGood(text);
  const std::vector<FormatSpec>& mappings = config.source.format.mappings;
  ASSERT_EQ(mappings.size(), 3u);
  EXPECT_EQ(std::get<JsonMapping>(mappings[0].mapping).avro->path, "a.avsc");
  EXPECT_EQ(mappings[1].registry->url, "http://r");
  EXPECT_EQ(config.source.format.registry, mappings[2].registry) << "the source has one";
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
  EXPECT_FALSE(Same(ParseGood(Replaced(text, "a.avsc", "b.avsc")), config));
}

TEST(ValidConfigTest, MappingsSayWhatTheyReadAndHowTheirTimesAreWritten) {
  const std::string text = R"(
source:
  kafka: {topics: [a, b]}
  mappings:
    - {json: {source: /s, target: /t, time: /at}, where: "/x == 1"}
    - name: rows
      topics: [b]
      csv: {source: 1, target: 2, time: 3, operation: 4}
      time: {format: "%d.%m.%Y", zone: UTC}
      nulls: ["-"]
  time: {unit: s}
windows: [{name: w, length: 2s, slide: 1s}]
)";
  const Config config = ParseGood(text);
  ASSERT_EQ(config.source.format.mappings.size(), 2u);
  const FormatSpec& first = config.source.format.mappings[0];
  EXPECT_EQ(first.name, "0");
  EXPECT_TRUE(first.topics.empty());
  EXPECT_EQ(first.where, "/x == 1");
  EXPECT_EQ(first.time_unit, TimeUnit::kSeconds);
  const FormatSpec& rows = config.source.format.mappings[1];
  EXPECT_EQ(rows.topics, std::vector<std::string>{"b"});
  EXPECT_EQ(rows.time_unit, TimeUnit::kFormat);
  EXPECT_EQ(rows.time_origin, TimeOrigin::kField);
  EXPECT_TRUE(config.windows[0].removals) << "an operation may remove edges";
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config));
  for (const char* changed : {"/x == 2", "/x == 1\", nulls: [\"-\"], name: \"p"}) {
    EXPECT_FALSE(Same(ParseGood(Replaced(text, "/x == 1", changed)), config)) << changed;
  }
}

TEST(ValidConfigTest, AnchorsAndAliasesWork) {
  const Config config = ParseGood(
      Replaced(Replaced(kGood, "length: 5m", "length: &d 5m"), "slide: 10s", "slide: *d"));
  EXPECT_EQ(config.windows[0].slide, Duration(5min).count());
}

}  // namespace
}  // namespace sash
