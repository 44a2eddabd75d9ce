#include "daemon/control/snapshot_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace sash {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class SnapshotCopyTest : public ::testing::Test {
 protected:
  SnapshotCopyTest() { fs::create_directories(scratch_ / "w" / "7"); }
  ~SnapshotCopyTest() override { fs::remove_all(scratch_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(scratch_ / "w" / "7" / name) << text;
  }
  std::string to() const { return (scratch_ / "copy").string(); }
  Status Copy(const std::string& number) const {
    return CopySnapshot({.folder = (scratch_ / "w").string(), .number = number, .window_end = "e"},
                        to(), std::chrono::seconds(0));
  }

  const fs::path scratch_ = fs::path(::testing::TempDir()) / "snapshot_copy_test";
};

TEST_F(SnapshotCopyTest, CopiesTheFilesThatTheManifestNames) {
  Write("snapshot.json", R"({"snapshot": 7, "window_end": "e", "files": {"edges": {}}})");
  Write("edges", "rows");
  Write("beside", "not of the snapshot");
  ASSERT_TRUE(Copy("7").ok());
  EXPECT_TRUE(fs::exists(fs::path(to()) / "snapshot.json"));
  EXPECT_EQ(fs::file_size(fs::path(to()) / "edges"), 4u);
  EXPECT_FALSE(fs::exists(fs::path(to()) / "beside"));
  EXPECT_THAT(FitsCopy(to()).error().message, HasSubstr("is not an empty folder"));
}

TEST_F(SnapshotCopyTest, AManifestCannotNameFilesOfOtherFolders) {
  Write("snapshot.json", R"({"snapshot": 7, "window_end": "e", "files": {"../8/edges": {}}})");
  EXPECT_THAT(Copy("7").error().message, HasSubstr("names the file `../8/edges`"));
}

TEST_F(SnapshotCopyTest, ASnapshotThatDoesNotComeIsAnError) {
  Write("snapshot.json", R"({"snapshot": 7, "window_end": "another", "files": {}})");
  EXPECT_THAT(Copy("7").error().message, HasSubstr("snapshot 7 is not in"));
  fs::remove_all(scratch_ / "w");
  EXPECT_THAT(Copy("7").error().message, HasSubstr("on the host of sashd"));
  EXPECT_FALSE(fs::exists(to()));
}

}  // namespace
}  // namespace sash
