#include "daemon/probe/place_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/daemon/probe/found.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(PlaceProbeTest, WhatIsThereOrCanBeMadeIsGoodAndNothingIsMade) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("old"), "kept\n");
  testing::Found found;
  ProbeFilePlace("a", folder.File("old"), found.findings);
  ProbeFilePlace("b", folder.File("new"), found.findings);
  ProbeFolderPlace("c", folder.File("state"), 0, found.findings);
  ProbeFolderPlace("d", folder.File("state/"), 0, found.findings);
  ProbeFilePlace("e", "/dev/null", found.findings);
  EXPECT_THAT(found.lines,
              ElementsAre(AllOf(StartsWith("ok       a: "), HasSubstr("can be written; ")),
                          AllOf(StartsWith("ok       b: "), HasSubstr("can be made; ")),
                          AllOf(StartsWith("ok       c: "), HasSubstr("can be made; ")),
                          AllOf(StartsWith("ok       d: "), HasSubstr("can be made; ")),
                          "ok       e: `/dev/null` can be written"));
  EXPECT_FALSE(std::filesystem::exists(folder.File("new")));
  EXPECT_FALSE(std::filesystem::exists(folder.File("state")));
  EXPECT_EQ(testing::Contents(folder.File("old")), "kept\n");
}

TEST(PlaceProbeTest, WhatCannotBeIsAnErrorThatSaysWhy) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("file"), "");
  std::filesystem::create_directory(folder.File("folder"));
  testing::Found found;
  ProbeFilePlace("a", folder.File("folder"), found.findings);
  ProbeFilePlace("b", folder.File("none/x"), found.findings);
  ProbeFolderPlace("c", folder.File("file"), 0, found.findings);
  ProbeFolderPlace("d", folder.File("none/x"), 0, found.findings);
  ProbeFolderPlace("e", "/proc/1/x/", 0, found.findings);  // no file can be created there
  EXPECT_THAT(found.lines,
              ElementsAre(AllOf(StartsWith("error    a: "), HasSubstr("is a folder; name a file")),
                          AllOf(StartsWith("error    b: "), HasSubstr("there is no folder")),
                          AllOf(StartsWith("error    c: "), HasSubstr("is not a folder")),
                          AllOf(StartsWith("error    d: "), HasSubstr("there is no folder")),
                          AllOf(StartsWith("error    e: "), HasSubstr("cannot be written"))));
}

TEST(PlaceProbeTest, ADiskSmallerThanWhatItIsToHoldIsAWarning) {
  const testing::ScratchFolder folder;
  testing::Found found;
  ProbeFolderPlace("o", folder.File("outbox"), UINT64_MAX, found.findings);
  EXPECT_THAT(found.lines, ElementsAre(AllOf(StartsWith("warning  o: "), HasSubstr("make room"))));
}

TEST(PlaceProbeTest, EveryPlaceOfAConfigurationIsLookedAt) {
  Config config;
  config.source.dead_letters.kafka = KafkaDestination{.brokers = "b", .topic = "t"};
  config.source.dead_letters.kafka->outbox.path = "letters-outbox";
  KafkaSinkSpec topic;
  topic.outbox.path = "sink-outbox";
  FileSinkSpec file;
  file.path = "results.jsonl";
  config.sinks = {file, TerminalSinkSpec{}, topic};
  config.recovery.kind = RecoveryConfig::Kind::kCheckpoint;
  config.memory.spill = "spill";
  config.exports = {ExportSpec{.path = "frozen"}};
  testing::Found found;
  ProbePlaces(config, found.findings);
  EXPECT_THAT(found.lines,
              ElementsAre(HasSubstr("  memory.spill: `spill`"), HasSubstr("  state.path: `state`"),
                          HasSubstr("  source.dead_letters.path: `dead-letters.jsonl`"),
                          HasSubstr("  source.dead_letters.outbox.path: `letters-outbox`"),
                          HasSubstr("  sinks[0].file.path: `results.jsonl`"),
                          HasSubstr("  sinks[2].kafka.outbox.path: `sink-outbox`"),
                          HasSubstr("  exports[0].frozen.path: `frozen`")));
}

}  // namespace
}  // namespace sash
