#include "connectors/export/snapshot_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "connectors/export/snapshot_shelf.h"
#include "tests/connectors/export/frozen/frozen_reader.h"
#include "tests/support/kept_log.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::NamesIn;
using testing::SharedFolder;

// A reader's shared lock on a snapshot.
OwnedDescriptor LockShared(const std::string& snapshot) {
  OwnedDescriptor file(::open((snapshot + "/snapshot.json").c_str(), O_RDONLY));
  EXPECT_EQ(::flock(file.number(), LOCK_SH), 0);
  return file;
}

class SnapshotFolderTest : public ::testing::Test {
 protected:
  std::unique_ptr<SnapshotFolder> Open() {
    Result<std::unique_ptr<SnapshotFolder>> folder = SnapshotFolder::Open(path_);
    EXPECT_TRUE(folder.ok()) << (folder.ok() ? "" : folder.error().message);
    return std::move(folder).value();
  }
  std::string WhyNot() {
    const auto folder = SnapshotFolder::Open(path_);
    return folder.ok() ? "it opens" : folder.error().message;
  }
  // A whole snapshot with one array.
  SnapshotPlace Make(const SnapshotFolder& folder, const std::string& window,
                     const std::string& name) {
    Result<SnapshotFolder::Begun> begun = folder.Begin(window, name);
    EXPECT_TRUE(begun.ok());
    testing::Write(At(begun.value().place) + "/keys.npy", std::string(5'000, 'x'));
    EXPECT_TRUE(folder.Complete(begun.value(), "{}\n").ok());
    return begun.value().place;
  }
  std::string At(const SnapshotPlace& place) const {
    return path_ + "/" + place.window + "/" + place.name;
  }

  const SharedFolder scratch_;
  const std::string path_ = scratch_.File("export");
};

TEST_F(SnapshotFolderTest, FoldersAndFilesHaveTheirModesWhateverTheUmaskIs) {
  const mode_t before = ::umask(077);
  const SnapshotPlace place = Make(*Open(), "w", "1");
  ::umask(before);
  struct stat about {};
  for (const std::string& folder : {path_, path_ + "/w", At(place)}) {
    ASSERT_EQ(::stat(folder.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777, 0750u) << folder;
  }
  ASSERT_EQ(::stat((At(place) + "/snapshot.json").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
}

TEST_F(SnapshotFolderTest, SharedMemoryIsRecognised) { EXPECT_TRUE(Open()->is_in_memory()); }

TEST_F(SnapshotFolderTest, AFolderThatOthersMayUseIsRefused) {
  std::filesystem::create_directory(path_);
  ::chmod(path_.c_str(), 0770);
  EXPECT_THAT(WhyNot(),
              HasSubstr("its mode is 0770, so others may change or read it; `chmod 0750`"));
  ::chmod(path_.c_str(), 0751);
  EXPECT_THAT(WhyNot(), HasSubstr("its mode is 0751"));
  ::chmod(path_.c_str(), 0700);
  EXPECT_THAT(WhyNot(), HasSubstr("it opens"));
}

TEST_F(SnapshotFolderTest, AFolderOfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  std::filesystem::create_directory(path_);
  ::chmod(path_.c_str(), 0750);
  ASSERT_EQ(::chown(path_.c_str(), 4711, 4711), 0);
  EXPECT_THAT(WhyNot(), HasSubstr("it belongs to the user with id 4711, but sashd runs with id 0"));
}

TEST_F(SnapshotFolderTest, ALinkIsRefused) {
  std::filesystem::create_directory(scratch_.File("elsewhere"));
  std::filesystem::create_directory_symlink(scratch_.File("elsewhere"), path_);
  EXPECT_THAT(WhyNot(), HasSubstr("it is a link or a file"));
}

TEST_F(SnapshotFolderTest, LinksInItAreNotFollowed) {
  const auto folder = Open();
  std::filesystem::create_directory(scratch_.File("elsewhere"));
  std::filesystem::create_directory(scratch_.File("elsewhere") + "/7");
  testing::Write(scratch_.File("elsewhere") + "/7/keys.npy", "x");
  std::filesystem::create_directory_symlink(scratch_.File("elsewhere"), path_ + "/w");
  EXPECT_THAT(folder->List().value(), IsEmpty());
  EXPECT_FALSE(folder->Begin("w", "8").ok());
  EXPECT_FALSE(folder->Remove({"w", "7"}).ok());
  EXPECT_THAT(NamesIn(scratch_.File("elsewhere") + "/7"), ElementsAre("keys.npy"));
}

TEST_F(SnapshotFolderTest, OnlyOneProcessUsesIt) {
  const auto folder = Open();
  EXPECT_THAT(WhyNot(), HasSubstr("another process uses it"));
}

TEST_F(SnapshotFolderTest, AMissingParentIsAnError) {
  EXPECT_THAT(SnapshotFolder::Open(scratch_.File("no/export")).error().message,
              HasSubstr("No such file or directory"));
}

TEST_F(SnapshotFolderTest, ASnapshotOfAnotherRunKeepsItsName) {
  const auto folder = Open();
  Make(*folder, "w", "7");
  EXPECT_EQ(Make(*folder, "w", "7").name, "7-2");
  EXPECT_EQ(Make(*folder, "w", "7").name, "7-3");
  const auto found = folder->List();
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found.value().size(), 3u);
  for (const FoundSnapshot& snapshot : found.value()) {
    EXPECT_TRUE(snapshot.is_whole);
    EXPECT_EQ(snapshot.bytes, 3 * kPageBytes);
  }
}

TEST_F(SnapshotFolderTest, ALockedSnapshotIsNotRemoved) {
  const auto folder = Open();
  const SnapshotPlace place = Make(*folder, "w", "7");
  std::optional<OwnedDescriptor> lock(LockShared(At(place)));
  EXPECT_EQ(folder->Remove(place).value(), Removal::kLocked);
  EXPECT_THAT(folder->Holders(place), ElementsAre(::getpid()));
  EXPECT_THAT(NamesIn(At(place)), ElementsAre("keys.npy", "snapshot.json"));
  lock.reset();
  EXPECT_EQ(folder->Remove(place).value(), Removal::kRemoved);
  EXPECT_THAT(NamesIn(path_ + "/w"), IsEmpty());
  EXPECT_EQ(folder->Remove(place).value(), Removal::kRemoved) << "it is gone already";
}

TEST_F(SnapshotFolderTest, AReaderThatComesTooLateSeesThatItsFileHasNoName) {
  const auto folder = Open();
  const SnapshotPlace place = Make(*folder, "w", "7");
  const OwnedDescriptor file(::open((At(place) + "/snapshot.json").c_str(), O_RDONLY));
  EXPECT_EQ(folder->Remove(place).value(), Removal::kRemoved);
  EXPECT_EQ(::flock(file.number(), LOCK_SH), 0);
  struct stat about {};
  ASSERT_EQ(::fstat(file.number(), &about), 0);
  EXPECT_EQ(about.st_nlink, 0u);
}

class SnapshotShelfTest : public SnapshotFolderTest {
 protected:
  ExportSpec spec_{.path = path_, .windows = {"w", "v"}};
  KeptLog log_;
};

TEST_F(SnapshotShelfTest, AStartRemovesWhatIsTornAndWhatIsNotExportedAnyMore) {
  const auto folder = Open();
  const SnapshotPlace whole = Make(*folder, "w", "3");
  Make(*folder, "old", "9");
  Result<SnapshotFolder::Begun> torn = folder->Begin("w", "4");
  testing::Write(At(torn.value().place) + "/out.indptr.npy", "half");
  testing::Write(At(torn.value().place) + "/snapshot.json.new", "{");
  testing::Write(path_ + "/w/notes.txt", "of a person");
  std::filesystem::create_directory(path_ + "/w/5");
  testing::Write(path_ + "/w/5/notes.txt", "of a person");
  SnapshotShelf shelf(*folder, spec_, log_);
  ASSERT_TRUE(shelf.Begin(false).ok());
  EXPECT_THAT(NamesIn(path_ + "/w"), ElementsAre("3", "5", "notes.txt"));
  EXPECT_THAT(NamesIn(path_ + "/w/5"), ElementsAre("notes.txt"));
  EXPECT_THAT(NamesIn(path_ + "/old"), IsEmpty());
  EXPECT_THAT(log_.lines(), ::testing::Each(HasSubstr("w/5: Directory not empty")));
  EXPECT_EQ(shelf.bytes(), 3 * kPageBytes);
  ASSERT_TRUE(SnapshotShelf(*folder, spec_, log_).Begin(true).ok());
  EXPECT_THAT(NamesIn(path_ + "/w"), ElementsAre("5", "notes.txt"));
}

TEST_F(SnapshotShelfTest, EachWindowKeepsItsNewestAndTheLockedOnes) {
  const auto folder = Open();
  SnapshotShelf shelf(*folder, spec_, log_);
  ASSERT_TRUE(shelf.Begin(false).ok());
  shelf.Add(Make(*folder, "v", "1"), 3 * kPageBytes, 1);
  const SnapshotPlace first = Make(*folder, "w", "1");
  std::optional<OwnedDescriptor> lock(LockShared(At(first)));
  shelf.Add(first, 3 * kPageBytes, 2);
  std::uint64_t number = 2;
  for (const char* name : {"2", "3", "4"}) {
    shelf.Add(Make(*folder, "w", name), 3 * kPageBytes, ++number);
    shelf.Tidy();
  }
  EXPECT_THAT(NamesIn(path_ + "/w"), ElementsAre("1", "3", "4"));
  EXPECT_THAT(NamesIn(path_ + "/v"), ElementsAre("1"));
  EXPECT_EQ(shelf.overdue(), 1u);
  EXPECT_EQ(shelf.bytes(), 12 * kPageBytes) << "a locked snapshot counts";
  EXPECT_EQ(shelf.HoldersText(), "snapshot w/1 is locked by process " + std::to_string(::getpid()));
  lock.reset();
  shelf.Tidy();
  EXPECT_EQ(shelf.overdue(), 0u);
  EXPECT_THAT(NamesIn(path_ + "/w"), ElementsAre("3", "4"));
  EXPECT_EQ(shelf.HoldersText(), "");
}

TEST_F(SnapshotShelfTest, RoomComesFromTheOldestButNeverFromTheNewestOfAWindow) {
  const auto folder = Open();
  spec_.limit_bytes = 10 * kPageBytes;
  SnapshotShelf shelf(*folder, spec_, log_);
  ASSERT_TRUE(shelf.Begin(false).ok());
  shelf.Add(Make(*folder, "v", "1"), 3 * kPageBytes, 1);
  shelf.Add(Make(*folder, "w", "2"), 3 * kPageBytes, 3);
  shelf.Add(Make(*folder, "w", "1"), 3 * kPageBytes, 2);  // of an older advance
  EXPECT_TRUE(shelf.MakeRoom(kPageBytes));
  EXPECT_EQ(shelf.snapshots(), 3u);
  EXPECT_TRUE(shelf.MakeRoom(4 * kPageBytes));
  EXPECT_THAT(NamesIn(path_ + "/w"), ElementsAre("2"));
  EXPECT_THAT(NamesIn(path_ + "/v"), ElementsAre("1"));
  EXPECT_FALSE(shelf.MakeRoom(5 * kPageBytes));
  EXPECT_EQ(shelf.snapshots(), 2u);
}

}  // namespace
}  // namespace sash
