// RecordOutput: where records go: a file, standard output, or a Kafka topic.
//
// Thread safety: none; one thread writes. The stop flag may be set by a signal handler.
// Invariants:
// (1) A record is taken whole or not at all, in the order of the calls; nothing is ever dropped.
// (2) Finish() returning Ok means that every record taken is delivered, or that its reader went
// away.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "windows/base/result.h"

namespace sash {

// Set once, by a signal: stop soon, with everything that was taken delivered.
using StopFlag = std::atomic<bool>;
static_assert(StopFlag::is_always_lock_free);

struct OutgoingRecord {
  std::uint64_t number = 0;  // from 0
  std::int64_t time_ms = 0;  // event time, since the epoch
  std::string_view key;      // of the source vertex
  std::string_view text;     // without line end
};

enum class Taken : std::uint8_t {
  kYes,
  kClosed,  // no more will be taken, and that is no failure: the reader left, or a stop was asked
            // for
};

class RecordOutput {
 public:
  virtual ~RecordOutput() = default;

  // Waits for room when there is none.
  virtual Result<Taken> Write(const OutgoingRecord& record) = 0;

  // Sends on what was taken so far. Called once per batch, and regularly during silences.
  virtual Result<Taken> Flush() = 0;

  // Delivers everything. After a stop was asked for, patience is limited; without it, it is not.
  virtual Status Finish() = 0;

  // Taken, but not known to be delivered.
  virtual std::uint64_t waiting() const = 0;
};

}  // namespace sash
