// Kept inputs that the program itself makes: a test reports when their format is outdated, and
// writes them again on request (SASH_WRITE_SEEDS).
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace sash::fuzz {

// `name`: target and file, below corpus/.
inline void ExpectKept(const std::string& name, const std::string& bytes) {
  const std::filesystem::path path = std::filesystem::path(SASH_FUZZ_INPUTS) / "corpus" / name;
  if (std::getenv("SASH_WRITE_SEEDS") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string kept{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(kept == bytes) << name
                             << " is of another format; the head of the test that made it "
                                "says what to do";
}

}  // namespace sash::fuzz
