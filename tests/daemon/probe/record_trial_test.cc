#include "daemon/probe/record_trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

SourceConfig Replay(FormatSpec format) {
  SourceConfig source;
  source.connector = ReplaySpec{.paths = {"another file"}};
  source.format = std::move(format);
  return source;
}

SourceConfig Topic(FormatSpec format) {
  SourceConfig source;
  KafkaSpec kafka;
  kafka.topics = {"payments"};
  source.connector = kafka;
  source.format = std::move(format);
  return source;
}

FormatSpec Json() {
  FormatSpec format;
  format.mapping = JsonMapping{
      .source = "/from", .target = "/to", .weight = "/w", .time = "/ts", .operation = "/op"};
  return format;
}

FormatSpec Csv() {
  FormatSpec format;
  format.mapping =
      CsvMapping{.source = "from", .target = "to", .weight = "w", .time = "ts", .operation = {}};
  return format;
}

struct Tried {
  std::vector<std::string> lines{};
  TrialCounts counts{};
  std::string error{};
};

Tried Try(const SourceConfig& source, const std::string& records) {
  const testing::ScratchFolder folder;
  const std::string path = folder.File("records");
  testing::Write(path, records);
  Tried tried;
  Result<TrialCounts> counts = TryRecords(source, path, [&](const std::string& lines) -> Status {
    std::size_t begin = 0;
    for (std::size_t end; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1) {
      tried.lines.push_back(lines.substr(begin, end - begin));
    }
    EXPECT_EQ(begin, lines.size()) << "only whole lines";
    return Ok{};
  });
  if (counts) {
    tried.counts = std::move(counts).value();
  } else {
    tried.error = counts.error().message;
  }
  return tried;
}

TEST(RecordTrialTest, EachRecordOfAReplayIsAnEdgeOrADeadLetter) {
  const Tried tried = Try(Replay(Csv()),
                          "from,to,w,ts\n"
                          "a,\"b \"\"\x1b\"\"\",2.50,1767225600000\n"
                          "\n"
                          "a,,1,1767225600000\n"
                          "a,b\n"
                          "c,d,,1767225600001");
  EXPECT_THAT(
      tried.lines,
      ElementsAre(
          R"({"line":2,"becomes":"edge","source":"a","target":"b \"\u001b\"","weight":2.5,)"
          R"("time":"2026-01-01T00:00:00.000Z","time_as_written":"1767225600000","operation":"add"})",
          R"({"line":4,"becomes":"dead_letter","reason":"empty_key",)"
          R"("detail":"line 4: target (column \"to\") is empty; correct the record or the )"
          R"(mapping, or leave such records out with `where`"})",
          AllOf(StartsWith(R"({"line":5,"becomes":"dead_letter","reason":"invalid_syntax",)"),
                HasSubstr("line 5: the row has 2 fields where 4 are expected")),
          R"({"line":6,"becomes":"edge","source":"c","target":"d","weight":1,)"
          R"("time":"2026-01-01T00:00:00.001Z","time_as_written":"1767225600001","operation":"add"})"));
  EXPECT_EQ(tried.counts.Summary(),
            "4 records: 2 edges, 2 dead letters (1 empty_key, 1 invalid_syntax)");
  EXPECT_THAT(tried.counts.warnings, IsEmpty());
}

TEST(RecordTrialTest, RecordsThatWhereLeavesOutBecomeNothing) {
  FormatSpec format = Csv();
  format.where = "from != 'c' && $topic == 'replay'";
  const std::string nothing = R"({"line":3,"becomes":"nothing","reason":"where"})";
  const Tried tried =
      Try(Replay(format), "from,to,w,ts\na,b,1,1767225600000\nc,,1,1767225600000\na,,1,1\n");
  ASSERT_EQ(tried.lines.size(), 3U);
  EXPECT_EQ(tried.lines[1], nothing);
  EXPECT_EQ(tried.counts.Summary(),
            "3 records: 1 edges, 1 dead letters (1 empty_key), 1 filtered");
  format = Json();
  format.where = "/from != 'c' && $topic == 'payments'";
  const Tried topic = Try(Topic(format), "\n\n{\"from\":\"c\"}\n");
  EXPECT_THAT(topic.lines, ElementsAre(nothing));
}

TEST(RecordTrialTest, ALineHasNeitherKeyNorHeaders) {
  FormatSpec format = Json();
  std::get<JsonMapping>(format.mapping).source = "$key";
  format.where = "!has($header.h) && $topic == 'payments'";
  const Tried tried = Try(Topic(format), "{\"to\":\"b\",\"ts\":1767225600000}\n");
  EXPECT_THAT(tried.lines, ElementsAre(HasSubstr("source $key is missing or null")));
  EXPECT_THAT(tried.counts.warnings,
              ElementsAre(HasSubstr("the mapping reads $key, $header.h, which lines of a file do "
                                    "not have")));
}

