#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/connectors/replay/replaying.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class ReplayFileTest : public Replaying {};

TEST_F(ReplayFileTest, OffsetsAreDataRowsFromZeroRefusedOnesIncluded) {
  const std::string path = File("edges.csv",
                                "\xEF\xBB\xBF"
                                "from,to,ts\n"
                                "a,b,1\n"
                                "\n"
                                "broken\n"
                                "\"c\",d,2\r\n"
                                "e,f,soon\n"
                                "g,h,3");
  Start(path, NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_EQ(arrived_.starts, 1u);
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "2:c>d", "4:g>h"));
  EXPECT_THAT(arrived_.refused_offsets, ElementsAre(1, 3));
  const auto kept = refusals_.kept();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].offset, 1);
  EXPECT_EQ(kept[0].payload, "broken");
  EXPECT_EQ(kept[0].detail, "line 4: the row has 1 fields where 3 are expected");
  EXPECT_EQ(kept[1].offset, 3);
  EXPECT_EQ(kept[1].reason, RefusalReason::kInvalidTime);
  EXPECT_THAT(kept[1].detail, HasSubstr("line 6: "));
}

TEST_F(ReplayFileTest, JsonIsOneRecordALine) {
  Start(File("edges.jsonl",
             "{\"from\":\"a\",\"to\":\"b\",\"ts\":1}\n\n   \nnonsense\r\n"
             "{\"from\":\"c\",\"to\":\"d\",\"ts\":2}\r\n{\"from\":\"e\",\"to\":\"f\",\"ts\":3}"),
        JsonLines());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "2:c>d", "3:e>f"));
  EXPECT_THAT(arrived_.refused_offsets, ElementsAre(1));
}

TEST_F(ReplayFileTest, AnEmptyFileWithoutHeaderEndsAtOnce) {
  Start(File("empty.jsonl", ""), JsonLines());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_EQ(arrived_.starts, 1u);
  EXPECT_TRUE(arrived_.edges.empty());
}

