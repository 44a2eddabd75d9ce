#include "connectors/codec/line_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/row_splitter.h"

namespace sash {
namespace {

using ::testing::ElementsAre;

enum class Mapped { kSourceTargetTime, kSourceTarget };

FormatSpec FirstColumns(Mapped mapped, char delimiter = ',', bool multiline = false) {
  FormatSpec format;
  CsvMapping csv{.source = 1u, .target = 2u, .weight = {}, .time = {}, .operation = {}};
  csv.delimiter = delimiter;
  csv.multiline = multiline;
  if (mapped == Mapped::kSourceTargetTime) csv.time = 3u;
  format.mapping = csv;
  format.time_origin =
      mapped == Mapped::kSourceTargetTime ? TimeOrigin::kField : TimeOrigin::kClock;
  format.time_unit = TimeUnit::kSeconds;
  return format;
}

// The outcome of each row, with the line on which it begins: "1: a>b" for an edge, "2: -" for a
// refusal.
std::vector<std::string> Read(std::string_view file, const FormatSpec& format,
                              std::size_t block = SIZE_MAX) {
  auto made = MakeDecoder(format);
  EXPECT_TRUE(made.ok());
  Decoder& decoder = *made.value();
  const auto& csv = std::get<CsvMapping>(format.mapping);
  RowSplitter splitter(RowSyntax::kCsv, csv.delimiter);
  splitter.set_line_judge(decoder.line_judge());
  std::vector<std::string> rows;
  const auto drain = [&] {
    while (auto row = splitter.Next()) {
      EventBatch batch;
      const auto refused = decoder.Decode(row->text, {}, batch);
      EXPECT_TRUE(row->cut == RowCut::kNone || refused) << row->text;
      if (refused && row->several_lines) row = splitter.CutToFirstLine();
      std::string said = std::to_string(row->line) + ": -";
      if (!refused) {
        const EdgeEvent& event = batch.events().front();
        said = std::to_string(row->line) + ": " + std::string(batch.Text(event.source.text())) +
               ">" + std::string(batch.Text(event.target.text()));
      }
      rows.push_back(std::move(said));
    }
  };
  for (std::size_t at = 0; at < file.size(); at += std::min(block, file.size() - at)) {
    splitter.Feed(file.substr(at, block));
    drain();
  }
  splitter.Finish();
  drain();
  return rows;
}

TEST(LineJudgeTest, ALineBreakInAMappedFieldCostsOneRow) {
  const FormatSpec format = FirstColumns(Mapped::kSourceTargetTime, '\t');
  EXPECT_THAT(Read("a\tb\t1\n"
                   "\"unclosed\tb\t2\n"
                   "c\td\t3\n"
                   "ends here\"\td\t4\n"
                   "e\tf\t5\n",
                   format),
              ElementsAre("1: a>b", "2: -", "3: c>d", "4: -", "5: e>f"));
  EXPECT_THAT(Read("\"a\r\na\"\tb\t1\r\nc\td\t2\r\n", format),
              ElementsAre("1: -", "2: -", "3: c>d"));
  EXPECT_THAT(Read("a\t\"b\n\"\t1", format), ElementsAre("1: -", "2: -"));
  EXPECT_THAT(Read("a\tb\t\"1\n\"", format), ElementsAre("1: -", "2: -"));
}

TEST(LineJudgeTest, MultilineLetsFieldsHoldWhatTheyMayByRfc4180) {
  const FormatSpec format = FirstColumns(Mapped::kSourceTargetTime, ',', true);
  EXPECT_THAT(Read("\"a\nc,d,2\nx\",b,1\ne,f,2\n", format),
              ElementsAre("1: a\nc,d,2\nx>b", "4: e>f"));
  EXPECT_THAT(Read("a,b,1,\"x\nc,d,2,y\n\"\ne,f,2,\n", format), ElementsAre("1: a>b", "4: e>f"));
}

TEST(LineJudgeTest, AnUnmappedFieldMayHoldLineBreaks) {
  for (const Mapped mapped : {Mapped::kSourceTargetTime, Mapped::kSourceTarget}) {
    const FormatSpec format = FirstColumns(mapped);
    EXPECT_THAT(Read("a,b,1,\"Hello,\n\nhow are you,\r\n1,2\nfine\"\nc,d,2,\n", format),
                ElementsAre("1: a>b", "6: c>d"));
  }
  // The lines of the text have as many delimiters as a row, but no time.
  EXPECT_THAT(Read("a,b,1,\"Hello\nDear, sir, I, write\nyou, and, you, too\"\nc,d,2,\n",
                   FirstColumns(Mapped::kSourceTargetTime)),
              ElementsAre("1: a>b", "4: c>d"));
}

TEST(LineJudgeTest, AnUnmappedFieldAtAnyPlaceMayHoldLineBreaks) {
  FormatSpec format = FirstColumns(Mapped::kSourceTargetTime);
  auto& csv = std::get<CsvMapping>(format.mapping);
  csv.source = 2u;  // the text comes first
  csv.target = 3u;
  csv.time = 4u;
  EXPECT_THAT(Read("\"two\nlines\",a,b,1\n\"\n\",c,d,2\n", format),
              ElementsAre("1: a>b", "3: c>d"));
  csv.source = 1u;  // the text is in the middle
  EXPECT_THAT(Read("a,\"two\nand, lines\",b,1\nc,\"\n,\",d,2\n", format),
              ElementsAre("1: a>b", "3: c>d"));
}

TEST(LineJudgeTest, RowsInsideAnUnmappedFieldShowThatAQuoteIsAstray) {
  const FormatSpec timed = FirstColumns(Mapped::kSourceTargetTime);
  EXPECT_THAT(Read("a,b,1,\"x\nc,d,2,y\ne,f,3,\nz\"\ng,h,4,\n", timed),
              ElementsAre("1: -", "2: c>d", "3: e>f", "4: -", "5: g>h"));
  EXPECT_THAT(Read("a,b,1,\"x\nc,d,2,\"\"\ne,f,3,y\"\n", timed),
              ElementsAre("1: -", "2: c>d", "3: -"));
  EXPECT_THAT(Read("a,b,1,\"x\nc,d,2,y\"\ne,f,3,\n", timed), ElementsAre("1: -", "2: -", "3: e>f"));
  EXPECT_THAT(Read("a,b,1,\"x\nc,d,2,y\"", timed), ElementsAre("1: -", "2: -"));
}

TEST(LineJudgeTest, WhereAnyTextPassesAllLinesMustBeRows) {
  const FormatSpec text = FirstColumns(Mapped::kSourceTarget);
  EXPECT_THAT(Read("o,p,q\na,b,\"x\nc,d,y\ne,f,z\"\n", text),
              ElementsAre("1: o>p", "2: -", "3: c>d", "4: -"));
  EXPECT_THAT(Read("o,p,q\na,b,\"x\nc,d,y\nprose\n\"\n", text), ElementsAre("1: o>p", "2: a>b"));
  EXPECT_THAT(Read("o,p,q\na,b,\"x, y\nc,d,y\ne,f,z\"\n", text), ElementsAre("1: o>p", "2: a>b"));
}

// A stray quote must not delay the rows of a pipe until the next quote, or until 1 MiB has arrived.
TEST(LineJudgeTest, TheEndOfTheQuotedFieldIsNotWaitedFor) {
  const auto rows_before_the_end = [](std::string_view bytes, const FormatSpec& format) {
    auto made = MakeDecoder(format);
    RowSplitter splitter(RowSyntax::kCsv);
    splitter.set_line_judge(made.value()->line_judge());
    splitter.Feed(bytes);
    std::size_t rows = 0;
    while (splitter.Next()) ++rows;
    return rows;
  };
  const FormatSpec timed = FirstColumns(Mapped::kSourceTargetTime);
  const FormatSpec text = FirstColumns(Mapped::kSourceTarget);
  EXPECT_EQ(rows_before_the_end("\"a,b,1\n", timed), 1u);
  EXPECT_EQ(rows_before_the_end("a,b,1,\"x\n", timed), 0u);
  EXPECT_EQ(rows_before_the_end("a,b,1,\"x\nc,d,2,y\n", timed), 2u);
  EXPECT_EQ(rows_before_the_end("a,b,\"x\nc,d,y\ne,f,z\n", text), 0u);
  EXPECT_EQ(rows_before_the_end("a,b,\"x\nc,d,y\ne,f,z\ng,h,i\n", text), 4u);
}

TEST(LineJudgeTest, RecordsWithoutLineBreaksHaveNoJudge) {
  FormatSpec json;
  json.mapping =
      JsonMapping{.source = "/a", .target = "/b", .weight = {}, .time = "/t", .operation = {}};
  EXPECT_EQ(MakeDecoder(json).value()->line_judge(), nullptr);
  EXPECT_EQ(MakeDecoder(FirstColumns(Mapped::kSourceTarget, ',', true)).value()->line_judge(),
            nullptr);
}

// The fields of one line as Python's csv module reads them. It accepts every quote.
std::vector<std::string> ForgivingFields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  bool at_start = true;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"') {
      const bool doubled = i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) fields.back() += line[++i];
      quoted = doubled;
    } else if (!quoted && c == ',') {
      fields.emplace_back();
      at_start = true;
      continue;
    } else if (at_start && c == '"') {
      quoted = true;
    } else {
      fields.back() += c;
    }
    at_start = false;
  }
  return fields;
}

