// RewindState: a small file beside the journal, from which an engine goes on that reads its windows
// again (recovery: replay): all that it knew at one moment but the events, and which results were
// safe then. With the rounds since that moment, and the records, windows are cut where they were.
//
// It is handed to the kernel, like the journal: it outlives the process, not a loss of power.
//
// Thread safety: plain values.
//
// Invariants
//   (1) A file that differs in any bit from the one that was written is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/folder.h"
#include "windows/ingest/rewind_point.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/slide/engine_state.h"

namespace sash {

struct RewindState {
  EngineState state;  // WindowEngine::CaptureWithoutEvents(); its number is state.journal
  RewindPoint safe;   // of the newest results that were safe; nothing published: none were
};

std::string RewindStateName(std::uint64_t number);
std::optional<std::uint64_t> RewindStateNumber(std::string_view name);  // nothing when it is none

// Under its name it is whole, as long as the machine does not lose power. `keys` of any kind, of
// which the file says which.
Status WriteRewindState(Folder& folder, const EngineState& state, const RewindPoint& safe,
                        const VertexDictionary& keys);

// kCorruption, kInvalidArgument: as SectionedFile::Parse() and Manifest::Parse().
Result<RewindState> ReadRewindState(const Folder& folder, std::uint64_t number,
                                    std::optional<KeyKind> kind);
Result<RewindState> ParseRewindState(std::string text, std::optional<KeyKind> kind);

// Whether nothing that is still to be published needs a record from before the state whose
// partitions these are: who reads on from there has the windows whole by then. `newest` knows what
// is safe.
bool ReachesBack(const std::vector<PartitionState>& partitions, const RewindState& newest);

}  // namespace sash
