// One wrong place at a time: exactly one error, with its line, key and remedy.
#include <gmock/gmock.h>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

struct Wrong {
  const char* name;
  const char* from;
  const char* to;
  int line;
  const char* key;
  const char* remedy;  // part of the message
};

class ConfigErrorsTest : public testing::TestWithParam<Wrong> {};

TEST_P(ConfigErrorsTest, NamesLineKeyAndRemedy) {
  const Wrong& wrong = GetParam();
  const ParsedConfig parsed = Parsed(Replaced(kGood, wrong.from, wrong.to), "f.yaml");
  ASSERT_EQ(parsed.errors.size(), 1u) << AllErrors(parsed);
  EXPECT_EQ(parsed.errors[0].line, wrong.line) << AllErrors(parsed);
  EXPECT_EQ(parsed.errors[0].key, wrong.key) << AllErrors(parsed);
  EXPECT_THAT(parsed.errors[0].message, testing::HasSubstr(wrong.remedy));
}

constexpr const char* kWindow = "    length: 5m\n    slide: 10s\n";
constexpr const char* kStart = "start: committed";
constexpr const char* kJson = "json: {source: /s, target: /t, time: /ts}";
constexpr const char* kRoots = "parameters: {roots: [x]}";

INSTANTIATE_TEST_SUITE_P(
    Root, ConfigErrorsTest,
    testing::Values(
        Wrong{"UnknownKey", "http:", "htpp:", 21, "htpp",
              "did you mean `http`? (known here: source"},
        Wrong{"PlannedKey", "http:", "state: {path: x}\nhttp:", 21, "state",
              "not available in this"},
        Wrong{"MergeKey", "http:", "<<: {}\nhttp:", 21, "<<", "merge keys are not supported"},
        Wrong{"KeyTwice", "http:", "windows: []\nhttp:", 21, "windows",
              "given twice, on line 10 and on line 21"},
        Wrong{"NestedKeyTwice", "slide: 10s", "slide: 10s\n    slide: 5s", 14, "windows[0].slide",
              "on line 13 and on line 14"},
        Wrong{"ListAsKey", "http:", "[a]: b\nhttp:", 21, "(yaml)", "a key that is not text"},
        Wrong{"Tag", "\"127.0.0.1:9640\"", "!include x", 21, "http.listen", "has a tag"},
        Wrong{"Syntax", "jobs: [j]}", "jobs: [j}", 20, "(yaml)", "not valid YAML"},
        Wrong{"TwoDocuments", "http:", "---\nhttp:", 21, "(yaml)", "a second document"},
        Wrong{"UnknownAlias", "path: out.jsonl", "path: *nowhere", 20, "(yaml)", "not valid YAML"},
        Wrong{"Nul", "out.jsonl", "\"a\\0b\"", 20, "sinks[0].file.path", "NUL"},
        Wrong{"DeadlineWithoutUnit", "http:", "shutdown_deadline: 5\nhttp:", 21,
              "shutdown_deadline", "needs a unit: 5ms, 5s, 5m"},
        Wrong{"LogLevel", "http:", "log: {level: warning}\nhttp:", 21, "log.level",
              "trace, debug, info, warn or error, not `warning`; did you mean `warn`?"},
        Wrong{"MemoryTooSmall", "http:", "memory: {limit: 63MiB}\nhttp:", 21, "memory.limit",
              "`63MiB` is too small; give at least 64MiB"},
        Wrong{"MemoryWithoutUnit", "http:", "memory: {limit: 8}\nhttp:", 21, "memory.limit",
              "`8` needs a unit: 8B, 8KiB, 8MiB, 8GiB or 8TiB, or auto or none"}),
    [](const auto& param) { return param.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Source, ConfigErrorsTest,
    testing::Values(
        Wrong{"BothConnectors", "  format:", "  replay: {path: x.csv}\n  format:", 5,
              "source.replay", "stands beside `kafka` (line 2); give exactly one"},
        Wrong{"NoTopics", "    topics: [a, b]\n", "", 2, "source.kafka.topics",
              "is required: give"},
        Wrong{"EmptyTopics", "[a, b]", "[]", 3, "source.kafka.topics", "at least one topic"},
        Wrong{"ScalarTopics", "[a, b]", "a", 3, "source.kafka.topics", "expected a list of topics"},
        Wrong{"TopicTwice", "[a, b]", "[a, a]", 3, "source.kafka.topics[1]", "listed twice"},
        Wrong{"TopicName", "[a, b]", "[a, ^b.*]", 3, "source.kafka.topics[1]", "A-Z a-z 0-9 _ . -"},
        Wrong{"EmptyGroup", kStart, "group:", 4, "source.kafka.group", "is empty; give the name"},
        Wrong{"StartWord", kStart, "start: latst", 4, "source.kafka.start",
              "did you mean `latest`?"},
        Wrong{"StartList", kStart, "start: [a]", 4, "source.kafka.start",
              "expected committed, earliest"},
        Wrong{"StartTime", kStart, "start: {timestamp: yesterday}", 4,
              "source.kafka.start.timestamp", "2026-01-01T00:00:00Z, or milliseconds"},
        Wrong{"StartTopic", kStart, "start: {explicit: {c: {0: 1}}}", 4,
              "source.kafka.start.explicit.c", "not among source.kafka.topics (a, b)"},
        Wrong{"StartOffset", kStart, "start: {explicit: {a: {0: -1}}}", 4,
              "source.kafka.start.explicit.a.0", "at least 0"},
        Wrong{"StartPartition", kStart, "start: {explicit: {a: {x: 1}}}", 4,
              "source.kafka.start.explicit.a.x", "not a partition"},
        Wrong{"BrokerWithoutPort", kStart, "brokers: a:9092,b", 4, "source.kafka.brokers",
              "`b` has no port; give host:port"},
        Wrong{"BrokerPort", kStart, "brokers: a:70000", 4, "source.kafka.brokers", "1 to 65535"},
        Wrong{"BrokerScheme", kStart, "brokers: \"http://a:1\"", 4, "source.kafka.brokers",
              "scheme"},
        Wrong{"OwnedOption", kStart, "options:\n      group.id: x", 5,
              "source.kafka.options.group.id", "set `source.kafka.group` instead"},
        Wrong{"OwnedCommit", kStart, "options: {enable.auto.commit: true}", 4,
              "source.kafka.options.enable.auto.commit", "commits are ours"},
        Wrong{"RedactedOption", kStart, "options: {sasl.password: <redacted>}", 4,
              "source.kafka.options.sasl.password", "was redacted"},
        Wrong{"OptionList", kStart, "options: {debug: [a]}", 4, "source.kafka.options.debug",
              "expected a value, found a list"},
        Wrong{"NoFormat",
              "  format:\n    json: {source: /s, target: /t, time: /ts}\n    keys: string\n", "", 1,
              "source.format", "is required: give json"},
        Wrong{"NoMapping", kJson, "tombstone: ignore", 5, "source.format",
              "exactly one of json or csv"},
        Wrong{"NoTarget", "target: /t, ", "", 6, "source.format.json.target",
              "JSON pointer such as"},
        Wrong{"Pointer", "/ts", "ts", 6, "source.format.json.time", "starts with a slash: /ts"},
        Wrong{"PointerEscape", "/ts", "/t~2", 6, "source.format.json.time",
              "~0 for ~ and ~1 for /"},
        Wrong{"MixedColumns", kJson, "csv: {source: 1, target: b, time: 3}", 6,
              "source.format.csv.target", "all columns by name"},
        Wrong{"ColumnZero", kJson, "csv: {source: 0, target: 2, time: 3}", 6,
              "source.format.csv.source", "numbered from 1"},
        Wrong{"Delimiter", kJson, "csv: {source: 1, target: 2, time: 3, delimiter: \";;\"}", 6,
              "source.format.csv.delimiter", "one ASCII character"},
        Wrong{"Keys", "keys: string", "keys: int", 7, "source.format.keys", "string or integer"},
        Wrong{"Tombstone", "keys: string", "tombstone: delete", 7, "source.format.tombstone",
              "ignore, remove or dead_letter"},
        Wrong{"FieldUnmapped", ", time: /ts", "", 8, "source.time.from", "map `time` in"},
        Wrong{"Disorder", "from: field", "disorder: 5", 8, "source.time.disorder", "5ms, 5s, 5m"},
        Wrong{"NegativeDisorder", "from: field", "disorder: -5s", 8, "source.time.disorder",
              "must not be negative"},
        Wrong{"IdleZero", "from: field", "idle_after: 0s", 8, "source.time.idle_after",
              "longer than 0"},
        Wrong{"Fraction", "from: field", "max_drift: 1.5s", 8, "source.time.max_drift",
              "1500ms instead of 1.5s"},
        Wrong{"TwoUnits", "from: field", "ahead_limit: 1h30m", 8, "source.time.ahead_limit",
              "90m instead of 1h30m"},
        Wrong{"LimitWithoutUnit", "1MiB", "64", 9, "source.dead_letters.limit", "64MiB"},
        Wrong{"LimitUnit", "1MiB", "64MB", 9, "source.dead_letters.limit", "MiB instead of MB"},
        Wrong{"LimitSmall", "1MiB", "4095B", 9, "source.dead_letters.limit", "at least 4KiB"}),
    [](const auto& param) { return param.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Windows, ConfigErrorsTest,
    testing::Values(
        Wrong{"NoSlide", "    slide: 10s\n", "", 11, "windows[0].slide",
              "is required: give a duration"},
        Wrong{"SlideSpelt", "slide: 10s", "slide: 10s\n    slidee: 1s", 14, "windows[0].slidee",
              "did you mean `slide`?"},
        Wrong{"BareLength", "length: 5m", "length: 5", 12, "windows[0].length",
              "needs a unit: 5ms, 5s, 5m, 5h or 5d (numbers of events go with `by: events`)"},
        Wrong{"NotMultiple", "slide: 10s", "slide: 7s", 12, "windows[0].length",
              "5m is not a multiple of slide (7s); give 294s or 301s"},
        Wrong{"ShorterThanSlide", "slide: 10s", "slide: 10m", 12, "windows[0].length",
              "give 10m or another multiple"},
        Wrong{"ZeroSlide", "slide: 10s", "slide: 0s", 13, "windows[0].slide", "longer than 0"},
        Wrong{"TooLong", "length: 5m", "length: 7301d", 12, "windows[0].length", "at most 7300d"},
        Wrong{"EventsWithDuration", kWindow, "    by: events\n    length: 100\n    slide: 10s\n",
              14, "windows[0].slide", "slide: 1000 (durations go with `by: event_time`)"},
        Wrong{"ZeroEvents", kWindow, "    by: events\n    length: 100\n    slide: 0\n", 14,
              "windows[0].slide", "from 1 to"},
        Wrong{"ListLength", "length: 5m", "length: [5m]", 12, "windows[0].length",
              "expected a duration such as 5m, or forever, found a list"},
        Wrong{"NameTwice", "slide: 10s", "slide: 10s\n  - {name: w, length: 1m, slide: 1m}", 14,
              "windows[1].name", "give another name"},
        Wrong{"Implementation", "slide: 10s", "slide: 10s\n    implementation: multiversion", 14,
              "windows[0].implementation", "did you mean `multiversioned`?"},
        Wrong{"Duplicates", "slide: 10s", "slide: 10s\n    duplicates: sum", 14,
              "windows[0].duplicates", "must be keep, drop or weigh, not `sum`"},
        Wrong{"ScalarWindow", "  - name: w\n    length: 5m\n    slide: 10s\n", "  - w\n", 11,
              "windows[0]", "expected a mapping with keys of name"}),
    [](const auto& param) { return param.param.name; });

INSTANTIATE_TEST_SUITE_P(
    JobsAndSinks, ConfigErrorsTest,
    testing::Values(
        Wrong{"JobName", "sinks:", "  - {name: a/b, kernel: window, window: w}\nsinks:", 19,
              "jobs[1].name", "A-Z a-z 0-9"},
        Wrong{"UnknownKernel", "kernel: bfs", "kernel: pagernk", 16, "jobs[0].kernel",
              "did you mean `pagerank`?"},
        Wrong{"KernelsAreListed", "kernel: bfs", "kernel: communities", 16, "jobs[0].kernel",
              "is no known kernel; available: pagerank, bfs, window, wcc, sssp, triangles, lcc, "
              "cdlp, kcore, degree, fanout, new_edges, vanished_edges"},
        Wrong{"ParameterOfAKernelWithoutAny", "kernel: bfs", "kernel: wcc", 18,
              "jobs[0].parameters.roots", "unknown key (no keys are known here)"},
        Wrong{"DeltaOfZero", "kernel: bfs\n    window: w\n    parameters: {roots: [x]",
              "kernel: sssp\n    window: w\n    parameters: {roots: [x], delta: 0", 18,
              "jobs[0].parameters.delta", "give a number above 0, or auto"},
        Wrong{"DeltaInWords", "kernel: bfs\n    window: w\n    parameters: {roots: [x]",
              "kernel: sssp\n    window: w\n    parameters: {roots: [x], delta: wide", 18,
              "jobs[0].parameters.delta", ", or auto"},
        Wrong{"SsspWithoutRoots", "kernel: bfs\n    window: w\n    parameters: {roots: [x]}",
              "kernel: sssp\n    window: w", 15, "jobs[0].parameters.roots", "is required"},
        Wrong{"IterationsOfCdlp", "kernel: bfs\n    window: w\n    parameters: {roots: [x]",
              "kernel: cdlp\n    window: w\n    parameters: {max_iterations: 0", 18,
              "jobs[0].parameters.max_iterations", "1"},
        Wrong{"DirectionOfFanout", "kernel: bfs\n    window: w\n    parameters: {roots: [x]",
              "kernel: fanout\n    window: w\n    parameters: {direction: up", 18,
              "jobs[0].parameters.direction", "must be out, in or both, not `up`"},
        Wrong{"NoKernel", "    kernel: bfs\n", "", 15, "jobs[0].kernel", "pagerank, bfs, window"},
        Wrong{"UnknownWindow", "window: w\n", "window: v\n", 17, "jobs[0].window", "windows: w"},
        Wrong{"NoRoots", kRoots, "top: 3", 15, "jobs[0].parameters.roots", "is required"},
        Wrong{"EmptyRoots", "[x]", "[]", 18, "jobs[0].parameters.roots", "is empty"},
        Wrong{"NullRoot", "[x]", "[x, null]", 18, "jobs[0].parameters.roots[1]", "in quotes"},
        Wrong{"IntegerRoot", "keys: string", "keys: integer", 18, "jobs[0].parameters.roots[0]",
              "with `keys: integer`"},
        Wrong{"ForeignParameter", "[x]}", "[x], damping: 0.5}", 18, "jobs[0].parameters.damping",
              "unknown key (known here: roots, separate, direction, parents)"},
        Wrong{"NotBool", "[x]}", "[x], separate: yes}", 18, "jobs[0].parameters.separate",
              "true or false, not `yes`"},
        Wrong{"Damping", "bfs\n    window: w\n    parameters: {roots: [x]}",
              "pagerank\n    window: w\n    parameters: {damping: 1}", 18,
              "jobs[0].parameters.damping", "from 0 to below 1"},
        Wrong{"Tolerance", "bfs\n    window: w\n    parameters: {roots: [x]}",
              "pagerank\n    window: w\n    parameters: {tolerance: nan}", 18,
              "jobs[0].parameters.tolerance", "not a number"},
        Wrong{"WeightedInNumbers", "bfs\n    window: w\n    parameters: {roots: [x]}",
              "pagerank\n    window: w\n    parameters: {weighted: 1}", 18,
              "jobs[0].parameters.weighted", "true or false, not `1`"},
        Wrong{"WarmByWeight", "bfs\n    window: w\n    parameters: {roots: [x]}",
              "pagerank\n    window: w\n    parameters: {weighted: true, warm_start: true}", 18,
              "jobs[0].parameters.warm_start", "not for ranks by weight or from sources"},
        Wrong{"NoSources", "bfs\n    window: w\n    parameters: {roots: [x]}",
              "pagerank\n    window: w\n    parameters: {sources: []}", 18,
              "jobs[0].parameters.sources", "is empty; give a list of vertex keys"},
        Wrong{"SourceInWords", "bfs\n    window: w\n    parameters: {roots: [x]}",
              "pagerank\n    window: w\n    parameters: {sources: alice}", 18,
              "jobs[0].parameters.sources", "such as [alice], or all"},
        Wrong{"NullSource", "bfs\n    window: w\n    parameters: {roots: [x]}",
              "pagerank\n    window: w\n    parameters: {sources: [a, ~]}", 18,
              "jobs[0].parameters.sources[1]", "in quotes"},
        Wrong{"WindowParameters", "kernel: bfs", "kernel: window", 18, "jobs[0].parameters.roots",
              "no keys are known here"},
        Wrong{"Every", kRoots, "parameters: {roots: [x]}\n    every: 0", 19, "jobs[0].every",
              "from 1"},
        Wrong{"Threads", kRoots, "parameters: {roots: [x]}\n    threads: 2000", 19,
              "jobs[0].threads", "from 1 to 1024, or all"},
        Wrong{"Overrun", kRoots, "parameters: {roots: [x]}\n    overrun: queue", 19,
              "jobs[0].overrun", "skip or {queue: n}"},
        Wrong{"QueueZero", kRoots, "parameters: {roots: [x]}\n    overrun: {queue: 0}", 19,
              "jobs[0].overrun.queue", "from 1"},
        Wrong{"Top", kRoots, "parameters: {roots: [x]}\n    top: 1e3", 19, "jobs[0].top",
              "whole number from 1 to 1000000"},
        Wrong{"SinkJob", "jobs: [j]", "jobs: [k]", 20, "sinks[0].file.jobs[0]",
              "there is no job `k`; jobs: j"},
        Wrong{"SinkKind", "- file:", "- fiel:", 20, "sinks[0].fiel", "did you mean `file`?"},
        Wrong{"PlannedSink", "- file: {path: out.jsonl, jobs: [j]}", "- kafka: {}", 20,
              "sinks[0].kafka", "not available in this release"},
        Wrong{"SinkWithoutPath", "path: out.jsonl, ", "", 20, "sinks[0].file.path", "is required"},
        Wrong{"SinkTwice", "jobs: [j]}", "jobs: [j]}\n  - file: {path: ./out.jsonl}", 21,
              "sinks[1].file.path", "is the file of sinks[0].file already"},
        Wrong{"SinkIsDeadLetters", "out.jsonl", "dead-letters.jsonl", 20, "sinks[0].file.path",
              "source.dead_letters.path already"},
        Wrong{"PublicListen", "127.0.0.1:9640", "0.0.0.0:9640", 21, "http.listen",
              "neither TLS nor tokens; give a loopback address"},
        Wrong{"ListenWithoutPort", "127.0.0.1:9640", "localhost", 21, "http.listen", "has no port"},
        Wrong{"ListenList", "\"127.0.0.1:9640\"", "[a]", 21, "http.listen", "expected host:port"}),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace sash
