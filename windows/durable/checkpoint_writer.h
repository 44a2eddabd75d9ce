// CheckpointWriter: the thread that keeps checkpoints, so that the engine waits for no disk.
//
// The engine hands over each slice that closes and now and then its state. A slice is written at
// once; the state, when the results of all advances before it are safe: what it says was published
// is never published again. After a failure everything stays in memory and is tried again.
//
// Thread safety: Add(), IsDue(), Offer() belong to the engine thread, Delivered() to whoever makes
// results safe, the rest to any. Start() and Stop() to the owner.
//
// Invariants
//   (1) `on_durable` is called only for states whose checkpoint is durable, in their order.
//   (2) No state is written before `before_state` has succeeded, called after it was taken.
//   (3) What waits to be written is at most what the newest state retains, and what has closed
//       since.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
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
  std::uint64_t checkpoints = 0;  // that are durable
  std::uint64_t failures = 0;     // attempts to write
  double seconds = 0;             // spent on writing, slices included
  std::uint64_t written = 0;      // bytes
  std::uint64_t bytes = 0;        // of the newest checkpoint
  std::uint64_t waiting_slices = 0;
  // Until when the newest checkpoint is all that there is to know.
  std::optional<SteadyTime> newest;
};

class CheckpointWriter {
 public:
  struct Surroundings {
    CheckpointStore& store;  // which has Begun(); the writer's alone from Start() on
    const Clock& clock;
    EventLog& log;
    std::function<void(const EngineState&)> on_durable;  // in the writer's thread
    // In the writer's thread too, before each state: makes durable what was refused before it was
    // taken, as no record before it will be read again. Empty: there is no such thing.
    std::function<Status()> before_state{};
  };

  CheckpointWriter(Duration interval, Surroundings surroundings)
      : interval_(interval), around_(std::move(surroundings)) {}

  void Start();
  // What has not been written stays unwritten. Idempotent.
  void Stop();

  // After Stop(), when the results of all advances are safe: writes what waits, and `state`.
  void WriteLast(EngineState state);

  void Add(ClosedSlice slice);
  // Whether a state is wanted: the interval has passed, and none is waiting for its turn.
  bool IsDue() const;
  void Offer(EngineState state);
  // Instead of Offer(): the engine is still as the newest state says.
  void NoteUnchanged();

  // The results of all advances up to this number (Advance::number) are safe.
  void Delivered(std::uint64_t advances);

  // Why no checkpoint can be kept now; nothing when all is well.
  std::optional<std::string> not_ready() const;
  CheckpointFigures figures() const;

 private:
  struct Waiting {
    ClosedSlice closed;
    std::uint64_t number = 0;  // as they closed, from 1
  };
  // A state that waits to be written.
  struct Offered {
    EngineState state;
    SteadyTime taken;
    std::uint64_t slices = 0;  // the number of the newest slice that had closed
  };

  void Run(const std::stop_token& stop);
  bool StateIsNext() const SASH_REQUIRES(mutex_);
  bool HasWork() const SASH_REQUIRES(mutex_) { return StateIsNext() || !slices_.empty(); }

  // One piece of work, with the mutex given back meanwhile. False: it is to be tried again.
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
