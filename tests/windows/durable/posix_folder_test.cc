#include "windows/durable/posix_folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "windows/durable/sectioned_file.h"

namespace sash {
namespace {

class PosixFolderTest : public ::testing::Test {
 protected:
  PosixFolderTest() {
    std::string pattern = ::testing::TempDir() + "sash-folder-XXXXXX";
    path = ::mkdtemp(pattern.data());
  }
  ~PosixFolderTest() override { std::filesystem::remove_all(path); }
  std::string path;
};

TEST_F(PosixFolderTest, WhatIsWrittenIsReadListedRenamedAndRemoved) {
  auto folder = PosixFolder::Open(path + "/state").value();
  {
    auto file = folder->Create("b").value();
    ASSERT_TRUE(file->Append("some").ok());
    ASSERT_TRUE(file->Append(" bytes").ok());
    ASSERT_TRUE(file->Sync().ok());
  }
  ASSERT_TRUE(folder->Create("a").ok());
  EXPECT_EQ(folder->Read("b").value(), "some bytes");
  EXPECT_EQ(folder->List().value(), (std::vector<std::string>{"a", "b"}));
  ASSERT_TRUE(folder->Rename("b", "a").ok());
  ASSERT_TRUE(folder->Sync().ok());
  EXPECT_EQ(folder->Read("a").value(), "some bytes");
  ASSERT_TRUE(folder->Remove("a").ok());
  EXPECT_TRUE(folder->List().value().empty());
}

TEST_F(PosixFolderTest, AnotherWriterIsRefusedAndAReaderIsNot) {
  const auto folder = PosixFolder::Open(path).value();
  const auto second = PosixFolder::Open(path);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kOverloaded);
  EXPECT_TRUE(PosixFolder::OpenToRead(path).ok());
}

TEST_F(PosixFolderTest, ErrorsNameTheFileAndTheReason) {
  const auto folder = PosixFolder::Open(path).value();
  const auto missing = folder->Read("missing");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message, "open " + path + "/missing: No such file or directory");
  EXPECT_FALSE(folder->Remove("missing").ok());
  EXPECT_FALSE(folder->Rename("missing", "other").ok());
  EXPECT_FALSE(PosixFolder::Open(path + "/no/such").ok());
  EXPECT_FALSE(PosixFolder::OpenToRead(path + "/missing").ok());
}

TEST_F(PosixFolderTest, AFileThatMayNotGrowIsAnError) {
  const auto folder = PosixFolder::Open(path).value();
  const std::vector<FileSection> sections = {{1, std::string(1 << 16, 'x')}};
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1 << 12, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = SectionedFile::Write(*folder, "large", FileKind::kSlice, sections);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(written.error().message, "write " + path + "/large: File too large");
  // Later it fits.
  const auto again = SectionedFile::Write(*folder, "large", FileKind::kSlice, sections);
  ASSERT_TRUE(again.ok());
  const auto file = SectionedFile::Parse(folder->Read("large").value(), FileKind::kSlice);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().stamp(), again.value());
}

}  // namespace
}  // namespace sash
