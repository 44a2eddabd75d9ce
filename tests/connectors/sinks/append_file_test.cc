#include "connectors/sinks/append_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::Contents;
using ::testing::HasSubstr;
using testing::ScratchFolder;
using testing::Write;

TEST(AppendFileTest, NamesTheFolderThatIsMissing) {
  const ScratchFolder folder;
  const Result<AppendFile> file = AppendFile::Open(folder.File("no/results.jsonl"));
  ASSERT_FALSE(file.ok());
  EXPECT_THAT(file.error().message,
              HasSubstr("the folder " + folder.File("no") + " does not exist"));
}

TEST(AppendFileTest, RefusesAFolder) {
  const ScratchFolder folder;
  const Result<AppendFile> file = AppendFile::Open(folder.File(""));
  ASSERT_FALSE(file.ok());
  EXPECT_THAT(file.error().message, HasSubstr("this is a folder"));
}

TEST(AppendFileTest, RefusesAFileThatAnotherWrites) {
  const ScratchFolder folder;
  const Result<AppendFile> first = AppendFile::Open(folder.File("x"));
  ASSERT_TRUE(first.ok());
  const Result<AppendFile> second = AppendFile::Open(folder.File("x"));
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message, HasSubstr("another sink or process"));
}

TEST(AppendFileTest, KnowsWhatBecameOfItsFile) {
  const ScratchFolder folder;
  const std::string path = folder.File("x");
  Result<AppendFile> file = AppendFile::Open(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().place(), FilePlace::kThere);
  EXPECT_EQ(file.value().mark(), MarkOfFile(path));
  std::filesystem::rename(path, folder.File("y"));
  EXPECT_EQ(file.value().place(), FilePlace::kMoved);
  EXPECT_EQ(file.value().mark(), MarkOfFile(folder.File("y")));
  Write(path, "another");
  EXPECT_EQ(file.value().place(), FilePlace::kMoved);
  EXPECT_NE(file.value().mark(), MarkOfFile(path));
  std::filesystem::remove(folder.File("y"));
  EXPECT_EQ(file.value().place(), FilePlace::kDeleted);
}

TEST(AppendFileTest, CutsOffALineThatDidNotFit) {
  const ScratchFolder folder;
  Result<AppendFile> opened = AppendFile::Open(folder.File("x"));
  ASSERT_TRUE(opened.ok());
  AppendFile& file = opened.value();
  ASSERT_TRUE(file.Append("first\n").ok());
  // A limit on the size of files interrupts a write in the middle, like a full disk.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Status torn = file.Append("second\n");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  ASSERT_FALSE(torn.ok());
  EXPECT_EQ(Contents(folder.File("x")), "first\n");
  ASSERT_TRUE(file.Append("third\n").ok());
  EXPECT_EQ(Contents(folder.File("x")), "first\nthird\n");
}

TEST(AppendFileTest, APipeWithoutReaderIsAnErrorAndNoSignal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Result<AppendFile> pipe = AppendFile::Over(ends[1], "pipe");
  ASSERT_TRUE(pipe.ok());
  EXPECT_TRUE(pipe.value().Append("line\n").ok());
  ::close(ends[0]);
  EXPECT_FALSE(pipe.value().Append("line\n").ok());
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
  ::close(ends[1]);
}

TEST(AppendFileTest, AFullPipeFinishesTheLineItBegan) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  Result<AppendFile> pipe = AppendFile::Over(ends[1], "pipe");
  ASSERT_TRUE(pipe.ok());
  const std::string longer = std::string(100'000, 'x') + "\n";  // longer than a pipe's buffer
  EXPECT_TRUE(pipe.value().Append(longer).ok());                // taken, but partly unfinished
  EXPECT_FALSE(pipe.value().Append("next\n").ok());
  std::string read;
  const auto drain = [&] {
    std::vector<char> chunk(1 << 16);
    for (ssize_t count; (count = ::read(ends[0], chunk.data(), chunk.size())) > 0;) {
      read.append(chunk.data(), static_cast<std::size_t>(count));
    }
  };
  drain();
  EXPECT_TRUE(pipe.value().Append("next\n").ok());
  drain();
  EXPECT_EQ(read, longer + "next\n");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(AppendFileTest, ANamedPipeWithoutReaderIsRefusedAtOnce) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo(folder.File("pipe").c_str(), 0600), 0);
  const Result<AppendFile> pipe = AppendFile::Open(folder.File("pipe"));
  ASSERT_FALSE(pipe.ok());
  EXPECT_THAT(pipe.error().message, HasSubstr("no process reads from this pipe"));
}

}  // namespace
}  // namespace sash
