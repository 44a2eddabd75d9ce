// One fault at a time gives exactly one error, with its line, key and remedy.
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

class ConfigErrorsTest : public ::testing::TestWithParam<Wrong> {};

TEST_P(ConfigErrorsTest, NamesLineKeyAndRemedy) {
  const Wrong& wrong = GetParam();
  const ParsedConfig parsed = Parsed(Replaced(kGood, wrong.from, wrong.to), "f.yaml");
  ASSERT_EQ(parsed.errors.size(), 1u) << AllErrors(parsed);
  EXPECT_EQ(parsed.errors[0].line, wrong.line) << AllErrors(parsed);
  EXPECT_EQ(parsed.errors[0].key, wrong.key) << AllErrors(parsed);
  EXPECT_THAT(parsed.errors[0].message, ::testing::HasSubstr(wrong.remedy));
}

constexpr const char* kWindow = "    length: 5m\n    slide: 10s\n";
constexpr const char* kStart = "start: committed";
constexpr const char* kJson = "json: {source: /s, target: /t, time: /ts}";
constexpr const char* kRoots = "parameters: {roots: [x]}";
constexpr const char* kFileSink = "- file: {path: out.jsonl, jobs: [j]}";

INSTANTIATE_TEST_SUITE_P(
    Root, ConfigErrorsTest,
    ::testing::Values(
        Wrong{"UnknownKey", "http:", "htpp:", 21, "htpp",
              "did you mean `http`? (known here: source"},
        Wrong{"PlannedKey", "    slide: 10s", "    slide: 10s\n    retain: 5", 14,
              "windows[0].retain", "not available in this release"},
        Wrong{"RecoveryWord", "http:", "recovery: disk\nhttp:", 21, "recovery",
              "replay or checkpoint, not `disk`"},
        Wrong{"StatePath", "http:", "state: {path: x/}\nhttp:", 21, "state.path", "x/"},
        Wrong{"StateMappingChanged", "http:", "state: {mapping_changed: ignore}\nhttp:", 21,
              "state.mapping_changed", "must be refuse or rebuild, not `ignore`"},
        Wrong{"StateInterval", "http:", "state: {interval: 5}\nhttp:", 21, "state.interval",
              "needs a unit"},
        Wrong{"StateWithoutPause", "http:", "state: {interval: 0s}\nhttp:", 21, "state.interval",
              "must be longer than 0"},
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
        Wrong{"LogBurst", "http:", "log: {rate_limit: {burst: 0}}\nhttp:", 21,
              "log.rate_limit.burst", "from 1 to 1000000"},
        Wrong{"LogEvery", "http:", "log: {rate_limit: {every: 0s}}\nhttp:", 21,
              "log.rate_limit.every", "must be"},
        Wrong{"MemoryTooSmall", "http:", "memory: {limit: 63MiB}\nhttp:", 21, "memory.limit",
              "`63MiB` is too small; give at least 64MiB"},
        Wrong{"MemoryWithoutUnit", "http:", "memory: {limit: 8}\nhttp:", 21, "memory.limit",
              "`8` needs a unit: 8B, 8KiB, 8MiB, 8GiB or 8TiB, or auto or none"}),
    [](const auto& param) { return param.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Source, ConfigErrorsTest,
    ::testing::Values(
        Wrong{"BothConnectors", "  format:", "  replay: {path: x.csv}\n  format:", 5,
              "source.replay", "is given together with `kafka` (line 2); give exactly one"},
        Wrong{"NoTopics", "    topics: [a, b]\n", "", 2, "source.kafka.topics",
              "is required: give"},
        Wrong{"EmptyTopics", "[a, b]", "[]", 3, "source.kafka.topics", "at least one topic"},
        Wrong{"ScalarTopics", "[a, b]", "a", 3, "source.kafka.topics", "expected a list of topics"},
        Wrong{"TopicTwice", "[a, b]", "[a, a]", 3, "source.kafka.topics[1]", "listed twice"},
        Wrong{"TopicName", "[a, b]", "[a, ^b.*]", 3, "source.kafka.topics[1]", "A-Z a-z 0-9 _ . -"},
        Wrong{"TopicLikeAPattern", "[a, b]", "[a, ^b.*]", 3, "source.kafka.topics[1]",
              "for topics whose names match a pattern, give topics: {pattern: TEXT}"},
        Wrong{"PatternKey", "[a, b]", "{pattern: a, patern: b}", 3, "source.kafka.topics.patern",
              "did you mean `pattern`?"},
        Wrong{"EmptyPattern", "[a, b]", "{pattern: \"\"}", 3, "source.kafka.topics.pattern",
              "must not be empty"},
        Wrong{"WrongPattern", "[a, b]", "{pattern: \"^pay-[a-z\"}", 3,
              "source.kafka.topics.pattern",
              "`^pay-[a-z` is not a regular expression of RE2: missing ]: [a-z"},
        Wrong{"EmptyGroup", kStart, "group:", 4, "source.kafka.group", "is empty; give the name"},
        Wrong{"StartWord", kStart, "start: latst", 4, "source.kafka.start",
              "did you mean `latest`?"},
        Wrong{"StartList", kStart, "start: [a]", 4, "source.kafka.start",
              "expected committed, earliest"},
        Wrong{"StartTime", kStart, "start: {timestamp: yesterday}", 4,
              "source.kafka.start.timestamp", "2026-01-01T00:00:00Z, or milliseconds"},
        Wrong{"StartTopic", kStart, "start: {explicit: {c: {0: 1}}}", 4,
              "source.kafka.start.explicit.c", "not among source.kafka.topics (a, b)"},
        Wrong{"StartTopicOfPattern", "topics: [a, b]\n    start: committed",
              "topics: {pattern: \"^b\"}\n    start: {explicit: {c: {0: 1}}}", 4,
              "source.kafka.start.explicit.c", "not among source.kafka.topics (pattern ^b)"},
        Wrong{"StartOffset", kStart, "start: {explicit: {a: {0: -1}}}", 4,
              "source.kafka.start.explicit.a.0", "at least 0"},
        Wrong{"StartPartition", kStart, "start: {explicit: {a: {x: 1}}}", 4,
              "source.kafka.start.explicit.a.x", "not a partition"},
        Wrong{"DecodeThreads", kStart, "decode_threads: 0", 4, "source.kafka.decode_threads",
              "from 1 to 64, or auto"},
        Wrong{"BrokerWithoutPort", kStart, "brokers: a:9092,b", 4, "source.kafka.brokers",
              "`b` has no port; give host:port"},
        Wrong{"BrokerPort", kStart, "brokers: a:70000", 4, "source.kafka.brokers", "1 to 65535"},
        Wrong{"BrokerScheme", kStart, "brokers: \"http://a:1\"", 4, "source.kafka.brokers",
              "scheme"},
        Wrong{"OwnedOption", kStart, "options:\n      group.id: x", 5,
              "source.kafka.options.group.id", "set `source.kafka.group` instead"},
        Wrong{"OwnedCommit", kStart, "options: {enable.auto.commit: true}", 4,
              "source.kafka.options.enable.auto.commit", "Sash commits by itself"},
        Wrong{"RedactedOption", kStart, "options: {sasl.password: <redacted>}", 4,
              "source.kafka.options.sasl.password", "was redacted"},
        Wrong{"OptionList", kStart, "options: {debug: [a]}", 4, "source.kafka.options.debug",
              "expected a value, found a list"},
        Wrong{"NoFormat",
              "  format:\n    json: {source: /s, target: /t, time: /ts}\n    keys: string\n", "", 1,
              "source.format", "is required: give json"},
        Wrong{"NoMapping", kJson, "tombstone: ignore", 5, "source.format",
              "exactly one of json, avro or csv"},
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
        Wrong{"Quote", kJson, "csv: {source: 1, target: 2, time: 3, quote: single}", 6,
              "source.format.csv.quote", "must be \" or none, not `single`"},
        Wrong{"MultilineWithoutQuotes", kJson,
              "csv: {source: 1, target: 2, time: 3, quote: none, multiline: true}", 6,
              "source.format.csv.multiline", "with `quote: none` every line is a row"},
        Wrong{"MultilineAtBlanks", kJson,
              "csv: {source: 1, target: 2, time: 3, delimiter: blanks, multiline: true}", 6,
              "source.format.csv.multiline", "with `delimiter: blanks` every line is a row"},
        Wrong{"BareComment", kJson, "csv: {source: 1, target: 2, time: 3, comment: }", 6,
              "source.format.csv.comment", "in quotes, such as \"#\""},
        Wrong{"CommentOfTwoLines", kJson, "csv: {source: 1, target: 2, time: 3, comment: \"#\\n\"}",
              6, "source.format.csv.comment", "on one line"},
        Wrong{"SkipRows", kJson, "csv: {source: 1, target: 2, time: 3, skip_rows: -1}", 6,
              "source.format.csv.skip_rows", "from 0 to 1000000"},
        Wrong{"WhereIsCutOff", "keys: string", "where: /a == 1 &&", 7, "source.format.where",
              "line 1, column 11: the expression ends here; a value is expected"},
        Wrong{"WhereIsNotTrueOrFalse", "keys: string", "where: $partition && true", 7,
              "source.format.where", "&& does not take an int"},
        Wrong{"WhereAsksForAColumn", "keys: string", "where: 'kind == \"a\"'", 7,
              "source.format.where", "`kind` is not a field; fields of JSON are pointers"},
        Wrong{"Unwrap", "target: /t", "target: /t, unwrap: avro", 6, "source.format.json.unwrap",
              "none, connect, cloudevents or debezium"},
        Wrong{"TextAt", "target: /t", "target: /t, text_at: message", 6,
              "source.format.json.text_at", "starts with a slash: /message"},
        Wrong{"BesideTheValue", "source: /s", "source: $keys", 6, "source.format.json.source",
              "there are $key, $key/pointer, $header.NAME"},
        Wrong{"PointerIntoTheKey", "source: /s", "source: $key/a~2", 6, "source.format.json.source",
              "~0 for ~ and ~1 for /"},
        Wrong{"KeyOfJsonBesideCsv", kJson, "csv: {source: $key/a, target: 2, time: 3}", 6,
              "source.format.csv.source", "not read beside rows of CSV"},
        Wrong{"UnknownBesideCsv", kJson, "csv: {source: $a, target: 2, time: 3}", 6,
              "source.format.csv.source", "in quotes it is a name"},
        Wrong{"HeaderBesideCsv", kJson, "csv: {source: $header.a b, target: 2, time: 3}", 6,
              "source.format.csv.source", "other characters than letters"},
        Wrong{"WhereIsEmpty", "keys: string", "where: \"\"", 7, "source.format.where",
              "must not be empty"},
        Wrong{"NullTwice", "keys: string", "nulls: [\"-\", \"-\"]", 7, "source.format.nulls[1]",
              "`-` is listed twice"},
        Wrong{"BareNull", "keys: string", "nulls: [NULL]", 7, "source.format.nulls[0]",
              "is empty; give the text in quotes, such as \"\" or \"NULL\""},
        Wrong{"NullsScalar", "keys: string", "nulls: \"-\"", 7, "source.format.nulls",
              "expected a list of texts"},
        Wrong{"Keys", "keys: string", "keys: int", 7, "source.format.keys", "string or integer"},
        Wrong{"Tombstone", "keys: string", "tombstone: delete", 7, "source.format.tombstone",
              "ignore, remove or dead_letter"},
        Wrong{"FieldUnmapped", ", time: /ts", "", 8, "source.time.from", "map `time` in"},
        Wrong{"KeyFieldsWithoutJoin", "source: /s", "source: {from: [/a, /b]}", 6,
              "source.format.json.source.join", "is required"},
        Wrong{"KeyFieldsNone", "target: /t", "target: {prefix: a}", 6,
              "source.format.json.target.from", "give a field, or a list of fields"},
        Wrong{"KeyFieldOdd", "source: /s", "source: {from: from}", 6,
              "source.format.json.source.from", "starts with a slash: /from"},
        Wrong{"KeyCase", "source: /s", "source: {from: /from, case: title}", 6,
              "source.format.json.source.case", "keep, lower or upper"},
        Wrong{"KeyPrefix", "source: /s",
              "source: {from: /from, prefix: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}",
              6, "source.format.json.source.prefix", "has 101 bytes; a prefix has at most 100"},
        Wrong{"KeyColumnsMixed", kJson,
              "csv: {source: {from: [1, b], join: x}, target: 2, time: 3}", 6,
              "source.format.csv.source.from[1]", "all columns by name"},
        Wrong{"WeightField", "source: /s", "source: /s, weight: {decimal: \",\"}", 6,
              "source.format.json.weight.from", "give a JSON pointer"},
        Wrong{"WeightDecimal", "source: /s", "source: /s, weight: {from: /w, decimal: x}", 6,
              "source.format.json.weight.decimal", ". or ,"},
        Wrong{"WeightGroup", "source: /s", "source: /s, weight: {from: /w, group: \"00\"}", 6,
              "source.format.json.weight.group", "cannot separate groups of digits"},
        Wrong{"WeightGroupIsDecimal", "source: /s", "source: /s, weight: {from: /w, group: \".\"}",
              6, "source.format.json.weight.group", "is the decimal character too"},
        Wrong{"WeightInvalid", "source: /s", "source: /s, weight: {from: /w, invalid: skip}", 6,
              "source.format.json.weight.invalid", "refuse, one or zero"},
        Wrong{"OperationWithoutWords", "source: /s", "source: /s, operation: {from: /op}", 6,
              "source.format.json.operation.from", "comes without words"},
        Wrong{"OperationWordTwice", "source: /s",
              "source: /s, operation: {from: /op, add: [c], remove: [c]}", 6,
              "source.format.json.operation.remove", "`c` has another meaning already"},
        Wrong{"Direction", "source: /s", "source: /s, direction: back", 6,
              "source.format.json.direction", "forward or both"},
        Wrong{"EachAndTombstones", kJson,
              "json: {source: /s, target: /t, time: /ts, each: /l}\n    tombstone: remove", 7,
              "source.format.tombstone", "cannot be used with `each`"},
        Wrong{"EachAndLines", "source: /s", "source: /s, each: /l, lines: true", 6,
              "source.format.json.lines", "cannot be used with `each`; leave out one of them"},
        Wrong{"EachIsNotAPointer", "source: /s", "source: /s, each: items", 6,
              "source.format.json.each", "starts with a slash: /items"},
        Wrong{"EachIsLedInto", kJson,
              "json: {source: /s, target: $record/l/0, time: /ts, each: /l}", 6,
              "source.format.json", "another field leads into its elements"},
        Wrong{"EdgesAndAField", kJson,
              "json: {source: /s}\n    edges: [{source: /a, target: /b, time: /ts}]", 6,
              "source.format.json.source", "is a key of an edge, but `edges` is given"},
        Wrong{"EdgesOfRows", kJson,
              "csv: {source: 1, target: 2, time: 3}\n"
              "    edges: [{source: /a, target: /b, time: /ts}]",
              7, "source.format.edges", "works with json"},
        Wrong{"EdgesNone", kJson, "json: {}\n    edges: []", 7, "source.format.edges",
              "must have an edge"},
        Wrong{"EdgesScalar", kJson, "json: {}\n    edges: /a", 7, "source.format.edges",
              "expected a list of edges"},
        Wrong{"EdgeWithoutTarget", kJson, "json: {}\n    edges: [{source: /a, time: /ts}]", 7,
              "source.format.edges[0].target", "JSON pointer such as"},
        Wrong{"EdgeWithoutTime", kJson,
              "json: {}\n"
              "    edges: [{source: /a, target: /b, time: /ts}, {source: /a, target: /c}]",
              7, "source.format.edges[1].time", "is required: the first edge has one"},
        Wrong{"EdgeTimesDiffer", kJson,
              "json: {}\n"
              "    edges:\n"
              "    - {source: /a, target: /b, time: {from: /ts, unit: s}}\n"
              "    - {source: /a, target: /b, time: {from: /ts, unit: us}}",
              9, "source.format.edges[1].time", "all times of a format are written in one way"},
        Wrong{"TimeFields", "time: /ts", "time: {from: []}", 6, "source.format.json.time.from",
              "has 0 fields; give 1 to 4"},
        Wrong{"TimeFieldsMany", "time: /ts", "time: {from: [/a, /b, /c, /d, /e], join: x}", 6,
              "source.format.json.time.from", "give 1 to 4"},
        Wrong{"TimeFieldsNone", "time: /ts", "time: {join: x}", 6, "source.format.json.time.from",
              "give a field, or a list of fields"},
        Wrong{"TimeFieldsOdd", "time: /ts", "time: {from: [/a, b], join: x}", 6,
              "source.format.json.time.from[1]", "starts with a slash: /b"},
        Wrong{"TimeFieldsWithoutJoin", "time: /ts", "time: {from: [/a, /b]}", 6,
              "source.format.json.time.join", "such as \" \""},
        Wrong{"TimeFieldsLongJoin", "time: /ts", "time: {from: /a, join: 12345678901234567}", 6,
              "source.format.json.time.join", "at most 16"},
        Wrong{"TimeFieldZone", "time: /ts", "time: {from: /a, format: \"%F\", zone: Moon}", 6,
              "source.format.json.time.zone", "is not a time zone of this system"},
        Wrong{"TimeFieldFormat", "time: /ts", "time: {from: /a, format: \"%F\"}", 6,
              "source.format.json.time.format", "give zone"},
        Wrong{"TimeColumnsMixed", kJson,
              "csv: {source: 1, target: 2, time: {from: [3, d], join: x}}", 6,
              "source.format.csv.time.from[1]", "all columns by name"},
        Wrong{"TimeUnit", "from: field", "unit: m", 8, "source.time.unit", "rfc3339"},
        Wrong{"TimeUnitNumber", "from: field", "unit: 5", 8, "source.time.unit", "needs a unit"},
        Wrong{"TimeUnitZero", "from: field", "unit: 0s", 8, "source.time.unit", "longer than 0"},
        Wrong{"TimeBase", "from: field", "base: soon", 8, "source.time.base", "give RFC 3339"},
        Wrong{"TimeBaseOfText", "from: field", "unit: rfc3339, base: 5", 8, "source.time.base",
              "has no effect with unit: rfc3339"},
        Wrong{"TimeBaseOfFormat", "from: field", "format: \"%F %z\", base: 5", 8,
              "source.time.base", "has no effect with a format"},
        Wrong{"TimeFormat", "from: field", "format: \"%F %Q\", zone: UTC", 8, "source.time.format",
              "`%F %Q` `%Q` at character 4 is not known; the directives are"},
        Wrong{"TimeFormatWithoutDate", "from: field", "format: \"%T\", zone: UTC", 8,
              "source.time.format", "gives no year; add %Y"},
        Wrong{"TimeFormatWithoutZone", "from: field", "format: \"%F %T\"", 8, "source.time.format",
              "give zone, such as zone: UTC"},
        Wrong{"TimeFormatAndUnit", "from: field", "format: \"%F %z\", unit: s", 8,
              "source.time.format", "together with `unit`"},
        Wrong{"TimeZoneUnknown", "from: field", "unit: iso8601, zone: Europe/Bonn", 8,
              "source.time.zone", "`Europe/Bonn` is not a time zone of this system; give an IANA"},
        Wrong{"TimeZoneOfNumbers", "from: field", "zone: UTC", 8, "source.time.zone",
              "has no effect with unit: ms; leave it out"},
        Wrong{"TimeZoneAndOffset", "from: field", "format: \"%F %z\", zone: UTC", 8,
              "source.time.zone", "the format has %z"},
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
    ::testing::Values(
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
        Wrong{
            "SlideOfANanosecond", kWindow, "    length: 7300d\n    slide: 1ns\n", 13,
            "windows[0].slide",
            "1ns would publish up to 1,000,000,000 windows for each second of event time; give at "
            "least 1ms, which are 1,000 a second"},
        Wrong{"SlideBelowAMillisecond", kWindow,
              "    by: processing_time\n    length: 10s\n    slide: 250us\n", 14,
              "windows[0].slide", "up to 4,000 windows for each second of time; give at least 1ms"},
        Wrong{"SlicesBeyondMemory", kWindow, "    length: 7300d\n    slide: 1s\n", 12,
              "windows[0].length",
              "7300d in panes of 1s (its slide) are up to 630,720,000 slices, more than memory "
              "holds; at most 10,000,000: give a shorter length or a longer slide"},
        Wrong{"EventSlicesBeyondMemory", kWindow,
              "    by: events\n    length: 10000001\n    slide: 1\n", 13, "windows[0].length",
              "10000001 in panes of 1 (its slide) are up to 10,000,001 slices"},
        Wrong{"EventsWithDuration", kWindow, "    by: events\n    length: 100\n    slide: 10s\n",
              14, "windows[0].slide", "slide: 1000 (durations go with `by: event_time`)"},
        Wrong{"ZeroEvents", kWindow, "    by: events\n    length: 100\n    slide: 0\n", 14,
              "windows[0].slide", "from 1 to"},
        Wrong{"OffsetOfASlide", "slide: 10s", "slide: 10s\n    offset: 10s", 14,
              "windows[0].offset",
              "10s is not less than slide (10s); give 0s, which means the same"},
        Wrong{"OffsetOfManySlides", "slide: 10s", "slide: 10s\n    offset: 34s", 14,
              "windows[0].offset",
              "34s is not less than slide (10s); give 4s, which means the same"},
        Wrong{"NegativeOffset", "slide: 10s", "slide: 10s\n    offset: -3s", 14,
              "windows[0].offset", "`-3s` must not be negative"},
        Wrong{"OffsetByEvents", kWindow,
              "    by: events\n    length: 100\n    slide: 10\n    offset: 2s\n", 15,
              "windows[0].offset", "goes with windows by time; with `by: events` a window ends at"},
        Wrong{"FilterIsCutOff", "slide: 10s", "slide: 10s\n    where: /a == 1 &&", 14,
              "windows[0].where", "line 1, column 11: "},
        Wrong{"FilterAsksForAColumn", "slide: 10s", "slide: 10s\n    where: 'kind == \"a\"'", 14,
              "windows[0].where",
              "line 1, column 1: `kind` is not a field; fields of JSON are pointers"},
        Wrong{"FilterIsEmpty", "slide: 10s", "slide: 10s\n    where: \"\"", 14, "windows[0].where",
              "must not be empty"},
        Wrong{"FilterByEvents", kWindow,
              "    by: events\n    length: 100\n    slide: 10\n    where: /a == 1\n", 15,
              "windows[0].where", "goes with windows by time; with `by: events` a window holds"},
        Wrong{"OffsetOfANanosecond", "slide: 10s", "slide: 10s\n    offset: 1ns", 12,
              "windows[0].length",
              "5m in panes of 1ns (the greatest common divisor of the slides and offsets"},
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
    ::testing::Values(
        Wrong{"JobName", "sinks:", "  - {name: a/b, kernel: window, window: w}\nsinks:", 19,
              "jobs[1].name", "A-Z a-z 0-9"},
        Wrong{"UnknownKernel", "kernel: bfs", "kernel: pagernk", 16, "jobs[0].kernel",
              "did you mean `pagerank`?"},
        Wrong{"KernelsAreListed", "kernel: bfs", "kernel: communities", 16, "jobs[0].kernel",
              "is not a known kernel; available: pagerank, bfs, window, wcc, sssp, triangles, lcc, "
              "cdlp, kcore, degree, fanout, reciprocity, new_edges, vanished_edges"},
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
              "unknown key (known here: roots, direction, separate, parents, "
              "warm_start, check_every)"},
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
              "jobs[0].parameters.warm_start", "cannot be combined with `weighted` or `sources`"},
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
        Wrong{"DiffsOfAll", "jobs: [j]", "content: diffs, vertices: all", 20,
              "sinks[0].file.vertices", "compares what results list"},
        Wrong{"KafkaSinkWithoutTopic", kFileSink, "- kafka: {}", 20, "sinks[0].kafka.topic",
              "is required"},
        Wrong{"KafkaSinkJob", kFileSink, "- kafka: {topic: r, brokers: embedded, jobs: [k]}", 20,
              "sinks[0].kafka.jobs[0]", "there is no job `k`"},
        Wrong{"KafkaSinkFeedback", kFileSink, "- kafka: {topic: b}", 20, "sinks[0].kafka.topic",
              "is a topic that source.kafka reads"},
        Wrong{"KafkaSinkTwice", "jobs: [j]}",
              "jobs: [j]}\n  - kafka: {topic: r}\n  - kafka: {topic: r, outbox: {path: o}}", 22,
              "sinks[2].kafka.topic", "is the topic of sinks[1].kafka already"},
        Wrong{"KafkaSinkOutboxTwice", "path: out.jsonl, jobs: [j]}",
              "path: outbox-r}\n  - kafka: {topic: r}", 21, "sinks[1].kafka.outbox",
              "would be `outbox-r`, which is used by sinks[0].file already"},
        Wrong{"KafkaSinkOutboxOfAFile", "path: out.jsonl, jobs: [j]}",
              "path: x}\n  - kafka: {topic: r, outbox: {path: ./x}}", 21,
              "sinks[1].kafka.outbox.path", "is used by sinks[0].file already"},
        Wrong{"KafkaSinkOutboxLimit", kFileSink, "- kafka: {topic: r, outbox: {limit: 1KiB}}", 20,
              "sinks[0].kafka.outbox.limit", "give at least 1MiB"},
        Wrong{"KafkaSinkOwnedOption", kFileSink,
              "- kafka: {topic: r, options: {message.timeout.ms: 5000}}", 20,
              "sinks[0].kafka.options.message.timeout.ms",
              "cannot be set here: a result is sent again until it is delivered"},
        Wrong{"KafkaSinkTransactionsOfTheEmbeddedBroker", kFileSink,
              "- kafka: {topic: r, transactional: true}", 20, "sinks[0].kafka.transactional",
              "the embedded broker shows readers aborted messages, too"},
        Wrong{"KafkaSinkIdWithoutTransactions", kFileSink,
              "- kafka: {topic: r, transactional_id: me}", 20, "sinks[0].kafka.transactional_id",
              "needs `transactional: true`"},
        Wrong{"KafkaSinkIdTwice", "jobs: [j]}",
              "jobs: [j]}\n  - kafka: {topic: r, brokers: \"k:1\", transactional: true, "
              "transactional_id: me}\n  - kafka: {topic: s, brokers: \"k:1\", transactional: "
              "true, transactional_id: me}",
              22, "sinks[2].kafka.transactional_id", "is used by sinks[1].kafka already"},
        Wrong{"KafkaSinkOwnedTransactionalId", kFileSink,
              "- kafka: {topic: r, options: {transactional.id: me}}", 20,
              "sinks[0].kafka.options.transactional.id",
              "cannot be set here: set `transactional: true` of the sink instead"},
        Wrong{"SinkWithoutPath", "path: out.jsonl, ", "", 20, "sinks[0].file.path", "is required"},
        Wrong{"SinkTwice", "jobs: [j]}", "jobs: [j]}\n  - file: {path: ./out.jsonl}", 21,
              "sinks[1].file.path", "is the file of sinks[0].file already"},
        Wrong{"SinkIsDeadLetters", "out.jsonl", "dead-letters.jsonl", 20, "sinks[0].file.path",
              "source.dead_letters.path already"},
        Wrong{"PublicListen", "127.0.0.1:9640", "0.0.0.0:9640", 21, "http.listen",
              "can be reached from other machines; give http.tls and http.tokens, or a loopback"},
        Wrong{"PublicListenWithoutTokens", "\"127.0.0.1:9640\"",
              "\"0.0.0.0:9640\", tls: {certificate: a, key: b}", 21, "http.listen",
              "can be reached from other machines; give http.tokens, or a loopback"},
        Wrong{"PublicListenWithoutTls", "\"127.0.0.1:9640\"",
              "\"[::]:9640\", tokens: {read: 0123456789abcdef, admin: fedcba9876543210}", 21,
              "http.listen", "give http.tls, or a loopback address"},
        Wrong{"TlsWithoutKey", "\"127.0.0.1:9640\"", "\"127.0.0.1:9640\", tls: {certificate: a}",
              21, "http.tls.key", "is required"},
        Wrong{"ShortToken", "\"127.0.0.1:9640\"",
              "\"127.0.0.1:9640\", tokens: {read: short, admin: fedcba9876543210}", 21,
              "http.tokens.read", "16 to 256 visible"},
        Wrong{"OneTokenForBoth", "\"127.0.0.1:9640\"",
              "\"127.0.0.1:9640\", tokens: {read: 0123456789abcdef, admin: 0123456789abcdef}", 21,
              "http.tokens.admin", "is the token for reading"},
        Wrong{"MetricsListen", "\"127.0.0.1:9640\"",
              "\"127.0.0.1:9640\", metrics_listen: everywhere", 21, "http.metrics_listen",
              "has no port"},
        Wrong{"ListenOnAName", "127.0.0.1:9640", "edges.example:9640", 21, "http.listen",
              "`edges.example` is not an IP address to listen on"},
        Wrong{"ListenOnAZone", "127.0.0.1:9640", "[fe80::1%eth0]:9640", 21, "http.listen",
              "is not an IP address to listen on"},
        Wrong{"MetricsOnAName", "\"127.0.0.1:9640\"",
              "\"127.0.0.1:9640\", metrics_listen: \"edges:9641\"", 21, "http.metrics_listen",
              "is not an IP address to listen on"},
        Wrong{"MetricsWhereTheApiIs", "\"127.0.0.1:9640\"",
              "\"LocalHost:9640\", metrics_listen: \"127.0.0.1:9640\"", 21, "http.metrics_listen",
              "127.0.0.1:9640 is taken by http.listen (localhost:9640)"},
        Wrong{"MetricsOnAllInterfacesWithTheApi", "\"127.0.0.1:9640\"",
              "\"127.0.0.1:9640\", metrics_listen: \"0.0.0.0:9640\"", 21, "http.metrics_listen",
              "give another port"},
        Wrong{"ListenWithoutPort", "127.0.0.1:9640", "localhost", 21, "http.listen", "has no port"},
        Wrong{"ListenList", "\"127.0.0.1:9640\"", "[a]", 21, "http.listen", "expected host:port"}),
    [](const auto& param) { return param.param.name; });

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

}  // namespace
}  // namespace sash
