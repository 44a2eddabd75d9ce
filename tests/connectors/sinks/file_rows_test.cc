// A file sink that writes each row of a result as a line: what the file contains after a kill at
// any byte, and under each kind of trouble.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "connectors/sinks/named_rows.h"
#include "connectors/sinks/result_checksum.h"
#include "tests/connectors/sinks/file_sink_fixture.h"
#include "tests/connectors/sinks/full_disk.h"

namespace sash {
namespace {

using testing::At;
using testing::Contents;
using testing::FinishedRuns;
using testing::FullDisk;
using ::testing::HasSubstr;
using testing::Lines;
using testing::NamedEdge;
using ::testing::StartsWith;
using testing::Write;
using Json = nlohmann::ordered_json;

class FileRowsTest : public FileSinkTest {
 protected:
  FileRowsTest() { spec_.content = SinkContent::kRows; }

  void UseCsv() {
    spec_.format = RowFormat::kCsv;
    spec_.jobs = {"x"};
  }

  CompletedRun Degrees(std::int64_t end, const std::vector<NamedEdge>& edges,
                       const std::string& job = "x") {
    const auto advance = runs_.MakeAdvance(edges, At(end));
    advance->number = static_cast<std::uint64_t>(end);
    return runs_.Run(FinishedRuns::Job(job, DegreeParameters()), advance);
  }
  // Two rows.
  CompletedRun Two(std::int64_t end) { return Degrees(end, {{"a", "b", {}}}); }

  void GiveRuns(FileSink& sink, const std::vector<CompletedRun>& runs) {
    for (const CompletedRun& run : runs) sink.Deliver(run);
    const Status flushed = sink.Flush();
    EXPECT_TRUE(flushed.ok()) << flushed.error().message;
  }

