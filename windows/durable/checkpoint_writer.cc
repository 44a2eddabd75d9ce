#include "windows/durable/checkpoint_writer.h"

#include <algorithm>
#include <utility>

#include "windows/durable/log_events.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kRetryEvery{1};

}  // namespace

void CheckpointWriter::Start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

void CheckpointWriter::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void CheckpointWriter::WriteLast(EngineState state) {
  Delivered(state.advances);
  Offer(std::move(state));
  const MutexLock lock(mutex_);
  for (bool all_is_well = true; all_is_well && HasWork();) all_is_well = WriteNext();
}

void CheckpointWriter::Add(ClosedSlice slice) {
  const MutexLock lock(mutex_);
  slices_.push_back({std::move(slice), ++added_});
  changed_.NotifyOne();
}

bool CheckpointWriter::IsDue() const {
  const SteadyTime now = around_.clock.Steady();
  const MutexLock lock(mutex_);
  if (last_offer_ && now - *last_offer_ < interval_) return false;
  // A state that could not be written is replaced, so that slices that have left the windows are
  // released.
  return !offered_ || failure_;
}

void CheckpointWriter::Offer(EngineState state) {
  const SteadyTime now = around_.clock.Steady();
  // Dropping these may free much memory and end pins, so they are destroyed outside the lock.
  std::deque<Waiting> gone;
  std::optional<Offered> replaced;
  const MutexLock lock(mutex_);
  for (std::deque<Waiting> all = std::exchange(slices_, {}); !all.empty(); all.pop_front()) {
    const ClosedSlice& closed = all.front().closed;
    const auto lane = std::ranges::find(state.lanes, closed.lane, &LaneState::serial);
    const bool is_gone =
        lane == state.lanes.end() || closed.slice->id.value < lane->first_retained();
    (is_gone ? gone : slices_).push_back(std::move(all.front()));
  }
  replaced = std::exchange(offered_, Offered{std::move(state), now, added_});
  last_offer_ = now;
  changed_.NotifyOne();
}

void CheckpointWriter::NoteUnchanged() {
  const SteadyTime now = around_.clock.Steady();
  const MutexLock lock(mutex_);
  if (!offered_ && figures_.newest) figures_.newest = now;
}

void CheckpointWriter::Delivered(std::uint64_t advances) {
  const MutexLock lock(mutex_);
  delivered_ = std::max(delivered_, advances);
  changed_.NotifyOne();
}

std::optional<std::string> CheckpointWriter::not_ready() const {
  const MutexLock lock(mutex_);
  return failure_;
}

CheckpointFigures CheckpointWriter::figures() const {
  const MutexLock lock(mutex_);
  CheckpointFigures figures = figures_;
  figures.waiting_slices = slices_.size();
  return figures;
}

bool CheckpointWriter::StateIsNext() const {
  return offered_ && offered_->state.advances <= delivered_ &&
         (slices_.empty() || slices_.front().number > offered_->slices);
}

void CheckpointWriter::Run(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!HasWork()) {
      changed_.Wait(mutex_, stop);
    } else if (!WriteNext()) {
      const MutexUnlock unlock(mutex_);
      SleepFor(stop, kRetryEvery);
    }
  }
}

bool CheckpointWriter::WriteNext() {
  const SteadyTime begun = around_.clock.Steady();
  const bool is_state = StateIsNext();
  const Status status = is_state ? WriteState() : WriteSlice();
  Note(status, is_state, begun);
  return status.ok();
}

Status CheckpointWriter::WriteState() {
  Offered offered = *std::exchange(offered_, std::nullopt);
  Status written = Ok{};
  {
    const MutexUnlock unlock(mutex_);
    if (around_.before_state) written = around_.before_state();
    if (written.ok()) written = around_.store.Commit(offered.state);
    if (written.ok()) around_.on_durable(offered.state);
  }
  if (written.ok()) {
    ++figures_.checkpoints;
    figures_.newest = offered.taken;
  } else if (!offered_) {
    offered_ = std::move(offered);
  }
  const MutexUnlock unlock(mutex_);
  offered.state = {};  // may hold the last references to slices
  return written;
}

Status CheckpointWriter::WriteSlice() {
  ClosedSlice closed = slices_.front().closed;
  const std::uint64_t number = slices_.front().number;
  Status written = Ok{};
  {
    const MutexUnlock unlock(mutex_);
    written = around_.store.AddSlice(closed);
  }
  // Offer() may have removed the slice meanwhile, because it has left the windows.
  if (written.ok() && !slices_.empty() && slices_.front().number == number) slices_.pop_front();
  const MutexUnlock unlock(mutex_);
  closed = {};  // may be the last reference to the slice
  return written;
}

void CheckpointWriter::Note(const Status& status, bool is_state, SteadyTime begun) {
  figures_.seconds += std::chrono::duration<double>(around_.clock.Steady() - begun).count();
  figures_.written = around_.store.written();
  figures_.bytes = around_.store.bytes();
  if (status.ok()) {
    if (!is_state) return;  // only a whole checkpoint ends a failure
    if (failure_)
      around_.log.Log(durable_events::kCheckpointResumed, "checkpoints are written again");
    failure_.reset();
    return;
  }
  ++figures_.failures;
  const std::string reason = "no checkpoint can be written: " + status.error().message;
  if (!failure_) around_.log.Log(durable_events::kCheckpointFailed, reason + "; committing stops");
  failure_ = reason;
}

}  // namespace sash
