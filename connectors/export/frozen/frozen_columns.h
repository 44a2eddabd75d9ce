// Writes the arrays of a frozen snapshot. connectors/export/README.md describes them.
//
// Thread safety: the caller owns the folder.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "connectors/export/frozen/npy_file.h"
#include "connectors/export/window_outline.h"
#include "windows/base/result.h"

namespace sash {

inline constexpr std::uint64_t kMostPlaced = std::uint64_t{1} << 30;

struct WrittenColumn {
  NpyColumn column;
  std::uint32_t checksum = 0;  // CRC-32C of the file
};

// Writes all files of `outline`, which is that of `view`, to the folder of this descriptor. The
// caller pins the view and its ids. After an error the folder holds files that are not whole.
// `most_placed`: the bytes that edges may take while their lists are placed (placed_lists.h); if
// they need more, edges are read and sorted list by list, which takes twice as long.
Result<std::vector<WrittenColumn>> WriteFrozenColumns(const WindowView& view,
                                                      const VertexDictionary& keys,
                                                      const WindowOutline& outline, int folder,
                                                      const std::stop_token& stop,
                                                      std::uint64_t most_placed = kMostPlaced);

}  // namespace sash
