// AskedCommits: remembers the commits requested from a source, to find the advance that belongs to
// an acknowledged commit.
//
// Thread safety: none; it belongs to the thread that flushes the sinks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "windows/ingest/rewind_point.h"

namespace sash {

class AskedCommits {
 public:
  // Beyond this number the oldest are forgotten: a source sends only the newest commit that waits.
  static constexpr std::size_t kMost = 64;

  void Ask(std::uint64_t advances, const RewindPoint& point);

  // `committed` is the newest acknowledged point. Returns the number of its advance; 0: none.
  std::uint64_t Acknowledged(const std::optional<RewindPoint>& committed);

 private:
  struct Asked {
    std::uint64_t advances = 0;
    RewindPoint point;
  };

  std::deque<Asked> asked_;  // oldest first
  std::uint64_t acknowledged_ = 0;
};

}  // namespace sash
