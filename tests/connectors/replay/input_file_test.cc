#include "connectors/replay/input_file.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "tests/connectors/replay/replaying.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using Outcome = InputFile::Outcome;

class InputFileTest : public Replaying {};

TEST_F(InputFileTest, ReadsToTheEnd) {
  auto input = InputFile::Open(File("f", "abcde"));
  ASSERT_TRUE(input.ok());
  std::array<char, 3> room = {};
  EXPECT_EQ(input.value()->Read(room, milliseconds(-1)).bytes, 3u);
  EXPECT_EQ(input.value()->Read(room, milliseconds(-1)).bytes, 2u);
  EXPECT_EQ(input.value()->Read(room, milliseconds(-1)).outcome, Outcome::kEnd);
}

TEST_F(InputFileTest, APipeWithoutWriterIsNotAtItsEnd) {
  auto input = InputFile::Open(Pipe("p"));
  ASSERT_TRUE(input.ok());
  std::array<char, 3> room = {};
  EXPECT_EQ(input.value()->Read(room, milliseconds(1)).outcome, Outcome::kNothingYet);
  { std::ofstream(Path("p")) << "x"; }
  EXPECT_EQ(input.value()->Read(room, milliseconds(-1)).bytes, 1u);
  EXPECT_EQ(input.value()->Read(room, milliseconds(-1)).outcome, Outcome::kEnd);
}

TEST_F(InputFileTest, InterruptEndsAWaitForEver) {
  auto input = InputFile::Open(Pipe("p"));
  ASSERT_TRUE(input.ok());
  std::array<char, 3> room = {};
  Outcome outcome = Outcome::kEnd;
  std::jthread reader([&] { outcome = input.value()->Read(room, milliseconds(-1)).outcome; });
  input.value()->Interrupt();
  reader.join();
  EXPECT_EQ(outcome, Outcome::kInterrupted);
  EXPECT_EQ(input.value()->Read(room, milliseconds(-1)).outcome, Outcome::kInterrupted);
}

TEST_F(InputFileTest, SaysWhyItCannotBeOpened) {
  EXPECT_EQ(InputFile::Open(Path("absent")).error().message,
            "cannot be opened: No such file or directory");
  EXPECT_EQ(InputFile::Open(folder_.string()).error().message, "is a directory, not a file");
}

}  // namespace
}  // namespace sash
