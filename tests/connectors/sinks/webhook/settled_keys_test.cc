#include "connectors/sinks/webhook/settled_keys.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

Outbox::Message MessageOf(std::uint64_t id, const std::string& key) {
  return {.id = id, .key = key, .value = "{}"};
}

class SettledKeysTest : public ::testing::Test {
 protected:
  SettledKeys Open(std::uint64_t waiting) const {
    Result<SettledKeys> opened = SettledKeys::Open(folder_.File("."), waiting);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return std::move(opened).value();
  }
  testing::ScratchFolder folder_;
};

TEST_F(SettledKeysTest, OnlyMessagesThatWaitedAtTheStartAreCompared) {
  {
    SettledKeys keys = Open(0);
    keys.Add(MessageOf(0, "a"));
    keys.Add(MessageOf(1, "b"));
  }
  SettledKeys keys = Open(3);
  EXPECT_TRUE(keys.WasSettled(MessageOf(0, "a")));
  EXPECT_FALSE(keys.WasSettled(MessageOf(1, "a")));  // it was settled once
  EXPECT_FALSE(keys.WasSettled(MessageOf(2, "c")));
  EXPECT_FALSE(keys.WasSettled(MessageOf(3, "b")));  // a new message
}

TEST_F(SettledKeysTest, ATornLastLineIsCut) {
  {
    SettledKeys keys = Open(0);
    keys.Add(MessageOf(0, "a"));
  }
  std::ofstream(folder_.File("settled"), std::ios::app) << "b";
  {
    SettledKeys keys = Open(2);
    EXPECT_FALSE(keys.WasSettled(MessageOf(0, "b")));
    keys.Add(MessageOf(0, "c"));
  }
  SettledKeys keys = Open(2);
  EXPECT_TRUE(keys.WasSettled(MessageOf(0, "c")));
}

TEST_F(SettledKeysTest, AnEmptyOutboxForgetsAll) {
  {
    SettledKeys keys = Open(0);
    keys.Add(MessageOf(0, "a"));
    keys.Clear();
    keys.Add(MessageOf(1, "b"));
  }
  SettledKeys keys = Open(2);
  EXPECT_FALSE(keys.WasSettled(MessageOf(0, "a")));
  EXPECT_TRUE(keys.WasSettled(MessageOf(1, "b")));
}

}  // namespace
}  // namespace sash