  // "end row" of each line of JSON; in CSV of each line but the header.
  Strings Rows() const {
    Strings rows;
    for (const std::string& line : Lines(spec_.path)) {
      if (line.starts_with("job,")) continue;
      const Json json = spec_.format == RowFormat::kJson ? Json::parse(line) : Json();
      rows.push_back(json.is_null() ? line.substr(24, 5) + " " + line.substr(35, 1)
                                    : json.at("window_end").get<std::string>().substr(14, 5) + " " +
                                          std::to_string(json.at("row").get<int>()));
    }
    return rows;
  }
  std::size_t Headers() const {
    std::size_t headers = 0;
    for (const std::string& line : Lines(spec_.path)) headers += line.starts_with("job,") ? 1 : 0;
    return headers;
  }
};

TEST_F(FileRowsTest, EachRowIsALineWithTheNameOfItsResult) {
  spec_.jobs = {"x"};
  const auto sink = Open();
  GiveRuns(*sink, {Two(300), Degrees(300, {{"a", "b", {}}}, "other")});
  EXPECT_EQ(Contents(spec_.path),
            R"({"schema":1,"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z",)"
            R"("row":1,"rows":2,"vertex":"a","rank":1,"score":1})"
            "\n"
            R"({"schema":1,"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z",)"
            R"("row":2,"rows":2,"vertex":"b","rank":2,"score":1})"
            "\n");
  EXPECT_EQ(sink->written(), 1u);
}

TEST_F(FileRowsTest, InCsvOneHeaderNamesTheColumns) {
  UseCsv();
  GiveRuns(*Open(), {Degrees(300, {{"a,1", "b\"\r\n", {}}})});
  GiveRuns(*Open(), {Two(310)});
  EXPECT_EQ(Contents(spec_.path),
            "job,window,window_end,row,rows,vertex,rank,score\r\n"
            "x,last-5m,1970-01-01T00:05:00.000Z,1,2,\"a,1\",1,1\r\n"
            "x,last-5m,1970-01-01T00:05:00.000Z,2,2,\"b\"\"\r\n\",2,1\r\n"
            "x,last-5m,1970-01-01T00:05:10.000Z,1,2,a,1,1\r\n"
            "x,last-5m,1970-01-01T00:05:10.000Z,2,2,b,2,1\r\n");
}

TEST_F(FileRowsTest, WhatAKillLeavesOfAResultIsCutAndWrittenOnce) {
  const std::vector<NamedEdge> edges = {{"a,\"\r\n\"", "b", {}}, {"c\n", "\"", {}}, {"", "b", {}}};
  for (const bool csv : {false, true}) {
    if (csv) UseCsv();
    std::filesystem::remove(spec_.path);
    const std::vector<CompletedRun> runs = {Degrees(300, edges), Degrees(310, edges)};
    GiveRuns(*Open(), {runs[0]});
    const std::size_t first = Contents(spec_.path).size();
    GiveRuns(*Open(), {runs[1]});
    const std::string whole = Contents(spec_.path);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      // Each place around a line end or a quote, and every 11th of the others: a sync takes long.
      const std::string_view around =
          std::string_view(whole).substr(size - std::min<std::size_t>(size, 2), 3);
      const bool is_special = around.find_first_of("\n\"") != std::string_view::npos;
      if (size % 11 != 0 && size != whole.size() && (csv ? !is_special : around[0] != '\n'))
        continue;
      Write(spec_.path, whole.substr(0, size));
      const auto sink = Open();
      GiveRuns(*sink, runs);
      ASSERT_EQ(Contents(spec_.path), whole) << size;
      ASSERT_EQ(sink->repeated(), size == whole.size() ? 2u : size >= first ? 1u : 0u) << size;
    }
  }
}

TEST_F(FileRowsTest, AResultWithoutRowsHasNoLineAndHidesNoOther) {
  for (const bool csv : {false, true}) {
    if (csv) UseCsv();
    std::filesystem::remove(spec_.path);
    const std::vector<CompletedRun> runs = {Degrees(290, {}), Two(300), Degrees(310, {}), Two(320)};
    {
      const auto sink = Open();
      GiveRuns(*sink, {runs[0]});
      EXPECT_EQ(Contents(spec_.path), "");
      GiveRuns(*sink, {runs[1], runs[2]});
      sink->Acknowledged(310);
      std::filesystem::remove(spec_.path);
      GiveRuns(*sink, {runs[3]});
      EXPECT_EQ(Rows(), (Strings{"05:20 1", "05:20 2"}));
      EXPECT_EQ(sink->dropped(), 0u);
    }
    const auto sink = Open();
    GiveRuns(*sink, runs);
    EXPECT_EQ(Rows(), (Strings{"05:20 1", "05:20 2", "05:00 1", "05:00 2"}));
    EXPECT_EQ(sink->repeated(), 1u);
  }
}

TEST_F(FileRowsTest, EachFileBeginsWithTheHeader) {
  UseCsv();
  const auto sink = Open();
  GiveRuns(*sink, {Two(300)});
  sink->Deliver(Two(310));  // in the file, not durable
  std::filesystem::remove(spec_.path);
  GiveRuns(*sink, {Two(320)});
  EXPECT_EQ(Rows().size(), 6u);
  EXPECT_EQ(Headers(), 1u);
  std::filesystem::rename(spec_.path, folder_.File("old"));
  GiveRuns(*sink, {Two(330)});
  EXPECT_EQ(Rows(), (Strings{"05:30 1", "05:30 2"}));
  EXPECT_EQ(Headers(), 1u);
  sink->Acknowledged(320);
  for (const std::size_t size : {0u, 20u, 70u, 120u}) {
    std::filesystem::resize_file(spec_.path, size);
    GiveRuns(*sink, {});
    EXPECT_EQ(Rows(), (Strings{"05:30 1", "05:30 2"})) << size;
    EXPECT_EQ(Headers(), 1u) << size;
  }
}

TEST_F(FileRowsTest, AHeaderThatTheDiskHeldBackIsWrittenOnce) {
  UseCsv();
  const auto sink = Open();
  {
    const FullDisk full(60);  // more than the header, less than the rows
    sink->Deliver(Two(300));
    sink->Deliver(Two(310));
    EXPECT_FALSE(sink->Flush().ok());
    EXPECT_EQ(Contents(spec_.path), "");
  }
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(Rows(), (Strings{"05:00 1", "05:00 2", "05:10 1", "05:10 2"}));
  EXPECT_THAT(Contents(spec_.path), StartsWith("job,"));
  EXPECT_EQ(Headers(), 1u);
}

TEST_F(FileRowsTest, AStreamGetsTheHeaderOnce) {
  UseCsv();
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  spec_.path = "/dev/fd/" + std::to_string(ends[1]);
  GiveRuns(*Open(), {Two(300), Two(310)});
  ::close(ends[1]);
  std::string taken(4096, '\0');
  taken.resize(static_cast<std::size_t>(::read(ends[0], taken.data(), taken.size())));
  ::close(ends[0]);
  EXPECT_THAT(taken, StartsWith("job,window"));
  EXPECT_EQ(std::ranges::count(taken, '\n'), 5);
}

TEST_F(FileRowsTest, RowsOfOtherColumnsWaitForANewFile) {
  UseCsv();
  GiveRuns(*Open(), {Two(300)});
  const auto wider = [&](std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(end));
    advance->number = static_cast<std::uint64_t>(end);
    return runs_.Run(FinishedRuns::Job("x", EdgeFeaturesParameters()), advance);
  };
  const auto sink = Open();
  sink->Deliver(wider(310));
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("its columns are not those of the results now"));
  EXPECT_EQ(Rows().size(), 2u);
  std::filesystem::rename(spec_.path, folder_.File("old"));
  GiveRuns(*sink, {wider(320)});
  const Strings lines = Lines(spec_.path);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], HasSubstr(",source,target,edges,weight,source_out_fan,"));
  EXPECT_EQ(sink->dropped(), 0u);
}

