#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

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
  - {name: w, length: 2s, slide: 1s, live: true}
)";
  EXPECT_EQ(ParseGood(text).source.time.dedupe_within, std::chrono::hours(1));
  const std::string by_clock = text + "  - {name: v, by: processing_time, length: 2s, slide: 1s}\n";
  EXPECT_EQ(AllErrors(Parsed(by_clock, "test.yaml")),
            "test.yaml:8: windows[1].by: cannot be this together with source.dedupe: edges that "
            "came before are left out of windows by event_time alone\n");
}

TEST(ValidConfigTest, AnchorsAndAliasesWork) {
  const Config config = ParseGood(
      Replaced(Replaced(kGood, "length: 5m", "length: &d 5m"), "slide: 10s", "slide: *d"));
  EXPECT_EQ(config.windows[0].slide, Duration(5min).count());
}

}  // namespace
}  // namespace sash
