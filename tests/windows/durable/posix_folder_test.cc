#include "windows/durable/posix_folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"
#include "windows/durable/journal.h"
#include "windows/durable/journal_file.h"
#include "windows/durable/sectioned_file.h"

namespace sash {
namespace {

class PosixFolderTest : public ::testing::Test {
 protected:
  const testing::ScratchFolder own;
  const std::string path = own.path().string();
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

bool SaysAnotherProcess(const Status& status) {
  return !status.ok() && status.error().code == ErrorCode::kUnavailable &&
         status.error().message.find(": another process has moved") != std::string::npos;
}

TEST_F(PosixFolderTest, AFileThatAnotherProcessTookAwayTakesNoBytes) {
  const auto folder = PosixFolder::Open(path).value();
  for (const char* how : {"deleted", "moved", "replaced"}) {
    auto file = folder->Create("file").value();
    ASSERT_TRUE(file->Append("some bytes").ok());
    if (how == std::string("deleted")) std::filesystem::remove(path + "/file");
    if (how != std::string("deleted")) std::filesystem::rename(path + "/file", path + "/old");
    if (how == std::string("replaced")) std::filesystem::copy(path + "/old", path + "/file");
    EXPECT_TRUE(SaysAnotherProcess(file->Sync())) << how;
    EXPECT_TRUE(SaysAnotherProcess(file->Append("more"))) << how;
  }
  const auto size = folder->Size("file");
  ASSERT_TRUE(size.ok()) << size.error().message;
  EXPECT_EQ(size.value(), 10u);
  EXPECT_EQ(folder->Size("missing").error().code, ErrorCode::kNotFound);
}

TEST_F(PosixFolderTest, NothingIsChangedInAFolderThatAnotherProcessTookAway) {
  const std::string place = path + "/state";
  const auto folder = PosixFolder::Open(place).value();
  auto file = folder->Create("old").value();
  const auto expect_refusals = [&](const char* how) {
    const auto created = folder->Create("new");
    ASSERT_FALSE(created.ok()) << how;
    EXPECT_TRUE(created.error().message.ends_with(
        "/new: another process has moved, deleted or replaced the folder " + place +
        "; put it back, or restart sashd"))
        << created.error().message;
    EXPECT_TRUE(SaysAnotherProcess(file->Append("x"))) << how;
    EXPECT_TRUE(SaysAnotherProcess(folder->Rename("old", "new"))) << how;
    EXPECT_TRUE(SaysAnotherProcess(folder->Remove("old"))) << how;
    EXPECT_TRUE(SaysAnotherProcess(folder->Sync())) << how;
  };
  std::filesystem::rename(place, path + "/backup");
  expect_refusals("moved");
  std::filesystem::create_directory(place);
  expect_refusals("replaced");
  EXPECT_TRUE(std::filesystem::exists(path + "/backup/old"));
  EXPECT_FALSE(std::filesystem::exists(path + "/backup/new"));
  EXPECT_TRUE(std::filesystem::is_empty(place));
  std::filesystem::remove(place);
  std::filesystem::rename(path + "/backup", place);
  EXPECT_TRUE(folder->Create("new").ok()) << "it is back";
  EXPECT_TRUE(folder->Sync().ok());
  std::filesystem::remove_all(place);
  expect_refusals("deleted");
}

// Otherwise rounds would go to a file that no restart finds.
TEST_F(PosixFolderTest, AJournalThatAnotherProcessDeletedIsReportedAndBegunAgainWithTheNextState) {
  const auto folder = PosixFolder::Open(path).value();
  const RoundOutline round{
      .at = {}, .has_batch = false, .caught_up = false, .items = {}, .times = {}};
  Journal journal(*folder);
  journal.Begin(0, {}, {}, {{"edges", 0}});
  const std::uint64_t first = journal.Turn({});
  journal.Note(round);
  journal.Write();
  ASSERT_FALSE(journal.failure());
  std::filesystem::remove(path + "/" + JournalFileName(first));
  journal.Note(round);
  journal.Write();
  ASSERT_TRUE(journal.failure());
  EXPECT_EQ(*journal.failure(), "write " + path + "/" + JournalFileName(first) +
                                    ": another process has moved or deleted this file");
  const std::uint64_t second = journal.Turn({});
  EXPECT_FALSE(journal.failure());
  for (int i = 0; i < 3; ++i) journal.Note(round);
  journal.Write();
  const auto read = ReadJournal(*folder, second);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().rounds.size(), 3u);
}

TEST_F(PosixFolderTest, APipeInThePlaceOfAFileHoldsNobody) {
  const auto folder = PosixFolder::Open(path).value();
  ASSERT_EQ(::mkfifo((path + "/pipe").c_str(), 0600), 0);
  const auto read = folder->Read("pipe");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kCorruption);
  EXPECT_EQ(read.error().message, "read " + path + "/pipe: it is not a regular file; remove it");
  EXPECT_FALSE(folder->Create("pipe").ok());
  ASSERT_EQ(::mkdir((path + "/folder").c_str(), 0700), 0);
  EXPECT_FALSE(folder->Read("folder").ok());
  EXPECT_FALSE(folder->Create("folder").ok());
}

TEST_F(PosixFolderTest, ALinkToItselfInThePlaceOfAFileIsDamage) {
  const auto folder = PosixFolder::Open(path).value();
  ASSERT_EQ(::symlink("loop", (path + "/loop").c_str()), 0);
  const auto read = folder->Read("loop");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kCorruption);
  EXPECT_EQ(read.error().message, "open " + path + "/loop: it is not a regular file; remove it");
  const auto size = folder->Size("loop");
  ASSERT_FALSE(size.ok());
  EXPECT_EQ(size.error().code, ErrorCode::kCorruption);
}

