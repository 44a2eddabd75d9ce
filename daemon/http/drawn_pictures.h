// DrawnPictures: the pictures of neighbourhoods that were asked for last, as JSON. Whoever follows
// a job asks for the same one after each of its results: it is drawn for the first of them.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) At most kKept pictures are held, of at most kLargest bytes each; and no result is kept
//       alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "windows/base/mutex.h"
#include "windows/jobs/run_result.h"

namespace sash {

class DrawnPictures {
 public:
  static constexpr std::size_t kKept = 16;
  static constexpr std::size_t kLargest = 256 << 10;

  using ResultPtr = std::shared_ptr<const RunResult>;
  // How much of a result was asked for.
  struct Extent {
    std::uint64_t top = 0;
    std::uint64_t neighbours = 0;
    bool operator==(const Extent&) const = default;
  };

  std::optional<std::string> Find(const ResultPtr& result, const Extent& extent) const;
  void Keep(const ResultPtr& result, const Extent& extent, const std::string& json);

 private:
  struct Drawn {
    std::weak_ptr<const RunResult> result;
    Extent extent;
    std::string json;
  };

  mutable Mutex mutex_;
  std::deque<Drawn> drawn_ SASH_GUARDED_BY(mutex_);  // oldest first
};

}  // namespace sash