TEST_F(FileRowsTest, TheColumnsOfTypesAreThereWithoutTypes) {
  UseCsv();
  const auto changed = [&](std::int64_t end, const std::string& type) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}, type}}, At(end));
    return runs_.Run(FinishedRuns::Job("x", NewEdgesParameters()), advance);
  };
  const auto sink = Open();
  GiveRuns(*sink, {changed(300, ""), changed(310, "paid")});
  const Strings lines = Lines(spec_.path);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], HasSubstr("rows,source,target,edges,weight,types\r"));
  EXPECT_THAT(lines[1], HasSubstr("a,b,1,1,\r"));
  EXPECT_THAT(lines[2], HasSubstr(R"(a,b,1,1,"[""paid""]")"));
}

TEST_F(FileRowsTest, KnowsWindowsByEventsByTheirLastEvent) {
  const auto counted = [&](std::uint64_t accepted) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(300));
    advance->provenance.accepted = accepted;
    return runs_.Run(FinishedRuns::Job("x", DegreeParameters()), advance);
  };
  for (const bool csv : {false, true}) {
    if (csv) UseCsv();
    std::filesystem::remove(spec_.path);
    GiveRuns(*Open(), {counted(100), counted(200)});
    const auto sink = Open();
    GiveRuns(*sink, {counted(100), counted(200), counted(300)});
    EXPECT_EQ(sink->repeated(), 2u);
    EXPECT_EQ(Lines(spec_.path).size(), csv ? 7u : 6u);
  }
}

TEST_F(FileRowsTest, EachRowHasItsChecksumAndADamagedOneCallsForItsResult) {
  spec_.checksum = true;
  GiveRuns(*Open(), {Two(300), Two(310), Two(320)});
  std::string text = Contents(spec_.path);
  for (const std::string& line : Lines(spec_.path)) {
    EXPECT_EQ(CheckResult(line), ResultChecksum::kRight);
  }
  text[text.find("\"score\":1", text.find("05:10")) + 8] = '7';
  Write(spec_.path, text);
  GiveRuns(*Open(), {Two(300), Two(310), Two(320)});
  EXPECT_EQ(Rows(), (Strings{"05:00 1", "05:00 2", "05:10 1", "05:10 2", "05:20 1", "05:20 2",
                             "05:10 1", "05:10 2"}));
  EXPECT_THAT(log_.lines(), ::testing::Contains(HasSubstr("results.jsonl:3: is damaged")));
}

