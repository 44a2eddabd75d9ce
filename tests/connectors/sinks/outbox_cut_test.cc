// Files of an outbox that another process moves away, deletes or cuts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/connectors/sinks/outbox_fixture.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Strings = std::vector<std::string>;

TEST_F(OutboxTest, AFileThatIsDeletedOrMovedAwayIsMadeAgain) {
  for (int i = 1; i <= 6; ++i) ASSERT_TRUE(Append(i));
  ASSERT_TRUE(outbox_->Flush().ok());
  const Strings files = Files();
  std::filesystem::remove(spec_.path + "/" + files.front());
  std::filesystem::rename(spec_.path + "/" + files.back(), folder_.File("away"));
  ASSERT_TRUE(Append(7));
  ASSERT_TRUE(outbox_->Flush().ok());
  EXPECT_EQ(outbox_->TakeNotes().size(), 2u);
  Reopen();
  EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  std::filesystem::remove_all(spec_.path);
  ASSERT_TRUE(outbox_->Flush().ok());
  Reopen();
  EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

// Another process cuts the newest file to `size` bytes; its path.
std::string CutFile(const std::string& path, std::uint64_t size) {
  std::filesystem::resize_file(path, size);
  return path;
}

TEST_F(OutboxTest, AfterAFileThatIsCutInPlaceTheNextFileBegins) {
  ASSERT_TRUE(Append(1));
  const std::string first = spec_.path + "/" + Files().front();
  const std::uint64_t line = std::filesystem::file_size(first);
  for (const std::uint64_t size : {line, line + 7, line / 2, std::uint64_t{0}}) {
    SCOPED_TRACE(size);
    spec_.path = folder_.File("cut-to-" + std::to_string(size));
    Reopen();
    ids_.clear();
    ASSERT_TRUE(Append(1));
    ASSERT_TRUE(Append(2));
    ASSERT_TRUE(outbox_->Flush().ok());
    const std::string path = CutFile(spec_.path + "/000000000001.jsonl", size);
    ASSERT_TRUE(Append(3));
    ASSERT_TRUE(AppendTogether({4, 5}));
    ASSERT_TRUE(outbox_->Flush().ok());
    ASSERT_TRUE(Append(6));
    const std::vector<Outbox::Note> notes = outbox_->TakeNotes();
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].kind, Outbox::Note::Kind::kCut);
    EXPECT_EQ(notes[0].lost, size >= line ? 1u : 2u);
    EXPECT_THAT(notes[0].text, HasSubstr(path + " was cut by another process to "));
    const std::vector<int> left =
        size >= line ? std::vector<int>{1, 3, 4, 5, 6} : std::vector<int>{3, 4, 5, 6};
    EXPECT_EQ(TakeAll(), left);
    ASSERT_TRUE(outbox_->Flush().ok());
    Reopen();
    ids_.clear();
    EXPECT_EQ(TakeAll(), left);
    EXPECT_TRUE(outbox_->TakeNotes().empty()) << "nothing is reported as damaged";
    for (const std::uint64_t id : ids_) outbox_->Acknowledge(id);
    EXPECT_EQ(outbox_->waiting(), 0u);
  }
}

TEST_F(OutboxTest, MessagesThatAreNotDurableYetAreNotLostWithACutFile) {
  for (const auto& [is_seen_before, size] :
       {std::pair(false, 5), {true, 5}, {false, 35}, {true, 40}, {true, 0}}) {
    SCOPED_TRACE(size);
    spec_.path = folder_.File((is_seen_before ? "seen-" : "unseen-") + std::to_string(size));
    Reopen();
    ASSERT_TRUE(Append(1));
    ASSERT_TRUE(Append(2));  // more would begin the next file, which makes these durable
    CutFile(spec_.path + "/000000000001.jsonl", static_cast<std::uint64_t>(size));
    if (is_seen_before) {
      ASSERT_TRUE(Append(3));
    }
    ASSERT_TRUE(outbox_->Flush().ok());
    const std::vector<Outbox::Note> notes = outbox_->TakeNotes();
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].lost, 0u);
    Reopen();
    EXPECT_EQ(TakeAll(), is_seen_before ? (std::vector<int>{1, 2, 3}) : (std::vector{1, 2}));
    EXPECT_TRUE(outbox_->TakeNotes().empty());
  }
}

