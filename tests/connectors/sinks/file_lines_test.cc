#include "connectors/sinks/file_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::Contents;
using ::testing::HasSubstr;
using testing::ScratchFolder;
using testing::Write;

TEST(FileLinesTest, EmptiesOnlyWhatBeginsLikeItsOwn) {
  const ScratchFolder folder;
  const auto is_ours = [](std::string_view line) { return line == R"({"a":0})"; };
  for (const std::string ours : {"", "{\"a\":0}\n", "{\"a\":0}\nnotes\n", "{\"a", "{\"a\":12"}) {
    Write(folder.File("x"), ours);
    Result<AppendFile> file = AppendFile::Open(folder.File("x"));
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(EmptyIfOurs(file.value(), "{\"a\":", is_ours).ok()) << ours;
    EXPECT_EQ(Contents(folder.File("x")), "");
  }
  for (const std::string& theirs :
       {std::string("\n"), std::string("{}\n"), std::string("{\"a\":0} \n"), std::string("notes"),
        std::string(100'000, 'x'), std::string(10, '\0')}) {
    Write(folder.File("x"), theirs);
    Result<AppendFile> file = AppendFile::Open(folder.File("x"));
    ASSERT_TRUE(file.ok());
    const Status emptied = EmptyIfOurs(file.value(), "{\"a\":", is_ours);
    ASSERT_FALSE(emptied.ok()) << theirs.substr(0, 20);
    EXPECT_THAT(emptied.error().message, HasSubstr("move the file away or name another"));
    EXPECT_EQ(Contents(folder.File("x")), theirs);
  }
}

TEST(FileLinesTest, CutsATornLineThatIsItsOwn) {
  const ScratchFolder folder;
  for (const std::string tail : {"{\"a\":1", "{", "{\"a\":1,\"b\":\"long\"", "\0\0\0"}) {
    Write(folder.File("x"), "{\"a\":0}\n" + tail);
    Result<AppendFile> file = AppendFile::Open(folder.File("x"));
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(CutTornLine(file.value(), "{\"a\":").ok());
    EXPECT_EQ(Contents(folder.File("x")), "{\"a\":0}\n");
  }
}

TEST(FileLinesTest, CutsATornLineLongerThanItReadsAtOnce) {
  const ScratchFolder folder;
  Write(folder.File("x"), "{\"a\":0}\n{\"a\":\"" + std::string(200'000, 'x'));
  Result<AppendFile> file = AppendFile::Open(folder.File("x"));
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(CutTornLine(file.value(), "{\"a\":").ok());
  EXPECT_EQ(Contents(folder.File("x")), "{\"a\":0}\n");
}

TEST(FileLinesTest, LeavesALastLineOfAnotherAlone) {
  const ScratchFolder folder;
  Write(folder.File("x"), "precious notes without an end of line");
  Result<AppendFile> file = AppendFile::Open(folder.File("x"));
  ASSERT_TRUE(file.ok());
  const Status cut = CutTornLine(file.value(), "{\"a\":");
  ASSERT_FALSE(cut.ok());
  EXPECT_THAT(cut.error().message, HasSubstr("was not written by sash"));
  EXPECT_EQ(Contents(folder.File("x")), "precious notes without an end of line");
}

}  // namespace
}  // namespace sash
