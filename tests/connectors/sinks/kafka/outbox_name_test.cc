#include "connectors/sinks/kafka/outbox_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

TEST(OutboxNameTest, NameStaysWithTheFolder) {
  const ScratchFolder folder;
  const ScratchFolder other;
  const Result<std::string> name = NameOfOutbox(folder.File(""));
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(name.value().size(), 8u);
  EXPECT_EQ(NameOfOutbox(folder.File("")).value(), name.value());
  EXPECT_NE(NameOfOutbox(other.File("")).value(), name.value());
}

TEST(OutboxNameTest, NameIsReadWithoutItsLineBreak) {
  const ScratchFolder folder;
  std::ofstream(folder.File("name")) << "0123abcd\n";
  EXPECT_EQ(NameOfOutbox(folder.File("")).value(), "0123abcd");
}

// Opening it must not wait for a writer.
TEST(OutboxNameTest, PipeIsRefusedAtOnce) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo(folder.File("name").c_str(), 0600), 0);
  const Result<std::string> name = NameOfOutbox(folder.File(""));
  ASSERT_FALSE(name.ok());
  EXPECT_THAT(name.error().message, HasSubstr("it is a pipe, and only regular files are read"));
}

}  // namespace
}  // namespace sash
