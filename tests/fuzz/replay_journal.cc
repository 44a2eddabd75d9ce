// Claims about journals: entries read from a file were written like that; the rounds of all files
// name known partitions; a run that continues from them can be read from its own journal; an engine
// that repeats the rounds, whatever they are, reaches its live stream when that has been read to
// its end, has received each record once, and is in a state that can be stored.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fuzz/choices.h"
#include "tests/fuzz/journalled_stream.h"
#include "tests/fuzz/section_list.h"
#include "tests/fuzz/targets.h"
#include "tests/support/small_stream.h"
#include "windows/base/check.h"
#include "windows/base/checksum.h"
#include "windows/durable/byte_text.h"

namespace sash::fuzz {
namespace {

using testing::MemoryFolder;

constexpr std::uint8_t kMostJournals = 8;

void WriteFile(MemoryFolder& folder, std::uint64_t number, std::string_view bytes) {
  const auto file = folder.Create(JournalFileName(number));
  SASH_CHECK(file && file.value()->Append(bytes));
}

// Writes the sections of a list as entries with valid checksums: the first of a file is its head.
void WriteEntries(std::string_view text, MemoryFolder& folder) {
  constexpr std::size_t kPrefixBytes = 16;
  const std::string prefix = EncodeHead({}).substr(0, kPrefixBytes);
  std::map<std::uint8_t, std::string> files;
  for (const FileSection& section : UnpackSections(text)) {
    std::string& file = files[section.file % kMostJournals];
    if (file.empty()) file = prefix;
    ByteWriter frame;
    frame.Put(static_cast<std::uint32_t>(section.bytes.size()));
    frame.Put(Crc32c(section.bytes));
    file += std::move(frame).Take() + section.bytes;
  }
  for (const auto& [file, bytes] : files) WriteFile(folder, kJournalState + file, bytes);
}

void CheckFile(std::string_view text) {
  const Result<JournalFile> file = ParseJournal(text);
  if (!file) return;
  std::string again = EncodeHead(file.value().head);
  for (const RoundOutline& round : file.value().rounds) again += EncodeRound(round);
  SASH_CHECK(again == text.substr(0, file.value().bytes));
}

void CheckRounds(const JournalledRounds& found) {
  std::uint64_t rounds = 0;
  for (const JournalledRounds::Part& part : found.parts) rounds += part.rounds;
  SASH_CHECK(rounds == found.rounds.size());
  SASH_CHECK(found.begun.has_value() == !found.parts.empty());
  SASH_CHECK(found.remark.empty() || found.remark.starts_with("rounds-"));
  for (const RoundOutline& round : found.rounds) {
    for (const RoundOutline::Item& item : round.items) {
      SASH_CHECK(item.partition < found.partitions.size());
    }
  }
}

// Half of the rounds were repeated, and one more was done.
void CheckNextLife(const MemoryFolder& before, const JournalledRounds& found) {
  MemoryFolder folder = before.After(MemoryFolder::Crash::kOfProcess);
  const Moment now{SteadyTime(std::chrono::hours(1)), {}};
  const std::uint64_t done = found.rounds.size() / 2;
  Journal journal(folder);
  journal.Resume(kJournalState, found);
  journal.Begin(done, {}, now, found.partitions);
  journal.Note(Outline(EventBatch(), now, false));
  journal.Write();
  const Result<JournalledRounds> next = ReadJournal(folder, kJournalState);
  SASH_CHECK(next);
  CheckRounds(next.value());
  SASH_CHECK(next.value().remark == found.remark && next.value().rounds.size() == done + 1);
  for (std::uint64_t i = 0; i < done; ++i) {
    SASH_CHECK(next.value().rounds[i].items == found.rounds[i].items);
  }
  SASH_CHECK(next.value().rounds.back().at.steady == now.steady);
}

// A window that always holds events is published at each slide up to any later time.
bool IsNear(const JournalledRounds& found) {
  return std::ranges::all_of(found.rounds, [](const RoundOutline& round) {
    return std::ranges::all_of(round.times, [](EventTime time) {
      return std::abs(time.time_since_epoch().count()) < 100'000;
    });
  });
}

void CheckJournalledEngine(MemoryFolder& folder, KeyKind kind, bool with_times,
                           const JournalledRounds& found) {
  testing::JournalledLife life = LifeIn(folder, kind, with_times);
  SASH_CHECK(life.GoOn(kJournalState, found));
  life.Start();
  std::uint64_t events = 0;
  for (std::int64_t step = kStepsBefore; step < kSteps; ++step) {
    Read(life, step);
    for (const testing::ScriptRecord& record : testing::SmallStep(step)) {
      events += record.refused ? 0 : 1;
    }
  }
  ReadToTheEnd(life);
  SASH_CHECK(life.rounds().is_live() && life.harness().stats.accepted == events);
  const EngineState state = life.rounds().Capture();
  SASH_CHECK(CheckCoherent(state));
  SASH_CHECK(state.partitions[0].next_offset == 4 * kSteps);
  SASH_CHECK(state.partitions[1].next_offset == kSteps);
}

}  // namespace

void ReplayJournal(std::string_view input) {
  static const MemoryFolder kStrings = FolderWithState(KeyKind::kString);
  static const MemoryFolder kIntegers = FolderWithState(KeyKind::kInteger);
  Choices choices(input);
  const std::size_t form = choices.Below(2);
  const std::size_t options = choices.Below(4);
  const KeyKind kind = options % 2 == 0 ? KeyKind::kString : KeyKind::kInteger;
  const MemoryFolder& with_state = kind == KeyKind::kString ? kStrings : kIntegers;
  MemoryFolder folder = with_state.After(MemoryFolder::Crash::kOfProcess);
  if (form == 0) {
    WriteEntries(choices.rest(), folder);
  } else {
    WriteFile(folder, kJournalState, choices.rest());
  }
  for (std::uint64_t file = kJournalState; file < kJournalState + kMostJournals; ++file) {
    if (const auto text = folder.Read(JournalFileName(file))) CheckFile(text.value());
  }
  const Result<JournalledRounds> found = ReadJournal(folder, kJournalState);
  if (!found) {
    SASH_CHECK(found.error().code == ErrorCode::kInvalidArgument);  // of a newer format
    return;
  }
  CheckRounds(found.value());
  CheckNextLife(folder, found.value());
  if (IsNear(found.value())) CheckJournalledEngine(folder, kind, options >= 2, found.value());
}

}  // namespace sash::fuzz
