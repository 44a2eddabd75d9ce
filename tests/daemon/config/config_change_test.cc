// The changes that a reload finds, and those that a running process applies.
#include "daemon/config/config_change.h"

#include <gmock/gmock.h>

#include <random>

#include "daemon/config/known_keys.h"
#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"
#include "tests/daemon/config/reference_text.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<ConfigChange>& changes) {
  std::vector<std::string> texts;
  for (const ConfigChange& change : changes) {
    texts.push_back((change.live ? "live " : "restart ") + change.ToString());
  }
  return texts;
}

std::vector<std::string> Changes(std::string_view from, std::string_view to) {
  return Texts(FindChanges(ParseGood(kGood), ParseGood(Replaced(kGood, from, to))));
}

TEST(ConfigChangeTest, SameConfigurationHasNoChanges) {
  for (const Lines& lines :
       TriedConfigurations(SplitLines(ReadText(SASH_CONFIGS "/reference.yaml")))) {
    const Config config = ParseGood(JoinLines(lines));
    EXPECT_THAT(Texts(FindChanges(config, config)), IsEmpty());
  }
}

TEST(ConfigChangeTest, ChangesNameKeyAndBothValues) {
  EXPECT_THAT(Changes("slide: 10s", "slide: 5s"), ElementsAre("live windows[w].slide: 10s -> 5s"));
  EXPECT_THAT(Changes("parameters: {roots: [x]}",
                      "parameters: {roots: [x, y], direction: in}\n    overrun: {queue: 3}"),
              ElementsAre("live jobs[j].overrun: skip -> {queue: 3}",
                          "live jobs[j].parameters.direction: out -> in",
                          "live jobs[j].parameters.roots: [x] -> [x, y]"));
  EXPECT_THAT(Changes("http:", "log: {level: debug, format: json, rate_limit: {every: 1m}}\nhttp:"),
              ElementsAre("restart log.format: text -> json", "live log.level: info -> debug",
                          "live log.rate_limit.every: 5s -> 1m"));
}

TEST(ConfigChangeTest, WhatComesOrGoesAsAWholeIsOneChange) {
  EXPECT_THAT(Changes("jobs:\n",
                      "  - {name: v, length: 1m, slide: 1m}\njobs:\n"
                      "  - {name: k, kernel: wcc, window: v}\n"),
              ElementsAre("live jobs[k] is new", "live windows[v] is new"));
  EXPECT_THAT(Changes("sinks:\n", "sinks:\n  - terminal: {}\n"),
              ::testing::Contains("restart sinks[0].terminal is new"));
  EXPECT_THAT(Changes(", time: /ts", ", time: /ts, weight: /w"),
              ElementsAre("restart source.format.json.weight is new"));
}

TEST(ConfigChangeTest, AlertsChangeWhileTheProcessRuns) {
  const std::string_view none = "http:";
  const std::string one = "alerts: [{name: a, job: j, on: row, where: depth > 1}]\nhttp:";
  EXPECT_THAT(Changes(none, one), ElementsAre("live alerts[a] is new"));
  const Config running = ParseGood(Replaced(kGood, none, one));
  const Config wanted = ParseGood(Replaced(
      kGood, none,
      "alerts: [{name: a, job: j, on: row, where: depth > 2, labels: {b: c}, to: [log]}]\nhttp:"));
  EXPECT_THAT(Texts(FindChanges(running, wanted)),
              ElementsAre("live alerts[a].labels: {} -> {b: c}", "live alerts[a].to: all -> [log]",
                          "live alerts[a].where: depth > 1 -> depth > 2"));
  EXPECT_EQ(WithLiveChanges(running, wanted).alerts, wanted.alerts);
}

