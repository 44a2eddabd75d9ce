#include "daemon/letters/letter_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Line(std::int64_t offset) {
  RefusedRecord record;
  record.topic = "edges";
  record.offset = offset;
  record.payload = "x";
  return DeadLetterLine(record, std::numeric_limits<std::size_t>::max());
}

TEST(LetterReaderTest, ReadsWholeLinesAndSaysWhichAreNoLetters) {
  const testing::ScratchFolder folder;
  const std::string path = folder.File("letters.jsonl");
  testing::Write(path, Line(1) + "{}\n" + Line(2) + Line(3).substr(0, 20));
  std::vector<std::int64_t> offsets;
  std::vector<std::string> wrong;
  const Status read =
      ReadLetterFile(path, [&](const std::string& place, Result<DeadLetter> letter) {
        if (letter) {
          offsets.push_back(letter.value().offset);
        } else {
          wrong.push_back(place + ": " + letter.error().message);
        }
        return Status(Ok{});
      });
  EXPECT_TRUE(read.ok());
  EXPECT_THAT(offsets, ElementsAre(1, 2));
  EXPECT_THAT(wrong, ElementsAre(HasSubstr("letters.jsonl:2: not a dead letter: ")));
}

TEST(LetterReaderTest, AnErrorOfWhoTakesThemEndsIt) {
  const testing::ScratchFolder folder;
  const std::string path = folder.File("letters.jsonl");
  testing::Write(path, Line(1) + Line(2));
  int taken = 0;
  const Status read = ReadLetterFile(path, [&](const std::string&, const Result<DeadLetter>&) {
    ++taken;
    return Status(Error{ErrorCode::kUnavailable, "no more"});
  });
  EXPECT_EQ(read.error().message, "no more");
  EXPECT_EQ(taken, 1);
}

TEST(LetterReaderTest, AFileThatIsNotThereIsNamed) {
  const Status read = ReadLetterFile(
      "/nonexistent/l", [](const std::string&, const Result<DeadLetter>&) { return Status(Ok{}); });
  EXPECT_THAT(read.error().message, HasSubstr("/nonexistent/l: No such file"));
}

}  // namespace
}  // namespace sash
