// MemoryHolder: MemoryKeeping's view of the pipeline, which holds nearly all memory of the process.
//
// Thread safety: progress() and the clock may be used before the holder is built. Once it is built,
// any thread may call ReservedBytes() and SharedBytes(); the rest belongs to the main thread.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/memory/stuck_replay.h"
#include "windows/base/clock.h"
#include "windows/ingest/source.h"

namespace sash {

class MemoryHolder {
 public:
  virtual StreamProgress& progress() = 0;
  virtual const Clock& clock() const = 0;

  // Temporary memory of the next advance and of the next run.
  virtual std::uint64_t ReservedBytes() const = 0;

  // Frozen snapshots in shared memory, which the process's own pages do not include.
  virtual std::uint64_t SharedBytes() const = 0;

  virtual bool is_finite() const = 0;           // its source ends
  virtual ReplayStanding Replayed() const = 0;  // without the memory in use
  virtual std::string Holders() const = 0;      // what holds how much, for people

 protected:
  ~MemoryHolder() = default;
};

}  // namespace sash
