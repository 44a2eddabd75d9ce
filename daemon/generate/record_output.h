// RecordOutput: the destination of records: a file, standard output, or a Kafka topic.
//
// Thread safety: none; one thread writes. The stop flag may be set by a signal handler.
// Invariants:
// (1) A record is taken whole or not at all, in the order of the calls; nothing is ever dropped.
// (2) Finish() returning Ok means that every record taken is delivered, or that its reader has
//     gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "windows/base/result.h"

namespace sash {

// Set once, by a signal: stop soon, after delivering everything that was taken.
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
  kClosed,  // no more will be taken, but not a failure: the reader left, or a stop was requested
};

class RecordOutput {
 public:
  virtual ~RecordOutput() = default;

  // Waits if there is no room.
  virtual Result<Taken> Write(const OutgoingRecord& record) = 0;

  // Sends what was taken so far. Called once per batch, and regularly while no edges are due.
  virtual Result<Taken> Flush() = 0;

  // Delivers everything. After a requested stop it waits a limited time, otherwise without limit.
  virtual Status Finish() = 0;

  // Records taken but not known to be delivered.
  virtual std::uint64_t waiting() const = 0;
};

}  // namespace sash
