// Runs every kept input, seeds and former findings, through its target: in any build, without
// libFuzzer. A failing claim ends the process; the last line names the input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace sash::fuzz {

static void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

std::vector<std::filesystem::path> FilesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  return files;
}

class ReplayTest : public ::testing::TestWithParam<Target> {};

TEST_P(ReplayTest, ItsClaimsHoldForEverythingThatIsKept) {
  const std::filesystem::path root = SASH_FUZZ_INPUTS;
  std::vector<std::filesystem::path> files = FilesIn(root / "corpus" / GetParam().name);
  ASSERT_FALSE(files.empty());
  std::ranges::move(FilesIn(root / "regressions" / GetParam().name), std::back_inserter(files));
  for (const std::filesystem::path& path : files) {
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    std::ifstream file(path, std::ios::binary);
    // No byte after its end, as in libFuzzer, so that reading there is noticed.
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_TRUE(file.good() || file.eof());
    GetParam().run({bytes.data(), bytes.size()});
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, ReplayTest, ::testing::ValuesIn(Targets()),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace sash::fuzz
