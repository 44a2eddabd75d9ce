// The type and length of each array of a frozen snapshot, known before anything is written.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <vector>

#include "connectors/export/frozen/npy_file.h"
#include "connectors/export/window_outline.h"

namespace sash {

// The arrays of one direction.
struct FrozenDirection {
  NpyColumn starts;
  NpyColumn neighbours;
  NpyColumn weights;
  NpyColumn types;  // without rows unless an edge of the window has a type
};

FrozenDirection OutArrays(const WindowOutline& outline);
FrozenDirection InArrays(const WindowOutline& outline);
NpyColumn IntegerKeys(const WindowOutline& outline);
NpyColumn KeyOffsets(const WindowOutline& outline);
NpyColumn KeyTexts(const WindowOutline& outline);

// All files but snapshot.json, which comes last.
std::vector<NpyColumn> FrozenArrays(const WindowOutline& outline);
// What they will take, in whole pages.
std::uint64_t FrozenBytes(const WindowOutline& outline);

}  // namespace sash
