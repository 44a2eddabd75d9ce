// ReadRound: the batches that one round of reading fills, and the time at which the round began.
//
// Thread safety: belongs to the consumer thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/event_batch.h"

namespace sash {

class ReadRound {
 public:
  // Forgets everything that was read.
  void Reset();
  // Records are judged by these filters from now on. Nothing was read since StartOver(). With
  // `say`, the batch is sent even if nothing else comes into it.
  void JudgeBy(const FilterSetPtr& filters, bool say);
  // The clock is read once for a round and not for each record.
  void Begin(const Clock& clock);

  EventTime now() const { return now_; }
  SteadyTime steady() const { return steady_; }

  // The batches of the round: at least one, which may be empty.
  std::span<EventBatch> batches() { return {batches_.data(), filled_}; }
  EventBatch& last() { return batches_[filled_ - 1]; }
  const EventBatch& first() const { return batches_.front(); }
  bool has_one_batch() const { return filled_ == 1; }
  // Makes room for `count` more batches. Returns the last one and the new ones.
  std::span<EventBatch> Extend(std::size_t count);
  // The caller has taken the batches: the next round fills them again.
  void StartOver() { filled_ = 1; }

  // Whether an event of this round is too far ahead of the clock.
  bool any_ahead() const { return any_ahead_; }
  void NoteAhead() { any_ahead_ = true; }

 private:
  FilterSetPtr filters_;
  std::vector<EventBatch> batches_{1};  // those after the first filled_ are spare
  std::size_t filled_ = 1;
  EventTime now_{};
  SteadyTime steady_{};
  bool any_ahead_ = false;
};

}  // namespace sash