TEST_F(ReplayFileTest, StatusCountsRecordsAndBytesAndKnowsTheEnd) {
  const std::string bytes = "from,to,ts\na,b,1\nx\nc,d,2\n";
  Start(File("edges.csv", bytes), NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  const SourceStatus status = source_->status();
  EXPECT_EQ(status.kind, "replay");
  EXPECT_EQ(status.address, Path("edges.csv"));
  EXPECT_EQ(status.records, 3u);
  EXPECT_EQ(status.bytes, bytes.size());
  ASSERT_EQ(status.partitions.size(), 1u);
  EXPECT_EQ(status.partitions[0].topic, "replay");
  EXPECT_EQ(status.partitions[0].position, 3);
  EXPECT_EQ(status.partitions[0].end, 3);
  EXPECT_TRUE(status.not_ready.empty());
  EXPECT_EQ(status.failure, std::nullopt);
}

TEST_F(ReplayFileTest, LargeFilesComeInBoundedBatchesWithNothingLost) {
  std::string bytes = "from,to,ts\n";
  constexpr int kRows = 50'000;
  for (int i = 0; i < kRows; ++i) {
    bytes += i % 5 == 4 ? "broken,\"" : std::string("a").append(std::to_string(i)) + ",b,1";
    bytes += '\n';
  }
  Start(File("edges.csv", bytes), NamedCsv());
  std::size_t largest = 0;
  while (!arrived_.ended) {
    const auto batch = queue_.Pop(std::chrono::seconds(10));
    ASSERT_TRUE(batch);
    largest = std::max(largest, batch->events().size());
    Take(*batch);
  }
  EXPECT_LE(largest, RowIntake::kBatchEvents);
  ASSERT_EQ(arrived_.edges.size(), std::size_t{kRows} * 4 / 5);
  EXPECT_EQ(arrived_.refused_offsets.size(), std::size_t{kRows} / 5);
  EXPECT_EQ(refusals_.kept().size(), std::size_t{kRows} / 5);
  EXPECT_EQ(arrived_.edges.back(), "49998:a49998>b");
}

TEST_F(ReplayFileTest, AFullQueueHoldsTheSourceAndLosesNothing) {
  BatchQueue narrow(1);
  std::string bytes;
  for (int i = 0; i < 20'000; ++i) {
    bytes.append("{\"from\":\"a\",\"to\":\"b\",\"ts\":").append(std::to_string(i)).append("}\n");
  }
  ReplaySource source({{File("edges.jsonl", bytes)}}, JsonLines(), partitions_, narrow, refusals_,
                      clock_, progress_);
  ASSERT_TRUE(source.Start().ok());
  while (!arrived_.ended) {
    const auto batch = narrow.Pop(std::chrono::seconds(10));
    ASSERT_TRUE(batch);
    EXPECT_EQ(narrow.bytes(), 0u);
    Take(*batch);
  }
  EXPECT_EQ(arrived_.edges.size(), 20'000u);
}

TEST_F(ReplayFileTest, StopReturnsWhileTheQueueIsFull) {
  BatchQueue narrow(1);
  std::string bytes;
  for (int i = 0; i < 20'000; ++i) bytes += "{\"from\":\"a\",\"to\":\"b\",\"ts\":1}\n";
  ReplaySource source({{File("edges.jsonl", bytes)}}, JsonLines(), partitions_, narrow, refusals_,
                      clock_, progress_);
  ASSERT_TRUE(source.Start().ok());
  source.Stop();
  source.Stop();
  while (const auto batch = narrow.Pop(std::chrono::milliseconds(0))) {
    EXPECT_FALSE(batch->end_of_source);
  }
}

TEST_F(ReplayFileTest, AQuoteThatIsNeverClosedCostsOneRow) {
  std::string bytes = "from,to,ts\na,\"b,1\n";
  constexpr std::int64_t kRows = kSanitized ? 20'000 : 100'000;
  for (std::int64_t i = 0; i < kRows; ++i) bytes += "c,d," + std::to_string(i) + "\n";
  bytes += "e,\"f";
  Start(File("edges.csv", bytes), NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_EQ(arrived_.edges.size(), kRows);
  EXPECT_THAT(arrived_.refused_offsets, ElementsAre(0, kRows + 1));
}

TEST_F(ReplayFileTest, ALineBreakInAMappedFieldCutsTheRowToItsFirstLine) {
  Start(File("edges.csv",
             "from,to,ts\r\na,b,1\r\n\"unclosed,b,2\r\nc,d,3\r\n\r\nends\",f,4\r\ng,h,5\r\n"),
        NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "2:c>d", "4:g>h"));
  EXPECT_THAT(arrived_.refused_offsets, ElementsAre(1, 3));
  const auto kept = refusals_.kept();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].payload, "\"unclosed,b,2");
  EXPECT_EQ(kept[0].reason, RefusalReason::kInvalidSyntax);
  EXPECT_EQ(kept[0].detail,
            "line 3: the quoted field 1 does not end on its line, as a mapped field must; check "
            "for a stray quote (`multiline: true` allows line breaks in mapped fields, `quote: "
            "none` gives quotes no meaning)");
  EXPECT_EQ(kept[1].payload, "ends\",f,4");
  EXPECT_EQ(kept[1].detail, "line 6: there is a quote inside the unquoted field 1");
}

TEST_F(ReplayFileTest, MultilineAllowsLineBreaksInMappedFields) {
  FormatSpec format = NamedCsv();
  std::get<CsvMapping>(format.mapping).multiline = true;
  Start(File("edges.csv", "from,to,ts\n\"c\nc\",d,2\nx,y,z\ne,\"f\r\n,f\",3\n"), format);
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:c\nc>d", "2:e>f\r\n,f"));
  EXPECT_THAT(arrived_.refused_offsets, ElementsAre(1));
}

TEST_F(ReplayFileTest, ADialectOfCsv) {
  FormatSpec format = NamedCsv();
  auto& csv = std::get<CsvMapping>(format.mapping);
  csv.delimiter = kBlanks;
  csv.quotes = false;
  csv.comment = "#";
  csv.skip_rows = 2;
  Start(File("edges.txt",
             "a title\n\n# made by hand\n\nfrom to ts\n\"a  b\t1\n \t\n#c d 2\ne f\"   3 \ng h\n"),
        format);
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:\"a>b", "1:e>f\""));
  EXPECT_THAT(arrived_.refused_offsets, ElementsAre(2));
  EXPECT_EQ(refusals_.kept()[0].detail, "line 10: the row has 2 fields where 3 are expected");
}

