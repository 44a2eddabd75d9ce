// Lives of the small stream with a journal: a first one that leaves a checkpoint and dies, and
// others that go on from it.
#pragma once

#include <cstdint>

#include "tests/support/memory_folder.h"
#include "tests/windows/durable/journalled_life.h"

namespace sash::fuzz {

// The state's number in the journal.
inline constexpr std::uint64_t kJournalState = 1;

// Steps of the small stream: before the state, and in all.
inline constexpr std::int64_t kStepsBefore = 3;
inline constexpr std::int64_t kSteps = 6;

// The checkpoint, without any round behind it.
testing::MemoryFolder FolderWithState(KeyKind kind);

// A life that will go on from it.
testing::JournalledLife LifeIn(testing::MemoryFolder& folder, KeyKind kind, bool with_times);

// Some time passes, and it reads that step. `arrival`: how much later in this life.
void Read(testing::JournalledLife& life, std::int64_t step, std::int64_t arrival = 0);
// Every partition has been read to its end.
void ReadToTheEnd(testing::JournalledLife& life);

}  // namespace sash::fuzz
