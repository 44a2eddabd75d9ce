#include "daemon/plugins/plugin_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

class PluginFileTest : public ::testing::Test {
 protected:
  PluginFileTest() {
    testing::Write(file_, "not read here");
    ::chmod(file_.c_str(), 0755);
  }
  std::string Why(const std::string& path, const std::vector<std::string>& allowed) const {
    const Result<std::string> permitted = PermittedPlugin(path, allowed);
    return permitted.ok() ? "" : permitted.error().message;
  }

  const testing::ScratchFolder folder_;
  const std::string file_ = folder_.File("score.so");
};

TEST_F(PluginFileTest, FilesBelowAPathOfPluginsAreTaken) {
  EXPECT_EQ(Why(file_, {folder_.path().string()}), "");
  EXPECT_EQ(Why(file_, {"/usr/lib/none", file_}), "") << "a file by itself";
  EXPECT_EQ(Why(folder_.File("./score.so"), {folder_.path().parent_path().string()}), "");
}

TEST_F(PluginFileTest, OthersAreRefusedWithWhatWouldBeRight) {
  EXPECT_THAT(Why(file_, {}), HasSubstr("no plug-in may be loaded: add its folder to `plugins`"));
  EXPECT_THAT(Why(folder_.File("none.so"), {folder_.path().string()}),
              HasSubstr("none.so` cannot be found: No such file or directory"));
  EXPECT_THAT(Why(file_, {"/usr/lib/none"}), HasSubstr("is not below a path of `plugins`"));
  EXPECT_THAT(Why(file_, {folder_.path().string().substr(0, 8)}),
              HasSubstr("is not below a path of `plugins`"))
      << "the beginning of a name is not a folder";
  EXPECT_THAT(Why(folder_.path().string(), {folder_.path().string()}),
              HasSubstr("is not a regular file"));
}

TEST_F(PluginFileTest, ALinkOutOfTheFolderIsRefused) {
  const testing::ScratchFolder elsewhere;
  const std::string link = elsewhere.File("score.so");
  std::filesystem::create_symlink(file_, link);
  EXPECT_THAT(Why(link, {elsewhere.path().string()}),
              HasSubstr("(`" + file_ + "`) is not below a path of `plugins`"));
  EXPECT_EQ(Why(link, {folder_.path().string()}), "");
}

TEST_F(PluginFileTest, WhatOthersCanWriteToIsRefused) {
  ::chmod(file_.c_str(), 0775);
  EXPECT_THAT(Why(file_, {file_}),
              HasSubstr("can be written to by others (mode 0775); chmod go-w"));
  ::chmod(file_.c_str(), 0755);
  ::chmod(folder_.path().c_str(), 0757);
  EXPECT_THAT(Why(file_, {file_}), HasSubstr("can be written to by others (mode 0757)"));
}

TEST_F(PluginFileTest, WhatBelongsToAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  ASSERT_EQ(::chown(file_.c_str(), 65534, 65534), 0);
  EXPECT_THAT(Why(file_, {file_}), HasSubstr("belongs to the user with id 65534"));
}

}  // namespace
}  // namespace sash
