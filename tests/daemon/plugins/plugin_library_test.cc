#include "daemon/plugins/plugin_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/daemon/plugins/plugin_copy.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

class PluginLibraryTest : public ::testing::Test {
 protected:
  static std::string WhyRefused(const std::string& file) {
    const auto library = LoadPluginLibrary(file);
    return library.ok() ? "" : library.error().message;
  }
  std::string WhyOf(const std::string& fixture) const {
    return WhyRefused(folder_.Fixture(fixture));
  }

  const testing::PluginFolder folder_;
};

TEST_F(PluginLibraryTest, AKernelIsReadWithItsFiguresAndLoadedOnce) {
  const std::string file = folder_.Example("colouring");
  const auto library = LoadPluginLibrary(file);
  ASSERT_TRUE(library.ok()) << library.error().message;
  EXPECT_EQ(library.value()->title, "colouring 1.0");
  EXPECT_EQ(library.value()->table.output, std::uint32_t{SASH_SETS});
  EXPECT_THAT(library.value()->figures, ::testing::ElementsAre("colours"));
  EXPECT_EQ(LoadPluginLibrary(file).value(), library.value());
}

TEST_F(PluginLibraryTest, WhatIsNotAPluginIsRefusedWithTheReason) {
  EXPECT_THAT(WhyOf("wrong_abi"), HasSubstr("it is of ABI 2, and this sashd knows ABI 1: compile"));
  EXPECT_THAT(WhyOf("no_symbol"), HasSubstr("is not a plug-in: it does not define `sash_plugin`"));
  EXPECT_THAT(WhyOf("short_symbol"), HasSubstr("is not a `sash_kernel`: it has 4 bytes"));
  EXPECT_THAT(WhyOf("wrong_size"), HasSubstr("its `size` is 1048576, but `sash_plugin` has " +
                                             std::to_string(sizeof(sash_kernel)) + " bytes"));
  EXPECT_THAT(WhyOf("later_member"),
              HasSubstr("members of `sash_kernel` that this sashd does not"));
  EXPECT_THAT(WhyOf("wrong_schema"),
              HasSubstr("schema of parameters has a default of `rate` that is not a number of at "
                        "least 1"));
  EXPECT_THAT(WhyOf("taken_figure"),
              HasSubstr("its figure `snapshot` has a name that every result has"));
  EXPECT_THAT(WhyOf("unlinked"), HasSubstr("undefined symbol: sash_defined_nowhere"));
  const std::string text = folder_.path() + "/text.so";
  std::ofstream(text) << "this is not a shared object, but it is long enough for a header of ELF\n";
  EXPECT_THAT(WhyRefused(text), HasSubstr("cannot be loaded: it is not a shared object (ELF); "));
}

// dlopen() of some of these ends the process.
TEST_F(PluginLibraryTest, AFileThatIsCutOffOrOfAnotherMachineIsRefused) {
  for (const std::uintmax_t length : {0, 63, 64, 600, 4097}) {  // the code begins at 4096
    const std::string cut =
        folder_.Copy(SASH_EXAMPLES, "reciprocity", "cut" + std::to_string(length));
    std::filesystem::resize_file(cut, length);
    EXPECT_THAT(WhyRefused(cut),
                HasSubstr(length < 64 ? "it is not a shared object (ELF)" : "it is cut off"));
  }
  const auto changed = [&](const std::string& name, std::streamoff place, char byte) {
    const std::string file = folder_.Copy(SASH_EXAMPLES, "reciprocity", name);
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(place).put(byte);
    return WhyRefused(file);
  };
  EXPECT_THAT(changed("class", 4, 1), HasSubstr("it is for another machine"));
  EXPECT_THAT(changed("machine", 18, 40), HasSubstr("it is for another machine"));
  EXPECT_THAT(changed("kind", 16, 1), HasSubstr("it is not a shared object, but another file"));
  EXPECT_THAT(changed("entry", 54, 1), HasSubstr("its header is wrong"));
}

TEST_F(PluginLibraryTest, AFileThatChangedSinceItWasLoadedIsRefused) {
  const std::string file = folder_.Example("colouring");
  ASSERT_TRUE(LoadPluginLibrary(file).ok());
  std::filesystem::remove(file);  // a new file, as an installation makes it
  folder_.Copy(SASH_EXAMPLES, "reciprocity", "colouring");
  EXPECT_THAT(WhyRefused(file), HasSubstr("has changed since it was loaded"));
  const std::string renamed = folder_.Copy(SASH_EXAMPLES, "reciprocity", "new_name");
  EXPECT_EQ(LoadPluginLibrary(renamed).value()->title, "reciprocity 1.0");
}

TEST_F(PluginLibraryTest, AFileThatWasRefusedCanBeFixed) {
  const std::string file = folder_.Fixture("wrong_abi");
  EXPECT_NE(WhyRefused(file), "");
  std::filesystem::remove(file);
  folder_.Copy(SASH_EXAMPLES, "colouring", "wrong_abi");
  EXPECT_EQ(WhyRefused(file), "");
}

}  // namespace
}  // namespace sash
