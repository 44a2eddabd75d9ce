// One fault at a time gives exactly one error, with its line, key and remedy.
#include "tests/daemon/config/config_errors.h"

#include <gmock/gmock.h>

namespace sash {
namespace {

TEST_P(ConfigErrorsTest, NamesLineKeyAndRemedy) {
  const Fault& wrong = GetParam();
  const ParsedConfig parsed = Parsed(Replaced(kGood, wrong.from, wrong.to), "f.yaml");
  ASSERT_EQ(parsed.errors.size(), 1u) << AllErrors(parsed);
  EXPECT_EQ(parsed.errors[0].line, wrong.line) << AllErrors(parsed);
  EXPECT_EQ(parsed.errors[0].key, wrong.key) << AllErrors(parsed);
  EXPECT_THAT(parsed.errors[0].message, ::testing::HasSubstr(wrong.remedy));
}
constexpr const char* kWindow = "    length: 5m\n    slide: 10s\n";

INSTANTIATE_TEST_SUITE_P(
    Root, ConfigErrorsTest,
    ::testing::Values(
        Fault{"UnknownKey", "http:", "htpp:", 21, "htpp",
              "did you mean `http`? (known here: source"},
        Fault{"LiveRebuild", "    slide: 10s", "    slide: 10s\n    live: true\n"
              "    implementation: rebuild", 14, "windows[0].live", "multiversioned"},
        Fault{"RecoveryWord", "http:", "recovery: disk\nhttp:", 21, "recovery",
              "replay or checkpoint, not `disk`"},
        Fault{"StatePath", "http:", "state: {path: x/}\nhttp:", 21, "state.path", "x/"},
        Fault{"StateMappingChanged", "http:", "state: {mapping_changed: ignore}\nhttp:", 21,
              "state.mapping_changed", "must be refuse or rebuild, not `ignore`"},
        Fault{"StateInterval", "http:", "state: {interval: 5}\nhttp:", 21, "state.interval",
              "needs a unit"},
        Fault{"StateWithoutPause", "http:", "state: {interval: 0s}\nhttp:", 21, "state.interval",
              "must be longer than 0"},
        Fault{"MergeKey", "http:", "<<: {}\nhttp:", 21, "<<", "merge keys are not supported"},
        Fault{"KeyTwice", "http:", "windows: []\nhttp:", 21, "windows",
              "given twice, on line 10 and on line 21"},
        Fault{"NestedKeyTwice", "slide: 10s", "slide: 10s\n    slide: 5s", 14, "windows[0].slide",
              "on line 13 and on line 14"},
        Fault{"ListAsKey", "http:", "[a]: b\nhttp:", 21, "(yaml)", "a key that is not text"},
        Fault{"Tag", "\"127.0.0.1:9640\"", "!include x", 21, "http.listen", "has a tag"},
        Fault{"Syntax", "jobs: [j]}", "jobs: [j}", 20, "(yaml)", "not valid YAML"},
        Fault{"TwoDocuments", "http:", "---\nhttp:", 21, "(yaml)", "a second document"},
        Fault{"UnknownAlias", "path: out.jsonl", "path: *nowhere", 20, "(yaml)", "not valid YAML"},
        Fault{"Nul", "out.jsonl", "\"a\\0b\"", 20, "sinks[0].file.path", "NUL"},
        Fault{"DeadlineWithoutUnit", "http:", "shutdown_deadline: 5\nhttp:", 21,
              "shutdown_deadline", "needs a unit: 5ms, 5s, 5m"},
        Fault{"LogLevel", "http:", "log: {level: warning}\nhttp:", 21, "log.level",
              "trace, debug, info, warn or error, not `warning`; did you mean `warn`?"},
        Fault{"LogBurst", "http:", "log: {rate_limit: {burst: 0}}\nhttp:", 21,
              "log.rate_limit.burst", "from 1 to 1000000"},
        Fault{"LogEvery", "http:", "log: {rate_limit: {every: 0s}}\nhttp:", 21,
              "log.rate_limit.every", "must be"},
        Fault{"MemoryTooSmall", "http:", "memory: {limit: 63MiB}\nhttp:", 21, "memory.limit",
              "`63MiB` is too small; give at least 64MiB"},
        Fault{"MemoryWithoutUnit", "http:", "memory: {limit: 8}\nhttp:", 21, "memory.limit",
              "`8` needs a unit: 8B, 8KiB, 8MiB, 8GiB or 8TiB, or auto or none"}),
    [](const auto& param) { return param.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Windows, ConfigErrorsTest,
    ::testing::Values(
        Fault{"NoSlide", "    slide: 10s\n", "", 11, "windows[0].slide",
              "is required: give a duration"},
        Fault{"SlideSpelt", "slide: 10s", "slide: 10s\n    slidee: 1s", 14, "windows[0].slidee",
              "did you mean `slide`?"},
        Fault{"BareLength", "length: 5m", "length: 5", 12, "windows[0].length",
              "needs a unit: 5ms, 5s, 5m, 5h or 5d (numbers of events go with `by: events`)"},
        Fault{"NotMultiple", "slide: 10s", "slide: 7s", 12, "windows[0].length",
              "5m is not a multiple of slide (7s); give 294s or 301s"},
        Fault{"ShorterThanSlide", "slide: 10s", "slide: 10m", 12, "windows[0].length",
              "give 10m or another multiple"},
        Fault{"ZeroSlide", "slide: 10s", "slide: 0s", 13, "windows[0].slide", "longer than 0"},
        Fault{"TooLong", "length: 5m", "length: 7301d", 12, "windows[0].length", "at most 7300d"},
        Fault{
            "SlideOfANanosecond", kWindow, "    length: 7300d\n    slide: 1ns\n", 13,
            "windows[0].slide",
            "1ns would publish up to 1,000,000,000 windows for each second of event time; give at "
            "least 1ms, which are 1,000 a second"},
        Fault{"SlideBelowAMillisecond", kWindow,
              "    by: processing_time\n    length: 10s\n    slide: 250us\n", 14,
              "windows[0].slide", "up to 4,000 windows for each second of time; give at least 1ms"},
        Fault{"SlicesBeyondMemory", kWindow, "    length: 7300d\n    slide: 1s\n", 12,
              "windows[0].length",
              "7300d in panes of 1s (its slide) are up to 630,720,000 slices, more than memory "
              "holds; at most 10,000,000: give a shorter length or a longer slide"},
        Fault{"EventSlicesBeyondMemory", kWindow,
              "    by: events\n    length: 10000001\n    slide: 1\n", 13, "windows[0].length",
              "10000001 in panes of 1 (its slide) are up to 10,000,001 slices"},
        Fault{"EventsWithDuration", kWindow, "    by: events\n    length: 100\n    slide: 10s\n",
              14, "windows[0].slide", "slide: 1000 (durations go with `by: event_time`)"},
        Fault{"ZeroEvents", kWindow, "    by: events\n    length: 100\n    slide: 0\n", 14,
              "windows[0].slide", "from 1 to"},
        Fault{"OffsetOfASlide", "slide: 10s", "slide: 10s\n    offset: 10s", 14,
              "windows[0].offset",
              "10s is not less than slide (10s); give 0s, which means the same"},
        Fault{"OffsetOfManySlides", "slide: 10s", "slide: 10s\n    offset: 34s", 14,
              "windows[0].offset",
              "34s is not less than slide (10s); give 4s, which means the same"},
        Fault{"NegativeOffset", "slide: 10s", "slide: 10s\n    offset: -3s", 14,
              "windows[0].offset", "`-3s` must not be negative"},
        Fault{"OffsetByEvents", kWindow,
              "    by: events\n    length: 100\n    slide: 10\n    offset: 2s\n", 15,
              "windows[0].offset", "goes with windows by time; with `by: events` a window ends at"},
        Fault{"FilterIsCutOff", "slide: 10s", "slide: 10s\n    where: /a == 1 &&", 14,
              "windows[0].where", "line 1, column 11: "},
        Fault{"FilterAsksForAColumn", "slide: 10s", "slide: 10s\n    where: 'kind == \"a\"'", 14,
              "windows[0].where",
              "line 1, column 1: `kind` is not a field; fields of JSON are pointers"},
        Fault{"FilterIsEmpty", "slide: 10s", "slide: 10s\n    where: \"\"", 14, "windows[0].where",
              "must not be empty"},
        Fault{"FilterByEvents", kWindow,
              "    by: events\n    length: 100\n    slide: 10\n    where: /a == 1\n", 15,
              "windows[0].where", "goes with windows by time; with `by: events` a window holds"},
        Fault{"TypesByEvents", kWindow,
              "    by: events\n    length: 100\n    slide: 10\n    types: [paid]\n", 15,
              "windows[0].types", "goes with windows by time; with `by: events` a window holds"},
        Fault{"TypesWithoutAType", "slide: 10s", "slide: 10s\n    types: [paid]", 14,
              "windows[0].types", "has `paid`, but no mapping gives edges a type; give it one"},
        Fault{"TypesEmptyWord", "slide: 10s", "slide: 10s\n    types: [\"\"]", 14,
              "windows[0].types[0]", "is empty; give a word"},
        Fault{"TypesNoList", "slide: 10s", "slide: 10s\n    types: paid", 14, "windows[0].types",
              "expected a list of types, such as [paid]"},
        Fault{"OffsetOfANanosecond", "slide: 10s", "slide: 10s\n    offset: 1ns", 12,
              "windows[0].length",
              "5m in panes of 1ns (the greatest common divisor of the slides and offsets"},
        Fault{"ListLength", "length: 5m", "length: [5m]", 12, "windows[0].length",
              "expected a duration such as 5m, or forever, found a list"},
        Fault{"NameTwice", "slide: 10s", "slide: 10s\n  - {name: w, length: 1m, slide: 1m}", 14,
              "windows[1].name", "give another name"},
        Fault{"Identity", "slide: 10s", "slide: 10s\n    identity: pair_type", 14,
              "windows[0].identity", "must be pair or pair_and_type"},
        Fault{"Implementation", "slide: 10s", "slide: 10s\n    implementation: multiversion", 14,
              "windows[0].implementation", "did you mean `multiversioned`?"},
        Fault{"Duplicates", "slide: 10s", "slide: 10s\n    duplicates: sum", 14,
              "windows[0].duplicates", "must be keep, drop or weigh, not `sum`"},
        Fault{"ScalarWindow", "  - name: w\n    length: 5m\n    slide: 10s\n", "  - w\n", 11,
              "windows[0]", "expected a mapping with keys of name"}),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace sash