TEST(ConfigChangeTest, AWindowThatCannotChangeWhileItRunsNeedsARestartAsAWhole) {
  const Config running = ParseGood(kGood);
  const auto changes = [&](std::string_view from, std::string_view to, std::int64_t pane_seconds) {
    const WindowPanes panes = {{WindowAxis::kEventTime, pane_seconds * 1'000'000'000}};
    const Config wanted = ParseGood(Replaced(kGood, from, to));
    const Config now = WithLiveChanges(running, wanted, panes);
    EXPECT_EQ(now.windows[0] == wanted.windows[0], FindChanges(now, wanted, panes).empty());
    return Texts(FindChanges(running, wanted, panes));
  };
  const char* const finer = "slide: 5s\n    duplicates: drop";
  EXPECT_THAT(
      changes("slide: 10s", finer, 5),
      ElementsAre("live windows[w].duplicates: keep -> drop", "live windows[w].slide: 10s -> 5s"));
  EXPECT_THAT(changes("slide: 10s", finer, 10),
              ElementsAre("restart windows[w].duplicates: keep -> drop",
                          "restart windows[w].slide: 10s -> 5s"));
  const char* const moved = "slide: 10s\n    offset: 5s";
  EXPECT_THAT(changes("slide: 10s", moved, 5), ElementsAre("live windows[w].offset: 0s -> 5s"));
  EXPECT_THAT(changes("slide: 10s", moved, 10), ElementsAre("restart windows[w].offset: 0s -> 5s"));
  EXPECT_THAT(changes("slide: 10s", "slide: 10s\n    by: processing_time", 10),
              ElementsAre("restart windows[w].by: event_time -> processing_time"));
}

TEST(ConfigChangeTest, AWindowTakesAnyFilter) {
  const std::string others = "slide: 10s\n  - {name: v, length: 10s, slide: 10s, where: /a == 1}";
  const Config running = ParseGood(Replaced(kGood, "slide: 10s", others));
  const auto changes = [&](const std::string& where) {
    const std::string given = "slide: 10s\n    where: " + where + others.substr(10);
    const Config wanted = ParseGood(Replaced(kGood, "slide: 10s", given));
    const Config now = WithLiveChanges(running, wanted);
    EXPECT_EQ(now.windows[0] == wanted.windows[0], FindChanges(now, wanted).empty());
    return Texts(FindChanges(running, wanted));
  };
  EXPECT_THAT(changes("/a == 1"), ElementsAre("live windows[w].where is new"));
  EXPECT_THAT(changes("/a == 2"), ElementsAre("live windows[w].where is new"));
}

TEST(ConfigChangeTest, JobWithAnotherKernelIsAnotherJob) {
  EXPECT_THAT(
      Changes("kernel: bfs\n    window: w\n    parameters: {roots: [x]}",
              "kernel: sssp\n    window: w\n    parameters: {roots: [y]}\n    top: 7"),
      ElementsAre("live jobs[j].kernel: bfs -> sssp", "live jobs[j].parameters.check_every is gone",
                  "live jobs[j].parameters.delta is new", "live jobs[j].parameters.parents is gone",
                  "live jobs[j].parameters.roots: [x] -> [y]",
                  "live jobs[j].parameters.separate is gone",
                  "live jobs[j].parameters.warm_start is gone", "live jobs[j].top: 50 -> 7"));
  Config config = ParseGood(kGood);
  JobSpec other = config.jobs[0];
  EXPECT_TRUE(IsSameJob(config.jobs[0], other));
  other.top += 1;
  EXPECT_TRUE(IsSameJob(config.jobs[0], other)) << "a job with new settings is the same job";
  other.parameters = WccParameters();
  EXPECT_FALSE(IsSameJob(config.jobs[0], other));
}

TEST(ConfigChangeTest, SecretThatChangesIsSaidButNotShown) {
  const auto with = [](const char* value) {
    return ParseGood(Replaced(kGood, "start: committed",
                              "options: {sasl.password: " + std::string(value) + "}"));
  };
  const auto texts = Texts(FindChanges(with("hunter2"), with("hunter3")));
  EXPECT_THAT(texts, ElementsAre("restart source.kafka.options: a secret -> another one"));
}

TEST(ConfigChangeTest, SecretOfASinkThatChangesIsSaidToo) {
  const auto with = [](const char* value) {
    return ParseGood(Replaced(kGood, "sinks:\n",
                              "sinks:\n  - kafka: {topic: r, brokers: 'a:1', options: "
                              "{sasl.password: " +
                                  std::string(value) + "}}\n"));
  };
  EXPECT_THAT(Texts(FindChanges(with("hunter2"), with("hunter3"))),
              ElementsAre("restart sinks[0].kafka.options: a secret -> another one"));
}

// The live keys of the table are exactly those that a process applies, over all pairs of
// configurations that the reference describes.
TEST(ConfigChangeTest, ProcessTakesExactlyTheLiveChanges) {
  const auto configurations =
      TriedConfigurations(SplitLines(ReadText(SASH_CONFIGS "/reference.yaml")));
  int taken = 0;
  for (const Lines& from : {configurations[0], configurations.back()}) {
    const Config running = ParseGood(JoinLines(from));
    for (const Lines& lines : configurations) {
      const Config wanted = ParseGood(JoinLines(lines));
      const Config now = WithLiveChanges(running, wanted);
      for (const ConfigChange& change : FindChanges(running, now)) {
        EXPECT_TRUE(change.live) << change.ToString();
        ++taken;
      }
      for (const ConfigChange& change : FindChanges(now, wanted)) {
        EXPECT_FALSE(change.live) << change.ToString();
      }
    }
  }
  EXPECT_GT(taken, 10);
}

TEST(ConfigChangeTest, ReferenceSaysWhatTheTableSays) {
  std::map<std::string, Change> table;  // by the key at the root and the name of the key
  for (const SectionSpec& section : KeyTable()) {
    for (const KeySpec& key : section.keys) {
      const std::string_view root = section.section.substr(0, section.section.find_first_of("[."));
      table[std::string(root.empty() ? key.name : root) + " " + std::string(key.name)] = key.change;
    }
  }
  std::string top;
  int live = 0;
  for (const DocumentedKey& key :
       DocumentedKeys(SplitLines(ReadText(SASH_CONFIGS "/reference.yaml")))) {
    const Lines lines = SplitLines(ReadText(SASH_CONFIGS "/reference.yaml"));
    if (Indent(lines[key.line]) == 0) top = key.key;
    if (key.documented.empty()) continue;
    const std::string name = top + " " + key.key;
    const bool said = key.documented.ends_with("; change: live]");
    ASSERT_TRUE(table.contains(name)) << name;
    EXPECT_EQ(said, table[name] == Change::kLive) << name;
    live += said ? 1 : 0;
  }
  EXPECT_GT(live, 15);
}

}  // namespace
}  // namespace sash