std::string RandomRow(std::mt19937& random, int number) {
  std::string row = "s" + std::to_string(number) + ",t" + std::to_string(random() % 9) + "," +
                    std::to_string(1000 + number) + ",note";
  for (auto quotes = random() % 4 == 0 ? 1 + random() % 3 : 0; quotes > 0; --quotes) {
    row.insert(random() % 3 == 0 ? row.rfind(',') + 1 : random() % (row.size() + 1), "\"");
  }
  return row;
}

TEST(LineJudgeTest, EveryLineIsAnEdgeOrARefusalWhereverQuotesAre) {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<std::string> lines;
    std::string file;
    for (int i = 0; i < 30; ++i) {
      lines.push_back(RandomRow(random, i));
      file += lines.back() + (random() % 4 == 0 ? "\r\n" : "\n");
    }
    const auto rows = Read(file, FirstColumns(Mapped::kSourceTargetTime));
    for (const std::size_t block : {1u, 7u, 64u}) {
      EXPECT_EQ(Read(file, FirstColumns(Mapped::kSourceTargetTime), block), rows);
    }
    ASSERT_EQ(rows.size(), lines.size()) << file;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (rows[i].ends_with(": -")) {
        EXPECT_NE(lines[i].find('"'), std::string::npos) << lines[i];
        continue;
      }
      const auto fields = ForgivingFields(lines[i]);
      ASSERT_EQ(fields.size(), 4u) << lines[i];
      EXPECT_EQ(rows[i], std::to_string(i + 1) + ": " + fields[0] + ">" + fields[1]);
    }
  }
}

}  // namespace
}  // namespace sash
