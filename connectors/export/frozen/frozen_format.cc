#include "connectors/export/frozen/frozen_format.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "connectors/export/frozen/frozen_arrays.h"
#include "connectors/export/frozen/frozen_columns.h"
#include "connectors/export/frozen/snapshot_text.h"
#include "connectors/export/snapshot_folder.h"

namespace sash {
namespace {

constexpr std::uint64_t kTextBytes = 16 << 10;  // of snapshot.json, without its types

std::uint64_t FrozenBytesToWrite(const WindowOutline& outline) {
  std::uint64_t text = kTextBytes;
  for (const std::string_view word : outline.words) text += 8 + 6 * word.size();
  return FrozenBytes(outline) + InPages(text);
}

}  // namespace

Result<std::string> FrozenFormat::Write(const SnapshotTask& task) const {
  constexpr std::uint64_t kMostVertices = std::numeric_limits<std::int32_t>::max();
  const WindowOutline& outline = task.outline;
  if (outline.vertices() > kMostVertices) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the window has {} vertices, and a frozen snapshot holds at most {}",
                             outline.vertices(), kMostVertices)};
  }
  if (!task.make_room(FrozenBytesToWrite(outline))) return BeyondLimit();
  const Result<std::vector<WrittenColumn>> columns =
      WriteFrozenColumns(task.advance.view, task.keys, outline, task.folder, task.stop);
  if (!columns) return columns.error();
  return SnapshotText(task.advance, task.context.policy, outline, columns.value(), task.now());
}

}  // namespace sash