TEST_F(ReplayFileTest, AnUnmappedFieldMayHoldLinesButNoRows) {
  Start(File("edges.csv",
             "from,to,ts,body\na,b,1,\"Hello,\nworld\"\nc,d,2,\"astray\ne,f,3,x\ng,h,4,y\"\n"
             "i,j,5,\n"),
        NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "2:e>f", "4:i>j"));
  EXPECT_THAT(arrived_.refused_offsets, ElementsAre(1, 3));
  const auto kept = refusals_.kept();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].payload, "c,d,2,\"astray");
  EXPECT_EQ(kept[0].detail,
            "line 4: the quoted field 4 does not end on its line, and later lines of it are rows "
            "by themselves; check for a stray quote (`multiline: true` allows such lines in "
            "fields, `quote: none` gives quotes no meaning)");
}

TEST_F(ReplayFileTest, AHeaderMayHoldLinesButNoRows) {
  Start(File("good.csv", "\"total\namount\",from,to,ts\n5,a,b,1\n"), NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b"));
  const std::string path = File("astray.csv", "from,to,ts,\"body\na,b,1,x\nc,d,2,y\"\ne,f,3,z\n");
  EXPECT_EQ(ErrorOf(path, NamedCsv()),
            path +
                ": line 1: a quoted field of the header row spans several lines, and line 2 is a "
                "row by itself; check for a stray quote (`multiline: true` allows such lines in "
                "fields)");
}

TEST_F(ReplayFileTest, ALineAboveTheLimitIsOneRefusedRow) {
  const std::string bytes = "{\"from\":\"a\",\"to\":\"b\",\"ts\":1}\n\"" +
                            std::string(3 * kMaxRecordBytes, 'x') +
                            "\"\n{\"from\":\"c\",\"to\":\"d\",\"ts\":2}\n";
  Start(File("edges.jsonl", bytes), JsonLines());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "2:c>d"));
  ASSERT_EQ(refusals_.kept().size(), 1u);
  EXPECT_EQ(refusals_.kept()[0].reason, RefusalReason::kTooLarge);
  EXPECT_EQ(refusals_.kept()[0].payload.size(), kMaxRecordBytes);
}

TEST_F(ReplayFileTest, FilesThatCannotBeReadAreErrorsOfTheConfiguration) {
  EXPECT_EQ(ErrorOf(Path("absent.csv"), NamedCsv()),
            Path("absent.csv") + ": cannot be opened: No such file or directory");
  EXPECT_EQ(ErrorOf(folder_.string(), NamedCsv()),
            folder_.string() + ": is a directory, not a file");
}

TEST_F(ReplayFileTest, AFileThatIsNotTextIsAnErrorThatNamesTheRemedy) {
  const std::string path = File("edges.jsonl.xz", std::string_view("\xFD"
                                                                   "7zXZ\0",
                                                                   6));
  EXPECT_THAT(ErrorOf(path, JsonLines()), HasSubstr(path + ": it is compressed with xz"));
  EXPECT_THAT(ErrorOf(path, NamedCsv()), HasSubstr("xz -dc"));
}

