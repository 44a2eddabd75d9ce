// Files of an outbox that are damaged, torn, or not of an outbox.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/connectors/sinks/outbox_fixture.h"

namespace sash {
namespace {

using testing::Contents;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Write;
using Strings = std::vector<std::string>;

TEST_F(OutboxTest, CutsATornLastLine) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(Append(2));
  const std::string file = spec_.path + "/000000000001.jsonl";
  const std::string both = Contents(file);
  for (const std::size_t size : {both.size() - 1, both.size() / 2 + 1}) {
    outbox_.reset();
    Write(file, both.substr(0, size));
    Reopen();
    EXPECT_THAT(TakeAll(), ElementsAre(1));
  }
}

TEST_F(OutboxTest, RefusesAFileThatIsNoOutboxAndLeavesItAlone) {
  outbox_.reset();
  const std::string file = spec_.path + "/000000000001.jsonl";
  const std::string ours = KeyOf(1) + "\t{\"schema\":1}\n";  // of an earlier version
  for (const std::string theirs : {"notes\n", "{\"job\":\"x\"}\n", "{\"job\":\"x\"\t{}\n",
                                   "{\"job\":\"x\"}\t{\"a\":\n", "notes without an end"}) {
    Write(file, ours + theirs);
    EXPECT_THAT(OpenError(), HasSubstr("move the f")) << theirs;
    EXPECT_EQ(Contents(file), ours + theirs);
  }
  Write(file, ours + "notes\n");
  EXPECT_THAT(OpenError(), HasSubstr("000000000001.jsonl:2: not a message of sash"));
}

TEST_F(OutboxTest, LinesOfEarlierVersionsAreRead) {
  outbox_.reset();
  const std::string value = "\t{\"schema\":1}";
  Write(spec_.path + "/000000000001.jsonl",
        KeyOf(1) + value + "\n" + KeyOf(2) + value + "\t" + KeyOf(3) + value + "\n");
  Reopen();
  ASSERT_TRUE(Append(4));
  EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3, 4));
  ASSERT_TRUE(outbox_->Flush().ok());
  Reopen();
  EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(outbox_->TakeNotes().empty());
}

TEST_F(OutboxTest, NoChangedBitIsEverGivenOut) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(AppendTogether({2, 3}));
  ASSERT_TRUE(outbox_->Flush().ok());
  const std::string file = spec_.path + "/" + Files().front();
  const std::string whole = Contents(file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      SCOPED_TRACE(std::to_string(i) + "." + std::to_string(bit));
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      const std::vector<int> rest =
          i <= whole.find('\n') ? std::vector<int>{2, 3} : std::vector<int>{1};
      const auto check = [&] {
        const std::vector<int> taken = TakeAll();  // this also checks the values
        ASSERT_TRUE(std::ranges::includes(rest, taken)) << ::testing::PrintToString(taken);
        ASSERT_FALSE(outbox_->TakeNotes().empty());
        if (whole[i] != '\n') {
          ASSERT_EQ(taken, rest);
        }
      };
      outbox_.reset();
      Write(file, damaged);
      Reopen();
      check();  // found at the start
      if (HasFatalFailure()) return;
      outbox_.reset();
      Write(file, whole);
      Reopen();
      Write(file, damaged);
      check();  // found when it is sent
      if (HasFatalFailure()) return;
      if (bit == 0 && i == 5) {
        EXPECT_THAT(Contents(spec_.path + "/damaged"), HasSubstr("schema"));
      }
    }
  }
}

TEST_F(OutboxTest, ABlockInAnotherPlaceOrThereTwiceIsNotGivenOut) {
  for (int i = 1; i <= 6; ++i) ASSERT_TRUE(Append(i));
  ASSERT_TRUE(outbox_->Flush().ok());
  const Strings files = Files();
  ASSERT_EQ(files.size(), 3u);
  outbox_.reset();
  const std::string first = Contents(spec_.path + "/" + files[0]);
  const std::string line = first.substr(0, first.find('\n') + 1);
  Write(spec_.path + "/" + files[1], first);               // a write to the wrong file
  Write(spec_.path + "/" + files[0], line + line + line);  // repeated
  Reopen();
  EXPECT_EQ(TakeAll().front(), 1);
  // In the first file only the first line is right, in the second none; the third is unchanged.
  const std::size_t lines = static_cast<std::size_t>(std::ranges::count(first, '\n'));
  EXPECT_EQ(outbox_->TakeNotes().size(), 2 + lines);
  EXPECT_EQ(ids_.size(), 1 + (6 - 2 * lines));
}

}  // namespace
}  // namespace sash
