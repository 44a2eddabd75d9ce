#include "connectors/sinks/webhook/parked_deliveries.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

const Outbox::Message kRefused{.id = 1, .key = R"({"job":"x"})", .value = R"({"schema":1})"};

std::string ContentOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ParkedDeliveriesTest, ALineSaysWhatWasRefusedAndHow) {
  const testing::ScratchFolder folder;
  ParkedDeliveries parked(folder.File("."), false);
  ASSERT_TRUE(parked.Park(kRefused, 422, "no \"x\"", EventTime()).ok());
  EXPECT_EQ(ContentOf(folder.File("parked")),
            R"({"time":"1970-01-01T00:00:00.000Z","status":422,"reply":"no \"x\"",)"
            R"("key":{"job":"x"},"value":{"schema":1}})"
            "\n");
}

TEST(ParkedDeliveriesTest, TheFilesAreBoundedAlsoAfterARestart) {
  const testing::ScratchFolder folder;
  for (int process = 0; process < 3; ++process) {
    ParkedDeliveries parked(folder.File("."), false, 1000);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(parked.Park(kRefused, 400, "", EventTime()).ok());
  }
  EXPECT_LE(std::filesystem::file_size(folder.File("parked")), 500u);
  EXPECT_LE(std::filesystem::file_size(folder.File("parked.old")), 500u);
  EXPECT_GT(std::filesystem::file_size(folder.File("parked.old")), 300u);
}

TEST(ParkedDeliveriesTest, AFileThatWasMovedAwayBeginsAgain) {
  const testing::ScratchFolder folder;
  ParkedDeliveries parked(folder.File("."), false);
  ASSERT_TRUE(parked.Park(kRefused, 400, "", EventTime()).ok());
  std::filesystem::rename(folder.File("parked"), folder.File("taken"));
  ASSERT_TRUE(parked.Park(kRefused, 400, "", EventTime()).ok());
  EXPECT_EQ(ContentOf(folder.File("parked")), ContentOf(folder.File("taken")));
}

}  // namespace
}  // namespace sash