TEST_F(ReplayFileTest, ARepeatedHeaderIsRefused) {
  Start(File("edges.csv", "from,to,ts\na,b,1\nfrom,to,ts\nc,d,2\n"), NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "2:c>d"));
  ASSERT_EQ(refusals_.kept().size(), 1u);
  EXPECT_EQ(refusals_.kept()[0].detail, "line 3: the row is the header again, not an edge");
}

TEST_F(ReplayFileTest, AHeaderWithoutAMappedColumnIsAnErrorOfTheConfiguration) {
  const std::string path = File("edges.csv", "from,to,time\na,b,1\n");
  EXPECT_EQ(ErrorOf(path, NamedCsv()),
            path + ": line 1: column \"ts\" is not in the header, which has: from, to, time");
  const std::string later = File("later.csv", "\n\nfrom,to\n");
  EXPECT_THAT(ErrorOf(later, NamedCsv()), HasSubstr("line 3: column \"ts\""));
  const std::string empty = File("empty.csv", "\n\n");
  EXPECT_EQ(ErrorOf(empty, NamedCsv()),
            empty + ": line 1: column \"from\": there is no header row");
  const std::string large = File("large.csv", std::string(2 * kMaxRecordBytes, 'x'));
  EXPECT_THAT(ErrorOf(large, NamedCsv()), HasSubstr("line 1: the header row has more than"));
}

TEST_F(ReplayFileTest, TimesFromTheClockAreTheWallClocks) {
  for (const TimeOrigin origin : {TimeOrigin::kClock, TimeOrigin::kKafka}) {
    FormatSpec format = JsonLines();
    format.time_origin = origin;
    arrived_ = {};
    Start(File("edges.jsonl", "{\"from\":\"a\",\"to\":\"b\"}\n"), format);
    ASSERT_TRUE(PopToTheEnd());
    EXPECT_THAT(arrived_.times, ElementsAre(clock_.Now()));
  }
}

TEST_F(ReplayFileTest, EventTimePaceReleasesEventsWhenTheyAreDue) {
  Start(File("edges.csv", "from,to,ts\na,b,10000\nc,d,9000\nx\ne,f,70000\ng,h,80000\n"), NamedCsv(),
        ReplayPace::kEventTime);
  ASSERT_TRUE(PopUntil([&] { return arrived_.refused_offsets.size() == 1; }));
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "1:c>d"));
  clock_.Advance(std::chrono::seconds(60));
  ASSERT_TRUE(PopUntil([&] { return arrived_.edges.size() > 2; }));
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "1:c>d", "3:e>f"));
  EXPECT_FALSE(arrived_.ended);
  clock_.Advance(std::chrono::seconds(10));
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_EQ(arrived_.edges.size(), 4u);
}

TEST_F(ReplayFileTest, RecordsThatWhereLeavesOutAreCountedAndTheirTimesArrive) {
  FormatSpec format = NamedCsv();
  format.where = "from != 'c' && from != 'e' && $topic == 'replay'";
  for (const ReplayPace pace : {ReplayPace::kFull, ReplayPace::kEventTime}) {
    arrived_ = {};
    Start(File("edges.csv", "from,to,ts\na,b,10\nc,,11\ne,f,soon\ng,,12\ng,h,13\n"), format, pace);
    ASSERT_TRUE(PopUntil([&] {
      clock_.Advance(std::chrono::seconds(1));
      return arrived_.ended;
    }));
    EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "1:>", "4:g>h"));
    EXPECT_THAT(arrived_.refused_offsets, ElementsAre(3));
    EXPECT_EQ(source_->status().records, 5u);
    EXPECT_EQ(source_->status().filtered, 2u);
  }
}

