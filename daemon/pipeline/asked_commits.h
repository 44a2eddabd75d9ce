// AskedCommits: which commits were asked of a source, to tell from one that is acknowledged up to
// which advance it reaches.
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
  // More are forgotten, the oldest first: a source sends the newest that waits, not each.
  static constexpr std::size_t kMost = 64;

  void Ask(std::uint64_t advances, const RewindPoint& point);

  // `committed` is the newest point that is acknowledged. The number of an advance; 0: none.
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