TEST(RecordTrialTest, ALineOfATopicIsARecordWithoutALineNumberInItsLetter) {
  const Tried tried =
      Try(Topic(Json()),
          "{\"from\":\"a\",\"to\":\"b\",\"ts\":\"1767225600000\",\"op\":\"remove\"}\n"
          "{\"from\":\"a\",\"ts\":1767225600000,\"op\":\"remove_vertex\"}\n"
          "{\"from\":\"a\",\"ts\":1767225600000}\n");
  EXPECT_THAT(tried.lines,
              ElementsAre(R"({"line":1,"becomes":"edge","source":"a","target":"b","weight":null,)"
                          R"("time":"2026-01-01T00:00:00.000Z","time_as_written":"1767225600000",)"
                          R"("operation":"remove"})",
                          R"({"line":2,"becomes":"edge","source":"a","target":null,"weight":null,)"
                          R"("time":"2026-01-01T00:00:00.000Z","time_as_written":"1767225600000",)"
                          R"("operation":"remove_vertex"})",
                          R"({"line":3,"becomes":"dead_letter","reason":"missing_field",)"
                          R"("detail":"target /to is missing or null; correct the record or the )"
                          R"(mapping, or leave such records out with `where`"})"));
}

TEST(RecordTrialTest, TimesThatAreNotInTheRecordAreNull) {
  FormatSpec format = Json();
  std::get<JsonMapping>(format.mapping).time.reset();
  format.keys = KeyKind::kInteger;
  const std::string edge = R"({"line":1,"becomes":"edge","source":-7,"target":8,"weight":1,)"
                           R"("time":null,"operation":"add"})";
  for (const TimeOrigin origin : {TimeOrigin::kKafka, TimeOrigin::kClock}) {
    format.time_origin = origin;
    EXPECT_THAT(Try(Topic(format), "{\"from\":-7,\"to\":8}").lines, ElementsAre(edge));
  }
  EXPECT_THAT(Try(Replay(format), "{\"from\":-7,\"to\":8}").lines, ElementsAre(edge));
}

TEST(RecordTrialTest, AJoinedTimeIsShownAsOneText) {
  FormatSpec format = Json();
  auto& mapping = std::get<JsonMapping>(format.mapping);
  mapping.time = "/d";
  mapping.time_rest = {.more = {"/t"}, .separator = " "};
  format.time_unit = TimeUnit::kIso8601;
  format.time_zone = "UTC";
  EXPECT_THAT(
      Try(Replay(format), R"({"from":"a","to":"b","d":"2026-01-01","t":"00:05\u003a01"})").lines,
      ElementsAre(HasSubstr(
          R"("time":"2026-01-01T00:05:01.000Z","time_as_written":"2026-01-01 00:05:01")")));
}

TEST(RecordTrialTest, AStrayQuoteCostsOneRowOfAFileAndOfATopic) {
  FormatSpec format;
  format.mapping = CsvMapping{
      .source = 1U, .target = 2U, .weight = {}, .time = {}, .operation = {}, .multiline = true};
  format.time_origin = TimeOrigin::kClock;
  for (const SourceConfig& source : {Replay(format), Topic(format)}) {
    const Tried tried = Try(source, "a,b,x\nc,\"d,y\ne,f,z\ng,h\",i,j\nk,l,m\n");
    ASSERT_EQ(tried.lines.size(), 5U);
    EXPECT_THAT(tried.lines[1], StartsWith(R"({"line":2,"becomes":"dead_letter")"));
    EXPECT_THAT(tried.lines[2], StartsWith(R"({"line":3,"becomes":"edge","source":"e")"));
    EXPECT_THAT(tried.lines[4], StartsWith(R"({"line":5,"becomes":"edge","source":"k")"));
  }
}

TEST(RecordTrialTest, ACommentIsSkippedInAFileAndRefusedInATopic) {
  FormatSpec format;
  format.mapping = CsvMapping{.source = 1U,
                              .target = 2U,
                              .weight = {},
                              .time = {},
                              .operation = {},
                              .comment = "#",
                              .skip_rows = 1};
  format.time_origin = TimeOrigin::kClock;
  const std::string records = "title,x\n#c,d\na,b\n";
  EXPECT_EQ(Try(Replay(format), records).counts.Summary(), "1 records: 1 edges, 0 dead letters");
  EXPECT_EQ(Try(Topic(format), records).counts.Summary(),
            "3 records: 2 edges, 1 dead letters (1 invalid_syntax)");
}

