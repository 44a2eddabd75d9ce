#include "connectors/sinks/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/connectors/sinks/full_disk.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::Contents;
using ::testing::ElementsAre;
using testing::FullDisk;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScratchFolder;
using testing::Write;
using Strings = std::vector<std::string>;

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
    Strings keys;
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
  Strings Files() const {
    Strings files;
    for (const auto& entry : std::filesystem::directory_iterator(spec_.path)) {
      files.push_back(entry.path().filename().string());
    }
    std::ranges::sort(files);
    return files;
  }

  static constexpr std::uint64_t kFileBytes = 85;  // two and a half messages
  ScratchFolder folder_;
  OutboxSpec spec_{folder_.File("outbox"), 4096};
  std::vector<std::uint64_t> ids_;  // given out by TakeAll()
  std::unique_ptr<Outbox> outbox_;
};

TEST_F(OutboxTest, GivesOutEachMessageOnceInTheirOrder) {
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  EXPECT_FALSE(outbox_->has_next());
  ASSERT_TRUE(Append(8));
  EXPECT_TRUE(outbox_->has_next());
  EXPECT_THAT(TakeAll(), ElementsAre(8));
  EXPECT_EQ(outbox_->waiting(), 8u);
}

TEST_F(OutboxTest, WhatCameTogetherIsOneLineAndStaysTogether) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(AppendTogether({2, 3, 4}));
  ASSERT_TRUE(Append(5));
  EXPECT_EQ(outbox_->waiting(), 5u);
  for (int life = 0; life < 2; ++life) {
    std::vector<bool> more;
    for (int i = 1; i <= 5; ++i) {
      const auto next = outbox_->Next();
      ASSERT_TRUE(next.ok() && next.value());
      EXPECT_EQ(next.value()->key, KeyOf(i));
      EXPECT_EQ(next.value()->value, R"({"schema":1})");
      more.push_back(next.value()->more);
    }
    EXPECT_THAT(more, ElementsAre(false, true, true, false, false));
    ASSERT_TRUE(outbox_->Flush().ok());
    Reopen();
  }
  TakeAll();
  for (const std::uint64_t id : ids_) outbox_->Acknowledge(id);
  EXPECT_EQ(outbox_->waiting(), 0u);
  EXPECT_EQ(outbox_->bytes(), 0u);
}

TEST_F(OutboxTest, OfWhatCameTogetherATornLineLeavesNothing) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(AppendTogether({2, 3}));
  ASSERT_TRUE(outbox_->Flush().ok());
  const std::string path = spec_.path + "/" + Files().front();
  outbox_.reset();
  const std::string whole = Contents(path);
  for (std::size_t cut = whole.find('\n') + 1; cut < whole.size(); ++cut) {
    Write(path, whole.substr(0, cut));
    Reopen();
    EXPECT_THAT(TakeAll(), ElementsAre(1)) << cut;
    outbox_.reset();
  }
}

TEST_F(OutboxTest, WhatCameTogetherIsTakenOrRefusedAsAWhole) {
  std::vector<int> many;
  for (int i = 0; i < 200; ++i) many.push_back(i);
  EXPECT_FALSE(AppendTogether(many));
  EXPECT_EQ(outbox_->waiting(), 0u);
  EXPECT_TRUE(AppendTogether({1, 2}));
}

TEST_F(OutboxTest, GivesOutAgainWhatWasReturnedBeforeWhatFollows) {
  for (int i = 1; i <= 4; ++i) ASSERT_TRUE(Append(i));
  TakeAll();
  ASSERT_TRUE(Append(5));
  outbox_->Acknowledge(ids_[0]);
  outbox_->Return(ids_[2]);
  EXPECT_THAT(TakeAll(), ElementsAre(3, 5));
  outbox_->Acknowledge(ids_[3]);
  outbox_->Return(ids_[3]);  // no effect: it is acknowledged
  outbox_->ReturnAll();
  EXPECT_THAT(TakeAll(), ElementsAre(2, 3, 5));
}

TEST_F(OutboxTest, TheNextProcessGivesOutWhatWasNotAcknowledged) {
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  TakeAll();
  for (int i = 0; i < 3; ++i) outbox_->Acknowledge(ids_[i]);  // all messages of the first file
  ASSERT_TRUE(outbox_->Flush().ok());
  Reopen();
  EXPECT_THAT(TakeAll(), ElementsAre(4, 5, 6, 7));
}

TEST_F(OutboxTest, DeletesAFileOnceAllOfItIsAcknowledgedAndEmptiesTheLast) {
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  EXPECT_THAT(Files(),
              ElementsAre("000000000001.jsonl", "000000000002.jsonl", "000000000003.jsonl"));
  TakeAll();
  for (const int i : {1, 2, 3, 4, 5}) outbox_->Acknowledge(ids_[i]);
  EXPECT_EQ(Files().size(), 3u);  // message 1 is in the first file
  outbox_->Acknowledge(ids_[0]);
  EXPECT_THAT(Files(), ElementsAre("000000000003.jsonl"));
  outbox_->Acknowledge(ids_[6]);
  EXPECT_EQ(outbox_->waiting(), 0u);
  EXPECT_EQ(outbox_->bytes(), 0u);
  EXPECT_EQ(Contents(spec_.path + "/000000000003.jsonl"), "");
  ASSERT_TRUE(Append(8));
  EXPECT_THAT(TakeAll(), ElementsAre(8));
}