// More bytes than any memory has.
constexpr std::uintmax_t kVast = std::uintmax_t{1} << 42;

TEST_F(PosixFolderTest, AFileThatIsLongerThanItsHeadSaysTakesNoMemory) {
  const auto folder = PosixFolder::Open(path).value();
  const std::vector<FileSection> sections = {{1, "some bytes"}};
  const auto stamp = SectionedFile::Write(*folder, "manifest", FileKind::kManifest, sections);
  ASSERT_TRUE(SectionedFile::Read(*folder, "manifest", FileKind::kManifest).ok());
  const auto wanted =
      SectionedFile::Read(*folder, "manifest", FileKind::kManifest, stamp.value().bytes + 8);
  ASSERT_FALSE(wanted.ok()) << "its size is not the expected one";
  EXPECT_NE(wanted.error().message.find("but should have"), std::string::npos);
  std::filesystem::resize_file(path + "/manifest", kVast);
  const auto read = SectionedFile::Read(*folder, "manifest", FileKind::kManifest);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kCorruption);
  EXPECT_EQ(read.error().message, path + "/manifest: byte " + std::to_string(stamp.value().bytes) +
                                      ": the file has " + std::to_string(kVast) +
                                      " bytes, but should have " +
                                      std::to_string(stamp.value().bytes));
}

TEST_F(PosixFolderTest, AJournalIsReadAsFarAsItsEntriesGo) {
  const auto folder = PosixFolder::Open(path).value();
  RoundOutline round;
  round.items.push_back({.kind = RoundOutline::ItemKind::kEvents, .offset = 7, .count = 1});
  round.times.assign(1 << 18, EventTime());  // 2 MiB
  round.items.front().count = round.times.size();
  {
    const auto file = folder->Create(JournalFileName(1)).value();
    JournalHead head;
    head.number = head.after = head.state = 1;
    head.partitions = {{"t", 0}};
    ASSERT_TRUE(file->Append(EncodeHead(head)).ok());
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(file->Append(EncodeRound(round)).ok());
  }
  EXPECT_EQ(ReadJournal(*folder, 1).value().rounds.size(), 3u);
  std::filesystem::resize_file(path + "/" + JournalFileName(1), kVast);
  EXPECT_EQ(ReadJournal(*folder, 1).value().rounds.size(), 3u);
  ASSERT_EQ(::mkfifo((path + "/" + JournalFileName(2)).c_str(), 0600), 0);
  const auto with_pipe = ReadJournal(*folder, 1);
  ASSERT_TRUE(with_pipe.ok());
  EXPECT_EQ(with_pipe.value().rounds.size(), 3u);
  EXPECT_NE(with_pipe.value().remark.find("not a regular file"), std::string::npos);
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
  // Later there is enough room.
  const auto again = SectionedFile::Write(*folder, "large", FileKind::kSlice, sections);
  ASSERT_TRUE(again.ok());
  const auto file = SectionedFile::Parse(folder->Read("large").value(), FileKind::kSlice);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().stamp(), again.value());
}

}  // namespace
}  // namespace sash
