// RewindState: a small file beside the journal, for recovery: replay. It holds everything that the
// engine knew at one moment except events, and which results were safe then. An engine that reads
// its windows again continues from it: with the rounds since that moment, and the records, windows
// are cut as before.
//
// Like the journal, it is handed to the operating system without a sync: it survives the end of the
// process, but not a loss of power.
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
  RewindPoint safe;   // of the newest safe results; nothing published: none were safe
};

std::string RewindStateName(std::uint64_t number);
std::optional<std::uint64_t> RewindStateNumber(std::string_view name);  // nothing for other names

// Writes the file under another name and renames it: a file with the final name is whole, unless
// the machine loses power. `keys` may be of any kind; the file stores the kind.
Status WriteRewindState(Folder& folder, const EngineState& state, const RewindPoint& safe,
                        const VertexDictionary& keys);

// kCorruption and kInvalidArgument as in SectionedFile::Parse() and Manifest::Parse().
Result<RewindState> ReadRewindState(const Folder& folder, std::uint64_t number,
                                    std::optional<KeyKind> kind);
Result<RewindState> ParseRewindState(std::string text, std::optional<KeyKind> kind);

// Whether a state with these partitions lies at or before every record that unpublished windows
// need. If so, windows are whole again by the time they are published. `newest` holds the positions
// of the safe results.
bool ReachesBack(const std::vector<PartitionState>& partitions, const RewindState& newest);

}  // namespace sash