TEST_F(FileRowsTest, FilesOfAnotherKindAreRefusedAndLeftAlone) {
  const auto refused = [&](const std::string& text) {
    Write(spec_.path, text);
    const std::string error = OpenError();
    EXPECT_EQ(Contents(spec_.path), text);
    return error;
  };
  GiveRuns(*Open(), {Two(300)});
  const std::string rows = Contents(spec_.path);
  EXPECT_THAT(refused(rows + "{}\n"), HasSubstr("results.jsonl:3: not a result"));
  std::string none = rows;
  none.replace(none.find("\"row\":1"), 7, "\"row\":9");
  EXPECT_THAT(refused(none), HasSubstr("results.jsonl:1: not a row of a result"));
  spec_.content = SinkContent::kResults;
  EXPECT_THAT(refused(rows), HasSubstr("a row of a result, and this sink writes whole results"));
  std::filesystem::remove(spec_.path);
  GiveRuns(*Open(), {Two(300)});
  const std::string results = Contents(spec_.path);
  spec_.content = SinkContent::kRows;
  EXPECT_THAT(refused(results), HasSubstr("a whole result, and this sink writes rows"));
  UseCsv();
  EXPECT_THAT(refused(results), HasSubstr("results.jsonl:1: not the header of rows"));
  EXPECT_THAT(refused("source,target\n"), HasSubstr("not the header of rows"));
  EXPECT_NE(refused("source,tar"), "");
  std::filesystem::remove(spec_.path);
  GiveRuns(*Open(), {Degrees(300, {{"a,1", "b", {}}}), Two(310), Two(320)});
  const std::string csv = Contents(spec_.path);
  EXPECT_THAT(refused(csv + "x,y\r\n"), HasSubstr("results.jsonl:8: not a row of a result"));
  // Rows behind a damaged one are never cut off with it.
  std::string open = csv;
  open[open.find("1\",") + 1] = '_';
  EXPECT_THAT(refused(open), HasSubstr("a row whose quotes do not end"));
}

TEST_F(FileRowsTest, AReplayBeginsAnewInEitherFormat) {
  GiveRuns(*Open(), {Two(300)});
  UseCsv();
  GiveRuns(*Open(true), {Two(310)});
  EXPECT_EQ(Rows(), (Strings{"05:10 1", "05:10 2"}));
  spec_.format = RowFormat::kJson;
  GiveRuns(*Open(true), {Two(320)});
  EXPECT_EQ(Rows(), (Strings{"05:20 1", "05:20 2"}));
}

TEST_F(FileRowsTest, AllVerticesAreRowsWhenAskedTo) {
  std::vector<NamedEdge> edges;
  for (int i = 0; i < 60; ++i) edges.push_back({"a", "b" + std::to_string(i), {}});
  const auto sink = Open();
  GiveRuns(*sink, {Degrees(300, edges)});
  EXPECT_EQ(Rows().size(), 50u);
  spec_.vertices = VerticesWritten::kAll;
  std::filesystem::remove(spec_.path);
  GiveRuns(*Open(), {Degrees(310, edges)});
  EXPECT_EQ(Rows().size(), 61u);
}

TEST_F(FileRowsTest, ThereIsARowForEachRootOfASearch) {
  UseCsv();
  BfsParameters search;
  search.roots = {"a", "c"};
  search.separate = true;
  const auto advance = runs_.MakeAdvance({{"a", "b", {}}, {"c", "d", {}}}, At(300));
  GiveRuns(*Open(), {runs_.Run(FinishedRuns::Job("x", search), advance)});
  const Strings lines = Lines(spec_.path);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "job,window,window_end,row,rows,root,vertex,rank,depth\r");
  EXPECT_THAT(lines[4], HasSubstr(",4,4,c,d,2,1"));
}

TEST(HasRowsTest, IsTrueForEachKernelWhoseResultsHaveAList) {
  EXPECT_FALSE(HasRows(ShapeParameters()));
  EXPECT_TRUE(HasRows(EdgeFeaturesParameters()));
  EXPECT_TRUE(HasRows(CyclesParameters()));
  EXPECT_TRUE(HasRows(PathsParameters()));
  EXPECT_TRUE(HasRows(ReciprocityParameters()));
}

}  // namespace
}  // namespace sash
