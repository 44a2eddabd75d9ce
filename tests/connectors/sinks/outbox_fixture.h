// An outbox with small files, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connectors/sinks/outbox.h"
#include "tests/support/scratch_folder.h"

namespace sash {

class OutboxTest : public ::testing::Test {
 protected:
  void SetUp() override { Reopen(); }

  // Opens the outbox again, as after a restart.
  void Reopen(bool replay = false) {
    outbox_.reset();
    Result<std::unique_ptr<Outbox>> opened = Outbox::Open(spec_, replay, R"({"job":)", kFileBytes);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    outbox_ = std::move(opened).value();
  }
  std::string OpenError() const {
    const Result<std::unique_ptr<Outbox>> opened =
        Outbox::Open(spec_, false, R"({"job":)", kFileBytes);
    return opened.ok() ? "" : opened.error().message;
  }

  static std::string KeyOf(int number) { return R"({"job":")" + std::to_string(number) + "\"}"; }
  bool Append(int number) { return outbox_->Append(KeyOf(number), R"({"schema":1})"); }

  bool AppendTogether(const std::vector<int>& numbers) {
    std::vector<std::string> keys;
    for (const int number : numbers) keys.push_back(KeyOf(number));
    std::vector<Outbox::Pair> together;
    for (const std::string& key : keys) together.push_back({key, R"({"schema":1})"});
    return outbox_->Append(together);
  }

  // Takes all messages that are given out now; returns the numbers of their keys.
  std::vector<int> TakeAll() {
    std::vector<int> taken;
    for (;;) {
      Result<std::optional<Outbox::Message>> next = outbox_->Next();
      EXPECT_TRUE(next.ok());
      if (!next.ok() || !next.value()) return taken;
      EXPECT_EQ(next.value()->value, R"({"schema":1})");
      const std::string& key = next.value()->key;
      taken.push_back(std::stoi(key.substr(8)));
      ids_.push_back(next.value()->id);
    }
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(spec_.path)) {
      files.push_back(entry.path().filename().string());
    }
    std::ranges::sort(files);
    return files;
  }

  static constexpr std::uint64_t kFileBytes = 85;  // two and a half messages
  testing::ScratchFolder folder_;
  OutboxSpec spec_{folder_.File("outbox"), 4096};
  std::vector<std::uint64_t> ids_;  // given out by TakeAll()
  std::unique_ptr<Outbox> outbox_;
};

}  // namespace sash
