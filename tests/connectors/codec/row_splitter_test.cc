#include "connectors/codec/row_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "connectors/codec/decoder.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct OwnedRow {
  std::string text;
  std::uint64_t line = 0;
  bool too_large = false;
  friend bool operator==(const OwnedRow&, const OwnedRow&) = default;
};

void Drain(RowSplitter& splitter, std::vector<OwnedRow>& rows) {
  while (const auto row = splitter.Next()) {
    rows.push_back({std::string(row->text), row->line, row->too_large});
  }
}

std::vector<OwnedRow> Split(std::string_view bytes, RowSyntax syntax,
                            std::size_t block = SIZE_MAX) {
  RowSplitter splitter(syntax);
  std::vector<OwnedRow> rows;
  for (std::size_t at = 0; at < bytes.size(); at += std::min(block, bytes.size() - at)) {
    splitter.Feed(bytes.substr(at, block));
    Drain(splitter, rows);
  }
  splitter.Finish();
  Drain(splitter, rows);
  return rows;
}

std::vector<std::string> Texts(std::string_view bytes, RowSyntax syntax = RowSyntax::kCsv) {
  std::vector<std::string> texts;
  for (const OwnedRow& row : Split(bytes, syntax)) texts.push_back(row.text);
  return texts;
}

TEST(RowSplitterTest, LinesEndWithLfCrLfOrTheFile) {
  for (const RowSyntax syntax : {RowSyntax::kLines, RowSyntax::kCsv}) {
    EXPECT_THAT(Texts("a\nb\r\nc", syntax), ElementsAre("a", "b", "c"));
    EXPECT_THAT(Texts("a\nb\n", syntax), ElementsAre("a", "b"));
    EXPECT_THAT(Texts("a\r", syntax), ElementsAre("a"));
    EXPECT_THAT(Texts("", syntax), IsEmpty());
  }
}

TEST(RowSplitterTest, BlankLinesAreNoRows) {
  EXPECT_THAT(Texts("\n\r\na\n\n\r\n\nb\n\n"), ElementsAre("a", "b"));
  EXPECT_THAT(Texts("a\n \t\r\nb", RowSyntax::kLines), ElementsAre("a", "b"));
  EXPECT_THAT(Texts("a\n \nb"), ElementsAre("a", " ", "b"));
}

TEST(RowSplitterTest, SkipsAByteOrderMarkAtTheStartOnly) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_THAT(Texts(mark + "a\n" + mark + "b"), ElementsAre("a", mark + "b"));
  EXPECT_THAT(Texts("\xEF\xBB\xBF\"a\nb\""), ElementsAre("\"a\nb\""));
  EXPECT_THAT(Texts("\xEF\xBB"), ElementsAre("\xEF\xBB"));
  EXPECT_THAT(Texts("\xEF\xBB\xBF"), IsEmpty());
}

TEST(RowSplitterTest, QuotedFieldsHoldLineBreaks) {
  EXPECT_THAT(Texts("a,\"b\nc\"\r\n\"d\r\n\r\n\",e\nf"),
              ElementsAre("a,\"b\nc\"", "\"d\r\n\r\n\",e", "f"));
  EXPECT_THAT(Texts("\"a\"\"\n\"\"b\",\"\"\nc"), ElementsAre("\"a\"\"\n\"\"b\",\"\"", "c"));
  EXPECT_THAT(Texts("{\"a\n\"}", RowSyntax::kLines), ElementsAre("{\"a", "\"}"));
}

TEST(RowSplitterTest, AStrayQuoteCostsOneRow) {
  EXPECT_THAT(Texts("a,\"b,1\nc,d,1\ne,f,1\n"), ElementsAre("a,\"b,1", "c,d,1", "e,f,1"));
  EXPECT_THAT(Texts("a,\"b,1\nc,d,1\ne,\"f\",1\n"), ElementsAre("a,\"b,1", "c,d,1", "e,\"f\",1"));
  EXPECT_THAT(Texts("a,b\",1\nc,d,1"), ElementsAre("a,b\",1", "c,d,1"));
  EXPECT_THAT(Texts("\"a\"b,1\nc,d,1"), ElementsAre("\"a\"b,1", "c,d,1"));
  EXPECT_THAT(Texts("\"a\"\rb\nc"), ElementsAre("\"a\"\rb", "c"));
  EXPECT_THAT(Texts("\"a\nb\"c\nd"), ElementsAre("\"a", "b\"c", "d"));
}

