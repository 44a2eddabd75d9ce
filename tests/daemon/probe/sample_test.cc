#include "daemon/probe/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/daemon/probe/found.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr EventTime kNewYear = EventTime(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));

SourceConfig Rows(const std::string& path) {
  SourceConfig source;
  source.connector = ReplaySpec{.paths = {path}, .pace = ReplayPace::kEventTime};
  source.format.mapping =
      CsvMapping{.source = "from", .target = "to", .weight = {}, .time = "ts", .operation = {}};
  return source;
}

std::vector<std::string> Sampled(const SourceConfig& source) {
  testing::Found found;
  ProbeReplayFile(source, found.findings);
  return found.lines;
}

TEST(SampleTest, AnEdgeIsShownWithEverythingThatItMeans) {
  EventBatch batch;
  batch.Add({.time = kNewYear,
             .source = KeyRef::Text(batch.Store("al\"\x1b[2J")),
             .target = KeyRef::Text(batch.Store(std::string(59, 'x') + "\u00e4\u00e4")),
             .weight = Weight::Real(2.5)});
  EXPECT_EQ(EdgeText(batch.events()[0], batch, KeyKind::kString),
            "\"al\\\"\\u001b[2J\" -> \"" + std::string(59, 'x') +
                "\"..., weight 2.5, event time 2026-01-01T00:00:00.000Z, add");
  batch.Add(
      {.time = kNewYear, .source = KeyRef::Integer(-7), .operation = Operation::kRemoveVertex});
  EXPECT_EQ(EdgeText(batch.events()[1], batch, KeyKind::kInteger),
            "-7, event time 2026-01-01T00:00:00.000Z, remove_vertex");
}

TEST(SampleTest, TimesThatAWrongUnitWouldGiveAreOdd) {
  const TimePolicy policy{.ahead_limit = std::chrono::hours(1)};
  EXPECT_EQ(OddTime(kNewYear, policy, true, kNewYear), "");
  EXPECT_EQ(OddTime(kNewYear + std::chrono::hours(1), policy, true, kNewYear), "");
  EXPECT_THAT(OddTime(kNewYear + std::chrono::hours(2), policy, true, kNewYear),
              HasSubstr("ahead_limit (1h)"));
  EXPECT_EQ(OddTime(kNewYear + std::chrono::hours(2), policy, false, kNewYear), "");
  EXPECT_EQ(OddTime(EventTime(std::chrono::days(20)), policy, true, kNewYear),
            "its time is long ago");
}

TEST(SampleTest, AFileIsOpenedAndItsFirstRecordDecoded) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("f"), "from,to,ts\na,b,1767225600000\nc,d,1767229999999\n");
  EXPECT_THAT(Sampled(Rows(folder.File("f"))),
              ElementsAre(HasSubstr("can be read, 47 bytes"),
                          StartsWith("ok       source.replay.path: the first record that decodes, "
                                     "at offset 0: \"a\" -> \"b\", weight 1, event time "
                                     "2026-01-01T00:00:00.000Z, add")));
}

TEST(SampleTest, RecordsThatDoNotDecodeAreCountedAndTheFirstIsNamed) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("some"), "from,to,ts\n,b,1\na,b,1767225600000\na,b,noon\n");
  EXPECT_THAT(Sampled(Rows(folder.File("some"))),
              ElementsAre(StartsWith("ok "),
                          AllOf(StartsWith("warning  "),
                                HasSubstr("of the first 3 records 2 do not decode; the first, at "
                                          "offset 0: empty_key: line 2: ")),
                          HasSubstr("the first record that decodes, at offset 1")));
  testing::Write(folder.File("all"), "from,to,ts\na,b,noon\n");
  EXPECT_THAT(Sampled(Rows(folder.File("all"))),
              ElementsAre(StartsWith("ok "),
                          AllOf(StartsWith("error "), HasSubstr("invalid_time: line 2: "))));
  testing::Write(folder.File("seconds"), "from,to,ts\na,b,1767225600\n");
  EXPECT_THAT(Sampled(Rows(folder.File("seconds"))),
              ElementsAre(StartsWith("ok "),
                          AllOf(StartsWith("warning "), HasSubstr("is source.time.unit right?"))));
}

