#include "connectors/sinks/file_trail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ScratchFolder;

class FileTrailTest : public ::testing::Test {
 protected:
  const ScratchFolder folder_;
  const std::string path_ = folder_.File("results.jsonl");
};

TEST_F(FileTrailTest, TrailIsReadAsItWasWritten) {
  FileTrail trail = FileTrail::Read(path_).value();
  EXPECT_FALSE(trail.file().has_value());
  const FileMark file{.device = 1, .inode = 2, .born = 3};
  ASSERT_TRUE(trail.Follow(file, {"a", "b c"}).ok());
  const Result<FileTrail> again = FileTrail::Read(path_);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value().file(), file);
  EXPECT_THAT(again.value().moved(), ElementsAre("a", "b c"));
}

TEST_F(FileTrailTest, ForeignFileIsNotUsed) {
  std::ofstream(FileTrail::PathFor(path_)) << "my notes\n";
  const Result<FileTrail> trail = FileTrail::Read(path_);
  ASSERT_FALSE(trail.ok());
  EXPECT_EQ(trail.error().code, ErrorCode::kCorruption);
}

// Opening it must not wait for a writer.
TEST_F(FileTrailTest, PipeIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(FileTrail::PathFor(path_).c_str(), 0600), 0);
  const Result<FileTrail> trail = FileTrail::Read(path_);
  ASSERT_FALSE(trail.ok());
  EXPECT_THAT(trail.error().message, HasSubstr("it is a pipe, and only regular files are read"));
}

}  // namespace
}  // namespace sash
