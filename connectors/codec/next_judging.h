// NextJudging: how a source judges records from its next batch on, given by another thread.
//
// Thread safety: any thread may call Give(); Take() belongs to the source's thread.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "windows/base/mutex.h"
#include "windows/ingest/filter_set.h"

namespace sash {

struct Judging {
  FilterSetPtr filters;
  std::vector<std::unique_ptr<Decoder>> decoders;  // one for each that the source has; or none
};

class NextJudging {
 public:
  // The newest one given wins.
  void Give(std::shared_ptr<Judging> judging) {
    const MutexLock lock(mutex_);
    given_ = std::move(judging);
    has_given_ = true;
  }

  // Null: it stays as it is. Costs a load then.
  std::shared_ptr<Judging> Take() {
    if (!has_given_) return nullptr;
    const MutexLock lock(mutex_);
    has_given_ = false;
    return std::move(given_);
  }

 private:
  std::atomic<bool> has_given_ = false;
  Mutex mutex_;
  std::shared_ptr<Judging> given_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
