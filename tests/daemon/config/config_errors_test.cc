// One fault at a time gives exactly one error, with its line, key and remedy.
#include "tests/daemon/config/config_errors.h"

#include <gmock/gmock.h>

namespace sash {
namespace {

TEST_P(ConfigErrorsTest, NamesLineKeyAndRemedy) {
  const Wrong& wrong = GetParam();
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
        Wrong{"TypesByEvents", kWindow,
              "    by: events\n    length: 100\n    slide: 10\n    types: [paid]\n", 15,
              "windows[0].types", "goes with windows by time; with `by: events` a window holds"},
        Wrong{"TypesWithoutAType", "slide: 10s", "slide: 10s\n    types: [paid]", 14,
              "windows[0].types", "has `paid`, but no mapping gives edges a type; give it one"},
        Wrong{"TypesEmptyWord", "slide: 10s", "slide: 10s\n    types: [\"\"]", 14,
              "windows[0].types[0]", "is empty; give a word"},
        Wrong{"TypesNoList", "slide: 10s", "slide: 10s\n    types: paid", 14, "windows[0].types",
              "expected a list of types, such as [paid]"},
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

}  // namespace
}  // namespace sash
