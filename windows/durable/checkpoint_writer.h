// CheckpointWriter: the thread that writes checkpoints, so that the engine never waits for a disk.
//
// The engine hands over each slice that closes, and from time to time its state. A slice is written
// at once. A state is written when the results of all advances before it are safe, because a window
// that the state calls published is never published again. After a failure, slices and state stay
// in memory and the write is repeated.
//
// Thread safety: Add(), IsDue(), Offer(), NoteUnchanged() belong to the engine thread; Delivered()
// to the thread that makes results safe; Start(), Stop(), WriteLast() to the owner; the others to
// any thread.
//
// Invariants
//   (1) `on_durable` is called only for states whose checkpoint is durable, in their order.
//   (2) A state is written only after a call of `before_state` that began after the state was taken
//       has succeeded.
//   (3) At most these wait in memory: the slices that the newest state retains, and the slices that
//       have closed since then.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/durable/checkpoint_store.h"

namespace sash {

struct CheckpointFigures {
  std::uint64_t checkpoints = 0;  // made durable
  std::uint64_t failures = 0;     // failed writes
  double seconds = 0;             // spent on writing, slices included
  std::uint64_t written = 0;      // bytes
  std::uint64_t bytes = 0;        // of the newest checkpoint
  std::uint64_t waiting_slices = 0;
  // When the newest checkpoint was taken, or the later moment at which nothing had changed since.
  std::optional<SteadyTime> newest;
};

class CheckpointWriter {
 public:
  struct Surroundings {
    CheckpointStore& store;  // Begin() was called; only the writer uses it after Start()
    const Clock& clock;
    EventLog& log;
    std::function<void(const EngineState&)> on_durable;  // on the writer's thread
    // Also on the writer's thread, before each state: makes the records durable that were refused
    // before the state was taken, because no record before the state will be read again. May be
    // empty.
    std::function<Status()> before_state{};
  };

  CheckpointWriter(Duration interval, Surroundings surroundings)
      : interval_(interval), around_(std::move(surroundings)) {}

  void Start();
  // Does not write what still waits. Idempotent.
  void Stop();

  // Writes all waiting slices, and `state`; stops at the first failure. REQUIRES: Stop() was
  // called, and the results of all advances are safe.
  void WriteLast(EngineState state);

  void Add(ClosedSlice slice);
  // Whether the engine should offer a state: the interval has passed, and no state waits, or the
  // waiting one could not be written.
  bool IsDue() const;
  void Offer(EngineState state);
  // Call it instead of Offer() when the engine has not changed since the newest state.
  void NoteUnchanged();

  // The results of all advances up to this number (Advance::number) are safe.
  void Delivered(std::uint64_t advances);

  // Why checkpoints fail now; nothing when the last one succeeded.
  std::optional<std::string> not_ready() const;
  CheckpointFigures figures() const;

 private:
  struct Waiting {
    ClosedSlice closed;
    std::uint64_t number = 0;  // in the order of closing, from 1
  };
  // A state that waits to be written.
  struct Offered {
    EngineState state;
    SteadyTime taken;
    std::uint64_t slices = 0;  // Waiting::number of the newest slice that had closed
  };

  void Run(const std::stop_token& stop);
  bool StateIsNext() const SASH_REQUIRES(mutex_);
  bool HasWork() const SASH_REQUIRES(mutex_) { return StateIsNext() || !slices_.empty(); }

  // Writes one slice or one state; unlocks the mutex meanwhile. False: it failed and must be
  // repeated.
  bool WriteNext() SASH_REQUIRES(mutex_);
  Status WriteState() SASH_REQUIRES(mutex_);
  Status WriteSlice() SASH_REQUIRES(mutex_);
  void Note(const Status& status, bool is_state, SteadyTime begun) SASH_REQUIRES(mutex_);

  const Duration interval_;
  const Surroundings around_;

  mutable Mutex mutex_;
  StoppableCondVar changed_;
  std::deque<Waiting> slices_ SASH_GUARDED_BY(mutex_);  // oldest first
  std::uint64_t added_ SASH_GUARDED_BY(mutex_) = 0;
  std::optional<Offered> offered_ SASH_GUARDED_BY(mutex_);
  std::optional<SteadyTime> last_offer_ SASH_GUARDED_BY(mutex_);
  std::uint64_t delivered_ SASH_GUARDED_BY(mutex_) = 0;
  std::optional<std::string> failure_ SASH_GUARDED_BY(mutex_);
  CheckpointFigures figures_ SASH_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sash
