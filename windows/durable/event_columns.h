// Event columns: the form in which files store the events of a slice, or of one log of an open
// slice. Vertices are numbers of a KeyTable.
//
// Thread safety: pure functions and plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/base/weight_column.h"
#include "windows/ingest/edge_event.h"

namespace sash {

struct EventColumns {
  std::vector<std::uint32_t> sources;  // numbers of a KeyTable
  std::vector<std::uint32_t> targets;
  std::vector<Operation> operations;  // empty: every event is an add
  WeightColumn weights;
};

// Sets `named` for each key number that is an end of some event.
void NoteKeys(const EventColumns& columns, std::vector<bool>& named);

std::string EncodeColumns(const EventColumns& columns);

// kCorruption unless all numbers of keys are below `keys`, all columns have the same length, and
// all weights are finite.
Result<EventColumns> ParseColumns(std::string_view bytes, std::size_t keys);

}  // namespace sash