TEST(RecordTrialTest, AnOverlongLineIsALetter) {
  const std::string row = "{\"from\":\"" + std::string(2 << 20, 'x') + "\"}\n";
  for (const SourceConfig& source : {Replay(Json()), Topic(Json())}) {
    EXPECT_THAT(Try(source, row).lines,
                ElementsAre(HasSubstr("\"reason\":\"too_large\",\"detail\":\"line 1: the line has "
                                      "more than 1048576 bytes\"")));
  }
}

TEST(RecordTrialTest, EdgesThatAreProbablyWrongAreAWarning) {
  std::string edges;
  for (int i = 0; i < 20; ++i) {
    edges += "{\"from\":\"v" + std::to_string(i) + "\",\"to\":\"NULL\",\"ts\":1767225600}\n";
  }
  EXPECT_THAT(Try(Replay(Json()), edges).counts.warnings,
              ElementsAre(HasSubstr("NULL"),
                          "line 1 (1970-01-21T10:53:45.600Z): its time is long ago (20 such "
                          "edges); is source.time right?"));
}

TEST(RecordTrialTest, ARecordOfSeveralEdgesHasALineForEach) {
  FormatSpec format = Json();
  auto& mapping = std::get<JsonMapping>(format.mapping);
  mapping.both_directions = true;
  const std::string records =
      "{\"from\":\"a\",\"to\":\"b\",\"ts\":5}\n{\"from\":\"c\",\"to\":\"c\",\"ts\":5}\n";
  for (const SourceConfig& source : {Replay(format), Topic(format)}) {
    const Tried tried = Try(source, records);
    ASSERT_EQ(tried.lines.size(), 3u);
    EXPECT_THAT(tried.lines[0],
                AllOf(StartsWith("{\"line\":1,\"becomes\":\"edge\",\"edge\":0,\"source\":\"a\","),
                      HasSubstr("\"time_as_written\":\"5\"")));
    EXPECT_THAT(tried.lines[1],
                StartsWith("{\"line\":1,\"becomes\":\"edge\",\"edge\":1,\"source\":\"b\","));
    EXPECT_THAT(tried.lines[2], StartsWith("{\"line\":2,\"becomes\":\"edge\",\"source\":\"c\","));
    EXPECT_EQ(tried.counts.Summary(), "2 records: 3 edges, 0 dead letters");
  }
}

TEST(RecordTrialTest, AFileThatCannotBeReadIsAnErrorWithItsName) {
  EXPECT_THAT(Try(Replay(Csv()), "from,other\n").error,
              HasSubstr("/records: line 1: column \"to\" is not in the header"));
  EXPECT_THAT(Try(Replay(Csv()), "").error, HasSubstr("there is no header row"));
  EXPECT_THAT(Try(Topic(Json()), "PAR1\x15").error, HasSubstr("/records: "));
  const auto take = [](const std::string&) -> Status { return Ok{}; };
  const Result<TrialCounts> missing = TryRecords(Replay(Json()), "/no/such/file", take);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message, "/no/such/file: cannot be opened: No such file or directory");
}

TEST(RecordTrialTest, ReadingStopsWhenTheLinesAreNotTaken) {
  const testing::ScratchFolder folder;
  const std::string path = folder.File("records");
  testing::Write(path, std::string(100'000, '{') + "\n{}\n");
  std::size_t times = 0;
  const Result<TrialCounts> counts =
      TryRecords(Replay(Json()), path, [&](const std::string&) -> Status {
        ++times;
        return Error{ErrorCode::kUnavailable, "full"};
      });
  ASSERT_FALSE(counts.ok());
  EXPECT_EQ(counts.error().message, "full");
  EXPECT_EQ(times, 1U);
}

TEST(RecordTrialTest, AFileOfAvroIsOneRecord) {
  FormatSpec format;
  JsonMapping mapping{.source = "/s", .target = "/t", .weight = {}, .time = "/at", .operation = {}};
  mapping.avro = AvroSpec{.path = "e.avsc", .text = R"({"type":"record","name":"E","fields":[
      {"name":"s","type":"string"},{"name":"t","type":"string"},
      {"name":"at","type":{"type":"int","logicalType":"date"}}]})"};
  format.mapping = mapping;
  const Tried tried = Try(Topic(format), "\x02\n\x02\r\xCC\xBF\x02");
  EXPECT_THAT(tried.lines, ElementsAre(AllOf(HasSubstr(R"("source":"\n","target":"\r")"),
                                             HasSubstr(R"("time":"2026-01-01T00:00:00.000Z")"))));
  const Tried cut = Try(Topic(format), "\x02");
  EXPECT_THAT(cut.lines, ElementsAre(HasSubstr("is not of the schema e.avsc: at byte 1, it ends")));
}

}  // namespace
}  // namespace sash