TEST(SampleTest, TheFirstRecordThatIsNotLeftOutIsShown) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("f"), "from,to,ts\na,b,1767225600000\nc,d,1767229999999\n");
  SourceConfig source = Rows(folder.File("f"));
  source.format.where = "from == 'c'";
  EXPECT_THAT(Sampled(source), ElementsAre(StartsWith("ok "), HasSubstr("at offset 1: \"c\"")));
  source.format.where = "from == 'e'";
  EXPECT_THAT(Sampled(source),
              ElementsAre(StartsWith("ok "),
                          AllOf(StartsWith("warning "),
                                HasSubstr("all of the first 2 records are filtered"))));
}

TEST(SampleTest, AWrongDelimiterIsNamedWithTheRightOne) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("f"), "from|to|ts\na|b|1767225600000\n");
  EXPECT_THAT(Sampled(Rows(folder.File("f"))),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr("with `delimiter: \"|\"`"))));
  SourceConfig numbered = Rows(folder.File("f"));
  numbered.format.mapping =
      CsvMapping{.source = 1u, .target = 2u, .weight = {}, .time = 3u, .operation = {}};
  testing::Write(folder.File("f"), "a\tb\t1767225600000\n");
  EXPECT_THAT(Sampled(numbered),
              ElementsAre(StartsWith("ok "),
                          AllOf(StartsWith("error "), HasSubstr("with `delimiter: tab`"))));
}

TEST(SampleTest, AFileThatIsNotTextIsNamed) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("f"), "PK\x03\x04rest");
  EXPECT_THAT(
      Sampled(Rows(folder.File("f"))),
      ElementsAre(AllOf(StartsWith("error "), HasSubstr("a zip archive"), HasSubstr("unzip -p"))));
}

TEST(SampleTest, SeveralFilesAreOneSample) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("a"), "from,to,ts\na,b,1767225600000\n");
  testing::Write(folder.File("b"), "from,to,ts\nc,d,1767225600000\n");
  SourceConfig source = Rows(folder.File("?"));
  EXPECT_THAT(Sampled(source), ElementsAre(AllOf(StartsWith("ok "), HasSubstr("a and 1 more` can"),
                                                 HasSubstr("58 bytes")),
                                           HasSubstr("\"a\" -> \"b\"")));
  std::get<ReplaySpec>(source.connector).paths = {folder.File("*.none")};
  EXPECT_THAT(Sampled(source),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr("matches no file"))));
}

TEST(SampleTest, KeysThatAreHardlyVerticesAreAWarning) {
  const testing::ScratchFolder folder;
  std::string rows = "from,to,ts\n";
  for (int i = 0; i < 30; ++i) rows += "a" + std::to_string(i) + ",N/A,1767225600000\n";
  testing::Write(folder.File("f"), rows);
  EXPECT_THAT(Sampled(Rows(folder.File("f"))),
              ElementsAre(StartsWith("ok "),
                          AllOf(StartsWith("warning "), HasSubstr("\"N/A\" is in 30 of")),
                          StartsWith("ok ")));
}

TEST(SampleTest, AFileThatCannotBeReadAsTheConfigurationSaysIsAnError) {
  const testing::ScratchFolder folder;
  EXPECT_THAT(Sampled(Rows(folder.File("none"))),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr("No such file"))));
  testing::Write(folder.File("other"), "a,b\n");
  EXPECT_THAT(Sampled(Rows(folder.File("other"))),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr("line 1: "))));
  testing::Write(folder.File("empty"), "from,to,ts\n");
  EXPECT_THAT(Sampled(Rows(folder.File("empty"))),
              ElementsAre(StartsWith("ok "), HasSubstr("it holds no record")));
}

TEST(SampleTest, APipeIsLeftToTheRunThatIsToReadIt) {
  const testing::ScratchFolder folder;
  ASSERT_EQ(::mkfifo(folder.File("pipe").c_str(), 0600), 0);
  EXPECT_THAT(Sampled(Rows(folder.File("pipe"))),
              ElementsAre(HasSubstr("nothing is read from it")));
  EXPECT_THAT(Sampled(Rows("-")), ElementsAre(HasSubstr("nothing is read from it")));
}

}  // namespace
}  // namespace sash
