#include "windows/durable/rewinding_engine.h"

#include <utility>

#include "windows/base/check.h"

namespace sash {

void RewindingEngine::Do(std::optional<EventBatch> batch) {
  if (batch && batch->start) {
    Begin(*std::exchange(batch->start, std::nullopt));
  } else if (beginning_) {
    return;  // the clock decides nothing before the source says where to continue
  }
  rounds_.Do(std::move(batch));
  Tend();
}

void RewindingEngine::Begin(StreamStart start) {
  if (beginning_ && start.from_state) {
    const auto none = [](std::uint64_t, SliceId) -> Result<LoadedSlice> {
      return Error{ErrorCode::kNotFound, "a state without events has no slices"};
    };
    const Status restored = around_.engine.Restore(std::move(beginning_->state), none);
    SASH_CHECK(restored.ok());  // only loading slices can fail
    journal_.Resume(beginning_->rounds);
    rounds_.Resume(std::move(beginning_->rounds));
  } else {
    journal_.StartOver();
  }
  beginning_.reset();
  EventBatch begin;
  begin.start = std::move(start);
  rounds_.Do(std::move(begin));
  Tend();  // landmark windows need a state before their first event
}

void RewindingEngine::Tend() {
  if (rounds_.is_settled()) journal_.Tend(rounds_, keys_, around_.engine.Now().steady);
}

}  // namespace sash
