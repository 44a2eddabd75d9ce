#include "connectors/replay/replay_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/connectors/replay/compressed.h"
#include "tests/connectors/replay/replaying.h"

namespace sash {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class ReplayFilesTest : public Replaying {
 protected:
  std::string WhyNot(const std::vector<std::string>& paths) const {
    const auto files = FilesOf(paths);
    return files.ok() ? "" : files.error().message;
  }
};

TEST_F(ReplayFilesTest, APatternNamesFilesInTheOrderOfTheirBytes) {
  for (const char* name : {"b10", "b9", "B1", "\xC3\xA4", "a", "[x]"}) File(name, "");
  EXPECT_THAT(FilesOf({Path("b9"), Path("[a-zB]*1*"), Path("[x]")}).value(),
              ElementsAre(Path("b9"), Path("B1"), Path("b10"), Path("[x]")));
  EXPECT_THAT(
      FilesOf({Path("?*")}).value(),
      ElementsAre(Path("B1"), Path("[x]"), Path("a"), Path("b10"), Path("b9"), Path("\xC3\xA4")));
  EXPECT_THAT(FilesOf({"-"}).value(), ElementsAre("-"));
}

TEST_F(ReplayFilesTest, SaysWhichPathIsWrong) {
  File("a", "");
  EXPECT_THAT(WhyNot({Path("a"), Path("*.gz")}),
              HasSubstr("`" + Path("*.gz") + "` matches no file"));
  EXPECT_THAT(WhyNot({Path("?"), Path("a")}),
              HasSubstr("named twice, by `" + Path("?") + "` and by `" + Path("a") + "`"));
}

TEST_F(ReplayFilesTest, SeveralFilesAreOnePartition) {
  ReplaySpec spec;
  spec.paths = {File("1", "from,to,ts\na,b,1\n\nx,y"), File("2", Gzipped("ts,to,from\n2,d,c")),
                File("3", ""), File("4", "\xEF\xBB\xBFts,to,from,more\n3,f,e,\n5,z\n4,h,g,\n")};
  Start(spec, NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "2:c>d", "3:e>f", "5:g>h"));
  EXPECT_THAT(arrived_.refused_offsets, ElementsAre(1, 4));
  EXPECT_EQ(arrived_.starts, 1u);
  const auto kept = refusals_.kept();
  EXPECT_EQ(kept[0].detail, Path("1") + ": line 4: the row has 2 fields where 3 are expected");
  EXPECT_EQ(kept[1].detail, Path("4") + ": line 3: the row has 2 fields where 4 are expected");
  EXPECT_EQ(source_->status().records, 6u);
  EXPECT_EQ(source_->status().address, Path("1") + " and 3 more");
}

TEST_F(ReplayFilesTest, DoubtfulTimesOfAllFilesAreCounted) {
  FormatSpec format = NamedCsv();
  format.time_unit = TimeUnit::kFormat;
  format.time_format = "%F %R";
  format.time_zone = "Europe/Berlin";
  ReplaySpec spec;
  spec.paths = {File("1", "from,to,ts\na,b,2026-03-29 02:30\nb,c,2026-03-29 02:31\n"),
                File("2", "from,to,ts\nc,d,2026-03-29 02:32\nd,e,2026-03-29 03:30\n"),
                File("3", "")};
  Start(spec, format);
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_EQ(arrived_.edges.size(), 4u);
  EXPECT_THAT(source_->status().incidents, Contains(Pair("doubtful_times", 3u)));
}

TEST_F(ReplayFilesTest, TheFirstFileMayBeEmpty) {
  ReplaySpec spec;
  spec.paths = {File("1", ""), File("2", "\n\n"), File("3", "from,to,ts\na,b,1\n")};
  Start(spec, NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b"));
}

TEST_F(ReplayFilesTest, LinesOfEveryFileAreSkipped) {
  FormatSpec format = NamedCsv();
  std::get<CsvMapping>(format.mapping).skip_rows = 1;
  std::get<CsvMapping>(format.mapping).comment = "#";
  ReplaySpec spec;
  spec.paths = {File("1", "title\n#\nfrom,to,ts\na,b,1\n"), File("2", "title\nfrom,to,ts\nc,d,2")};
  Start(spec, format);
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "1:c>d"));
}

TEST_F(ReplayFilesTest, AWrongFileFailsAfterTheRowsBeforeIt) {
  ReplaySpec spec;
  spec.paths = {File("1", "from,to,ts\na,b,1\n"), File("2", "from,too,ts\na,b,1\n")};
  Start(spec, NamedCsv());
  ASSERT_TRUE(PopUntil([&] { return source_->status().failure.has_value(); }));
  EXPECT_THAT(*source_->status().failure,
              HasSubstr(Path("2") + ": line 1: column \"to\" is not in the header"));
}

TEST_F(ReplayFilesTest, AFileThatIsGoneFailsAfterTheRowsBeforeIt) {
  ReplaySpec spec;
  spec.paths = {File("1", "from,to,ts\na,b,1\n"), Path("none")};
  Start(spec, NamedCsv());
  ASSERT_TRUE(PopUntil([&] { return source_->status().failure.has_value(); }));
  EXPECT_EQ(*source_->status().failure,
            Path("none") + ": cannot be opened: No such file or directory");
}

TEST_F(ReplayFilesTest, StopReturnsWhileALaterPipeIsSilent) {
  ReplaySpec spec;
  spec.paths = {File("1", "{\"from\":\"a\",\"to\":\"b\",\"ts\":1}"), Pipe("2")};
  Start(spec, JsonLines());
  ASSERT_TRUE(PopUntil([&] { return arrived_.edges.size() == 1; }));
  source_->Stop();
  EXPECT_EQ(source_->status().failure, std::nullopt);
}

}  // namespace
}  // namespace sash