TEST_F(OutboxTest, RefusesWhatDoesNotFitAndTakesAgainWhenThereIsRoom) {
  int taken = 0;
  while (Append(taken + 1)) ++taken;
  EXPECT_LE(outbox_->bytes(), spec_.limit_bytes);
  EXPECT_GT(outbox_->bytes() + 40, spec_.limit_bytes);
  EXPECT_EQ(TakeAll().size(), static_cast<std::size_t>(taken));
  EXPECT_FALSE(Append(0));
  for (int i = 0; i < 4; ++i) outbox_->Acknowledge(ids_[i]);
  EXPECT_TRUE(Append(taken + 1));
}

TEST_F(OutboxTest, KeepsWhatAFullDiskDidNotTakeAndSaysThatItIsNotDurable) {
  ASSERT_TRUE(Append(1));
  ASSERT_TRUE(outbox_->Flush().ok());
  {
    const FullDisk full(40);
    ASSERT_TRUE(Append(2));
    ASSERT_TRUE(Append(3));
    const Status flushed = outbox_->Flush();
    ASSERT_FALSE(flushed.ok());
    EXPECT_THAT(flushed.error().message, HasSubstr("outbox: write "));
    EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3));  // from memory
  }
  ASSERT_TRUE(outbox_->Flush().ok());
  Reopen();
  EXPECT_THAT(TakeAll(), ElementsAre(1, 2, 3));
}

TEST_F(OutboxTest, WhatIsAcknowledgedNeedsNoDisk) {
  const FullDisk full(0);
  ASSERT_TRUE(Append(1));
  EXPECT_FALSE(outbox_->Flush().ok());
  TakeAll();
  outbox_->Acknowledge(ids_[0]);
  EXPECT_TRUE(outbox_->Flush().ok());
}

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

TEST_F(OutboxTest, AReplayBeginsAnew) {
  Reopen(true);
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  const std::size_t of_live = 1;
  EXPECT_GT(Files().size(), of_live + 1);
  Reopen(true);
  EXPECT_THAT(TakeAll(), IsEmpty());
  EXPECT_EQ(Files().size(), of_live + 1);
  EXPECT_EQ(outbox_->bytes(), 0u);
}

TEST_F(OutboxTest, AReplayNeitherSendsNorDeletesWhatALiveProcessLeftNorTheOtherWayRound) {
  for (int i = 1; i <= 7; ++i) ASSERT_TRUE(Append(i));
  Reopen(true);
  EXPECT_THAT(TakeAll(), IsEmpty());
  ASSERT_TRUE(Append(8));
  // Both can be open at the same time, because they use different files.
  const auto live = Outbox::Open(spec_, false, R"({"job":)", kFileBytes);
  ASSERT_TRUE(live.ok()) << live.error().message;
  EXPECT_EQ(live.value()->waiting(), 7u);
  EXPECT_THAT(TakeAll(), ElementsAre(8));
}

TEST_F(OutboxTest, AnotherProcessIsRefused) {
  EXPECT_THAT(OpenError(), HasSubstr("another sink or process"));
}

TEST_F(OutboxTest, AFolderThatCannotBeMadeIsNamed) {
  spec_.path = folder_.File("no/outbox");
  EXPECT_THAT(OpenError(), HasSubstr("no/outbox: No such file or directory"));
}

TEST_F(OutboxTest, RandomHistoriesLoseNothingAndKeepTheOrder) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    spec_.path = folder_.File("outbox-" + std::to_string(seed));
    Reopen();
    std::mt19937 random(seed);
    std::map<std::uint64_t, int> given;  // messages given out, by id
    std::set<int> here;
    int next = 1;
    for (int step = 0; step < 200; ++step) {
      const auto lot = random() % 10;
      if (lot < 4) {
        if (Append(next)) here.insert(next++);
      } else if (lot < 7) {
        const Result<std::optional<Outbox::Message>> taken = outbox_->Next();
        ASSERT_TRUE(taken.ok());
        ASSERT_EQ(taken.value().has_value(), !here.empty());
        if (here.empty()) continue;
        const int number = std::stoi(taken.value()->key.substr(8));
        ASSERT_EQ(number, *here.begin());
        here.erase(number);
        given[taken.value()->id] = number;
      } else if (!given.empty()) {
        const auto one = std::next(given.begin(), static_cast<int>(random() % given.size()));
        if (lot < 9) {
          outbox_->Acknowledge(one->first);
        } else {
          outbox_->Return(one->first);
          here.insert(one->second);
        }
        given.erase(one);
      }
      ASSERT_GE(outbox_->waiting(), here.size() + given.size());
    }
    for (const auto& [id, number] : given) here.insert(number);
    Reopen();
    std::vector<int> left = TakeAll();
    // A message acknowledged after one that is not acknowledged may be given out again.
    ASSERT_TRUE(std::ranges::is_sorted(left));
    ASSERT_TRUE(std::ranges::includes(left, here));
  }
}

}  // namespace
}  // namespace sash
