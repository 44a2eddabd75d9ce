// DrawnPictures: a cache of the last neighbourhood pictures, as JSON. All clients that follow a job
// ask for the same picture after each result; it is drawn once, for the first client.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) At most kKept pictures are held, of at most kLargest bytes each. The cache keeps no result
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
  // The size of the picture that was requested.
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
