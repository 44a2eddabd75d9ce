// Writes the arrays of a frozen snapshot. README.md in this folder describes them.
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

struct WrittenColumn {
  NpyColumn column;
  std::uint32_t checksum = 0;  // CRC-32C of the file
};

// Writes all files of `outline`, which is that of `view`, to the folder of this descriptor. The
// caller pins the view and its ids. After an error the folder holds files that are not whole.
Result<std::vector<WrittenColumn>> WriteFrozenColumns(const WindowView& view,
                                                      const VertexDictionary& keys,
                                                      const WindowOutline& outline, int folder,
                                                      const std::stop_token& stop);

}  // namespace sash