TEST_F(ReplayFileTest, EventTimePaceTakesTheWholeSpanOfTimes) {
  FormatSpec format = NamedCsv();
  format.time_unit = TimeUnit::kRfc3339;
  Start(File("edges.csv", "from,to,ts\na,b,1700-01-01T00:00:00Z\nc,d,2200-12-31T00:00:00Z\n"),
        format, ReplayPace::kEventTime);
  ASSERT_TRUE(PopUntil([&] { return arrived_.edges.size() == 1; }));
  source_->Stop();  // while it waits for an event centuries ahead
  EXPECT_FALSE(queue_.Pop(std::chrono::milliseconds(0)));
}

TEST_F(ReplayFileTest, TimesThatTheirZoneSkipsAreCounted) {
  FormatSpec format = NamedCsv();
  format.time_unit = TimeUnit::kFormat;
  format.time_format = "%F %R";
  format.time_zone = "Europe/Berlin";
  Start(File("f", "from,to,ts\na,b,2026-03-29 02:30\nc,d,2026-03-29 03:30\n"), format);
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_EQ(arrived_.edges.size(), 2u);
  EXPECT_THAT(source_->status().incidents, Contains(Pair("doubtful_times", 1u)));
}

std::string ManyRows(int rows) {
  std::string text = "from,to,ts\n";
  for (int i = 0; i < rows; ++i) text += "a,b,1\n";
  return text;
}

TEST_F(ReplayFileTest, WhileMemoryIsFullItWaitsAndLosesNothing) {
  progress_.intake_held = true;
  Start(File("f", ManyRows(10'000)), NamedCsv());
  ASSERT_TRUE(PopUntil([&] { return source_->status().held; }));
  EXPECT_FALSE(queue_.Pop(std::chrono::milliseconds(200)));
  EXPECT_TRUE(source_->status().held);
  progress_.intake_held = false;
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_EQ(arrived_.edges.size(), 10'000u);
  EXPECT_FALSE(source_->status().held);
}

TEST_F(ReplayFileTest, TheLastBatchPassesThoughMemoryIsFull) {
  progress_.intake_held = true;
  Start(File("f", ManyRows(100)), NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_EQ(arrived_.edges.size(), 100u);
}

TEST_F(ReplayFileTest, StopsWhileMemoryIsFull) {
  progress_.intake_held = true;
  Start(File("f", ManyRows(10'000)), NamedCsv());
  ASSERT_TRUE(PopUntil([&] { return source_->status().held; }));
  source_->Stop();
  EXPECT_FALSE(queue_.Pop(std::chrono::milliseconds(0)));
}

TEST_F(ReplayFileTest, PausesAfterEachBatchAsLongAsItIsTold) {
  progress_.intake_pause = 20;
  const auto begun = std::chrono::steady_clock::now();
  Start(File("f", ManyRows(5 * 4096)), NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(4 * 20));
}

TEST_F(ReplayFileTest, AnEventOf2099IsSetAsideAtEitherPace) {
  std::string rows = "from,to,ts\n";
  for (int i = 0; i < 300; ++i) {
    rows += "a,b," + std::to_string(i == 100 ? 4'070'908'800'000 : i * 1000) + "\n";
  }
  const std::string path = File("edges.csv", rows);
  for (const ReplayPace pace : {ReplayPace::kFull, ReplayPace::kEventTime}) {
    arrived_ = {};
    clock_.Advance(std::chrono::hours(24));
    ReplaySpec spec{.paths = {path}, .pace = pace, .ahead_limit = std::chrono::minutes(1)};
    Start(std::move(spec), NamedCsv());
    // The outlier itself would be due in a hundred years.
    ASSERT_TRUE(PopUntil([&] {
      clock_.Advance(std::chrono::minutes(5));
      return arrived_.ended;
    }));
    EXPECT_EQ(arrived_.edges.size(), 300u);
    EXPECT_THAT(arrived_.ahead, ElementsAre(100));
    source_.reset();
  }
}

}  // namespace
}  // namespace sash
