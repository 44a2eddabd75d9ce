// Runs of the small stream with a journal: a first one that leaves a checkpoint and dies, and
// others that continue from it.
#pragma once

#include <cstdint>

#include "tests/support/memory_folder.h"
#include "tests/windows/durable/journalled_life.h"

namespace sash::fuzz {

// The state's number in the journal.
inline constexpr std::uint64_t kJournalState = 1;

// Steps of the small stream: before the state, and in total.
inline constexpr std::int64_t kStepsBefore = 3;
inline constexpr std::int64_t kSteps = 6;

// The checkpoint, without any round after it.
testing::MemoryFolder FolderWithState(KeyKind kind);

// A run that will continue from the checkpoint.
testing::JournalledLife LifeIn(testing::MemoryFolder& folder, KeyKind kind, bool with_times);

// Time passes, and the run reads that step. `arrival`: how much later it arrives in this run.
void Read(testing::JournalledLife& life, std::int64_t step, std::int64_t arrival = 0);
// Reads every partition to its end.
void ReadToTheEnd(testing::JournalledLife& life);

}  // namespace sash::fuzz
