// Reads snapshot.json, whatever the format of the files is.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/scratch_folder.h"
#include "windows/base/checksum.h"

namespace sash::testing {

// The manifest, after a check of the bytes and the checksum of every file that it names.
inline nlohmann::json ReadManifest(const std::string& folder) {
  auto about = nlohmann::json::parse(Contents(folder + "/snapshot.json"));
  for (const auto& [name, file] : about.at("files").items()) {
    const std::string bytes = Contents(folder + "/" + name);
    EXPECT_EQ(file.at("bytes").get<std::uint64_t>(), bytes.size()) << name;
    char checksum[9];
    std::snprintf(checksum, sizeof checksum, "%08x", Crc32c(bytes));
    EXPECT_EQ(file.at("crc32c").get<std::string>(), checksum) << name;
  }
  return about;
}

}  // namespace sash::testing