TEST_F(OutboxTest, ACutIsFoundWhenMessagesAreSentToo) {
  for (int i = 1; i <= 5; ++i) ASSERT_TRUE(Append(i));
  ASSERT_TRUE(outbox_->Flush().ok());
  ASSERT_EQ(Files().size(), 2u);
  ASSERT_TRUE(outbox_->Next().ok());  // message 1 is given out
  CutFile(spec_.path + "/000000000001.jsonl", 0);
  CutFile(spec_.path + "/000000000002.jsonl", 0);
  EXPECT_THAT(TakeAll(), IsEmpty());
  std::uint64_t lost = 0;
  for (const Outbox::Note& note : outbox_->TakeNotes()) {
    EXPECT_EQ(note.kind, Outbox::Note::Kind::kCut) << note.text;
    lost += note.lost;
  }
  EXPECT_EQ(lost, 4u);
  outbox_->ReturnAll();
  EXPECT_THAT(TakeAll(), IsEmpty()) << "its text is gone";
  EXPECT_EQ(outbox_->TakeNotes().size(), 1u);
  EXPECT_EQ(outbox_->waiting(), 0u);
  ASSERT_TRUE(Append(6));
  EXPECT_THAT(TakeAll(), ElementsAre(6));
}

TEST_F(OutboxTest, ACutFileWithoutASuccessorKeepsItsMessagesInMemory) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(outbox_->Flush().ok());
  const std::string next = spec_.path + "/000000000002.jsonl";
  std::filesystem::create_directory(next);  // so it cannot be opened
  CutFile(spec_.path + "/000000000001.jsonl", 0);
  ASSERT_TRUE(Append(2));
  ASSERT_TRUE(Append(3));
  const Status flushed = outbox_->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("outbox: open " + next));
  std::filesystem::remove(next);
  ASSERT_TRUE(outbox_->Flush().ok());
  Reopen();
  EXPECT_THAT(TakeAll(), ElementsAre(2, 3));
}

TEST_F(OutboxTest, RandomCutsLoseWhatIsReportedAndNothingElse) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    spec_.path = folder_.File("random-" + std::to_string(seed));
    spec_.limit_bytes = 1 << 20;
    Reopen();
    std::mt19937 random(seed);
    std::uint64_t lost = 0;
    std::vector<int> taken;
    int next = 1;
    const auto look = [&] {
      const std::vector<int> more = TakeAll();
      taken.insert(taken.end(), more.begin(), more.end());
      for (const Outbox::Note& note : outbox_->TakeNotes()) {
        ASSERT_EQ(note.kind, Outbox::Note::Kind::kCut) << note.text;
        lost += note.lost;
      }
    };
    for (int step = 0; step < 100; ++step) {
      const auto lot = random() % 10;
      if (lot < 5) {
        ASSERT_TRUE(Append(next++));
      } else if (lot < 6) {
        ASSERT_TRUE(AppendTogether({next, next + 1}));
        next += 2;
      } else if (lot < 7) {
        ASSERT_TRUE(outbox_->Flush().ok());
      } else if (lot < 8) {
        const Strings files = Files();
        const std::string path = spec_.path + "/" + files[random() % files.size()];
        CutFile(path, random() % (std::filesystem::file_size(path) + 1));
      } else {
        look();
        if (HasFatalFailure()) return;
      }
    }
    look();
    EXPECT_TRUE(std::ranges::is_sorted(taken));
    EXPECT_EQ(std::set(taken.begin(), taken.end()).size(), taken.size());
    EXPECT_EQ(taken.size() + lost, static_cast<std::size_t>(next - 1));
  }
}

}  // namespace
}  // namespace sash