TEST(RowSplitterTest, AQuoteThatIsNeverClosedCostsOneRow) {
  std::string file = "a,\"b\n";
  for (int i = 0; i < 300'000; ++i) file += "c,d," + std::to_string(i) + "\n";
  const auto rows = Split(file, RowSyntax::kCsv, 1 << 16);
  ASSERT_EQ(rows.size(), 300'001u);
  EXPECT_EQ(rows[0].text, "a,\"b");
  EXPECT_FALSE(rows[0].too_large);
  EXPECT_EQ(rows.back().text, "c,d,299999");
  EXPECT_EQ(rows.back().line, 300'001u);
}

TEST(RowSplitterTest, AnOverlongLineIsOneRowThatShowsItsBeginning) {
  for (const RowSyntax syntax : {RowSyntax::kLines, RowSyntax::kCsv}) {
    const std::string file = "a\n" + std::string(3 * kMaxRecordBytes, 'x') + "\nb";
    const auto rows = Split(file, syntax, 100'000);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1], (OwnedRow{std::string(kMaxRecordBytes, 'x'), 2, true}));
    EXPECT_EQ(rows[2], (OwnedRow{"b", 3, false}));
  }
}

TEST(RowSplitterTest, TheLimitDoesNotCountTheLineBreak) {
  const std::string longest(kMaxRecordBytes, 'x');
  for (const char* end : {"\n", "\r\n", ""}) {
    for (const std::size_t block : {std::size_t{65'537}, kMaxRecordBytes + 1, SIZE_MAX}) {
      EXPECT_THAT(Split(longest + end, RowSyntax::kCsv, block),
                  ElementsAre(OwnedRow{longest, 1, false}));
      EXPECT_THAT(Split(longest + "x" + end, RowSyntax::kCsv, block),
                  ElementsAre(OwnedRow{longest, 1, true}));
    }
  }
}

TEST(RowSplitterTest, LinesAreCountedThroughBlankLinesAndQuotedFields) {
  const auto rows = Split("\na\n\"b\nc\"\n\nd\n\"e\nf", RowSyntax::kCsv);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].line, 2u);
  EXPECT_EQ(rows[1].line, 3u);
  EXPECT_EQ(rows[2].line, 6u);
  EXPECT_EQ(rows[3], (OwnedRow{"\"e", 7, false}));
  EXPECT_EQ(rows[4], (OwnedRow{"f", 8, false}));
}

TEST(RowSplitterTest, ARowOfSeveralLinesCanBeCutToItsFirst) {
  RowSplitter splitter(RowSyntax::kCsv);
  splitter.Feed("x,\"\r\na,b\n\ny,\"\nc\n");
  splitter.Finish();
  const auto row = splitter.Next();
  ASSERT_TRUE(row && row->several_lines);
  EXPECT_EQ(row->text, "x,\"\r\na,b\n\ny,\"");
  const Row first = splitter.CutToFirstLine();
  EXPECT_EQ(first.text, "x,\"");
  EXPECT_EQ(first.line, 1u);
  EXPECT_FALSE(first.several_lines);
  std::vector<OwnedRow> rest;
  Drain(splitter, rest);
  EXPECT_THAT(rest, ElementsAre(OwnedRow{"a,b", 2, false}, OwnedRow{"y,\"", 4, false},
                                OwnedRow{"c", 5, false}));
}

TEST(RowSplitterTest, RowsDoNotDependOnTheBlocks) {
  constexpr std::string_view kAlphabet = "ab,,\"\"\n\n\r\xEF\xBB\xBF ";
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::string bytes(random() % 60, ' ');
    for (char& c : bytes) c = kAlphabet[random() % kAlphabet.size()];
    for (const RowSyntax syntax : {RowSyntax::kLines, RowSyntax::kCsv}) {
      const auto whole = Split(bytes, syntax);
      for (const std::size_t block : {1u, 2u, 3u, 7u, 20u}) {
        EXPECT_EQ(Split(bytes, syntax, block), whole) << block;
      }
    }
  }
}

TEST(RowSplitterTest, OverlongRowsDoNotDependOnTheBlocks) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(testing::Rounds(12)); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::string bytes;
    for (int piece = 0; piece < 8; ++piece) {
      const std::size_t size = kMaxRecordBytes / (1 + random() % 4) + random() % 3;
      bytes += std::string(random() % 2, '"') + std::string(size, 'x');
      bytes += std::array{"\n", "\r\n", "\"\n", ",\"\n", "\"", ""}[random() % 6];
    }
    const auto whole = Split(bytes, RowSyntax::kCsv);
    for (const std::size_t block : {std::size_t{100'003}, kMaxRecordBytes, kMaxRecordBytes + 2}) {
      EXPECT_TRUE(Split(bytes, RowSyntax::kCsv, block) == whole) << block;
    }
  }
}

// The rows with their lines, with a comment and lines to skip, in blocks of this size.
std::vector<std::string> SplitWithout(std::string_view bytes, const std::string& comment,
                                      std::uint64_t skipped, std::size_t block,
                                      RowSyntax syntax = RowSyntax::kCsv) {
  RowSplitter splitter(syntax);
  splitter.set_comment(comment);
  splitter.SkipLines(skipped);
  std::vector<OwnedRow> rows;
  for (std::size_t at = 0; at < bytes.size(); at += std::min(block, bytes.size() - at)) {
    splitter.Feed(bytes.substr(at, block));
    Drain(splitter, rows);
  }
  splitter.Finish();
  Drain(splitter, rows);
  std::vector<std::string> texts;
  for (const OwnedRow& row : rows) {
    texts.push_back(std::to_string(row.line) + (row.too_large ? " large" : " " + row.text));
  }
  return texts;
}

TEST(RowSplitterTest, SkipsCommentsBetweenRows) {
  for (const std::size_t block : {1, 2, 3, 100}) {
    EXPECT_THAT(SplitWithout("# a\nb\n\n#\"\n#c\r\nd # e\n\"f\n# g\"\n # h\n#", "#", 0, block),
                ElementsAre("2 b", "6 d # e", "7 \"f\n# g\"", "9  # h"));
    EXPECT_THAT(SplitWithout("//a\n/b\n//", "//", 0, block), ElementsAre("2 /b"));
    EXPECT_THAT(SplitWithout("a\n/", "//", 0, block), ElementsAre("1 a", "2 /"));
    EXPECT_THAT(SplitWithout("\xEF\xBB\xBF%a\nb", "%", 0, block), ElementsAre("2 b"));
  }
}

TEST(RowSplitterTest, SkipsTheFirstLinesWhateverTheyContain) {
  for (const std::size_t block : {1, 2, 3, 100}) {
    EXPECT_THAT(SplitWithout("\xEF\xBB\xBF\"a\n\n# b\nc\nd", "#", 3, block),
                ElementsAre("4 c", "5 d"));
    EXPECT_THAT(SplitWithout("a\nb", "", 1, block), ElementsAre("2 b"));
    EXPECT_THAT(SplitWithout("a\nb", "", 2, block), IsEmpty());
    EXPECT_THAT(SplitWithout("a\n", "", 5, block), IsEmpty());
  }
}

TEST(RowSplitterTest, LongCommentsAndSkippedLinesAreNotKept) {
  const std::string longer(3 * kMaxRecordBytes, 'x');
  const std::string bytes = longer + "\n#" + longer + "\na\n" + longer + "\nb";
  EXPECT_THAT(SplitWithout(bytes, "#", 1, 1 << 16), ElementsAre("3 a", "4 large", "5 b"));
}

TEST(RowSplitterTest, OfUnquotedRowsOnlyEmptyLinesAreBlank) {
  EXPECT_THAT(Texts("\"a\n\n \t\nb\"\r\n", RowSyntax::kUnquotedRows),
              ElementsAre("\"a", " \t", "b\""));
}

}  // namespace
}  // namespace sash
