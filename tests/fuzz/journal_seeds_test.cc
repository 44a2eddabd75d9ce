// The kept journals equal those that engines write. After a change of the format:
//   SASH_WRITE_SEEDS=1 build/debug/tests/fuzz/fuzz_test --gtest_filter='JournalSeeds*'
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/fuzz/journalled_stream.h"
#include "tests/fuzz/kept_input.h"
#include "tests/fuzz/section_list.h"

namespace sash::fuzz {
namespace {

using testing::MemoryFolder;

// Each run reads two steps, and repeats what the previous run did.
MemoryFolder LiveWithJournal(int lives, KeyKind kind, bool with_times) {
  MemoryFolder folder = FolderWithState(kind);
  for (int i = 0; i < lives; ++i) {
    testing::JournalledLife life = LifeIn(folder, kind, with_times);
    const Result<JournalledRounds> found = ReadJournal(folder, kJournalState);
    EXPECT_TRUE(found.ok() && found.value().remark.empty());
    EXPECT_TRUE(life.GoOn(kJournalState, found.value()));
    life.Start();
    for (std::int64_t step = kStepsBefore; step < kStepsBefore + 2; ++step) {
      Read(life, step, with_times ? i : 0);
      life.harness().clock.Advance(std::chrono::milliseconds(600));
      life.rounds().Do(std::nullopt);
    }
    ReadToTheEnd(life);
    EXPECT_TRUE(life.rounds().is_live());
    (void)life.rounds().Capture();  // of a state that never becomes durable
    life.rounds().Do(std::nullopt);
    life.journal().Write();
  }
  return folder;
}

void AddEntries(const MemoryFolder& folder, std::uint8_t number, std::vector<FileSection>& into) {
  const Result<std::string> text = folder.Read(JournalFileName(kJournalState + number));
  if (!text) return;
  constexpr std::size_t kPrefixBytes = 16;
  constexpr std::size_t kFrameBytes = 8;
  for (std::size_t at = kPrefixBytes; at < text.value().size();) {
    std::uint32_t size = 0;
    std::memcpy(&size, text.value().data() + at, sizeof size);
    into.push_back({number, 0, text.value().substr(at + kFrameBytes, size)});
    at += kFrameBytes + size;
  }
}

std::string InEntries(int lives, KeyKind kind, bool with_times) {
  const MemoryFolder folder = LiveWithJournal(lives, kind, with_times);
  std::vector<FileSection> entries;
  for (std::uint8_t file = 0; file < 8; ++file) AddEntries(folder, file, entries);
  const int options = (kind == KeyKind::kString ? 0 : 1) + (with_times ? 2 : 0);
  return "0" + std::to_string(options) + PackSections(entries);
}

TEST(JournalSeedsTest, TheKeptOnesAreWhatEnginesWrite) {
  const auto expect = [](const std::string& name, const std::string& bytes) {
    ExpectKept("replay_journal/" + name, bytes);
  };
  expect("one_life", InEntries(1, KeyKind::kString, false));
  expect("two_lives", InEntries(2, KeyKind::kInteger, false));
  expect("three_lives", InEntries(3, KeyKind::kString, false));
  expect("times_of_arrival", InEntries(2, KeyKind::kInteger, true));
  expect("as_it_is", "10" + LiveWithJournal(1, KeyKind::kString, false)
                                .Read(JournalFileName(kJournalState + 1))
                                .value());
}

}  // namespace
}  // namespace sash::fuzz
