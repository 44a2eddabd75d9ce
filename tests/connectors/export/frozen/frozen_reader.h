// Reads frozen snapshots as other programs do, from their files alone.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/connectors/export/manifest_reader.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/support/scratch_folder.h"

namespace sash::testing {

// An array: the numbers as integers, or as doubles if the type is float64.
struct NpyArray {
  std::string type;  // "<i4"
  std::vector<std::int64_t> whole;
  std::vector<double> reals;
};

template <typename Number, typename Out>
void TakeNumbers(const std::string& bytes, std::vector<Out>& numbers) {
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof number);
    numbers.push_back(static_cast<Out>(number));
  }
}

inline NpyArray ReadNpy(const std::string& path) {
  const std::string file = Contents(path);
  NpyArray array;
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8)) << path;
  if (file.size() < 10) return array;
  const std::size_t begin =
      10 + static_cast<unsigned char>(file[8]) + 256U * static_cast<unsigned char>(file[9]);
  EXPECT_EQ(begin % 64, 0u) << path;
  const std::string header = file.substr(10, begin - 10);
  EXPECT_EQ(header.back(), '\n') << path;
  const std::size_t type = header.find("'descr': '") + 10;
  array.type = header.substr(type, header.find('\'', type) - type);
  const std::size_t rows = header.find("'shape': (") + 10;
  const std::size_t count = std::stoull(header.substr(rows));
  const std::string data = file.substr(begin);
  if (array.type == "|u1") TakeNumbers<std::uint8_t>(data, array.whole);
  if (array.type == "<u2") TakeNumbers<std::uint16_t>(data, array.whole);
  if (array.type == "<i4") TakeNumbers<std::int32_t>(data, array.whole);
  if (array.type == "<i8") TakeNumbers<std::int64_t>(data, array.whole);
  if (array.type == "<f8") TakeNumbers<double>(data, array.reals);
  EXPECT_EQ(array.whole.size() + array.reals.size(), count) << path;
  return array;
}

// snapshot.json, after a check of every file that it names.
inline nlohmann::json ReadSnapshot(const std::string& folder) {
  auto about = ReadManifest(folder);
  for (const auto& [name, file] : about.at("files").items()) {
    const NpyArray array = ReadNpy(folder + "/" + name);
    EXPECT_EQ(file.at("rows").get<std::uint64_t>(), array.whole.size() + array.reals.size());
  }
  return about;
}

}  // namespace sash::testing
