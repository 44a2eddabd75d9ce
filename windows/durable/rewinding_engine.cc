#include "windows/durable/rewinding_engine.h"

#include <utility>

#include "windows/base/check.h"

namespace sash {

void RewindingEngine::Do(std::optional<EventBatch> batch) {
  if (batch && batch->start) {
    Begin(*std::exchange(batch->start, std::nullopt));
  } else if (beginning_) {
    return;  // no clock decides before it is known from where the engine goes on
  }
  rounds_.Do(std::move(batch));
  Tend();
}

void RewindingEngine::Begin(StreamStart start) {
  if (beginning_ && start.from_state) {
    const auto none = [](std::uint64_t, SliceId) -> Result<LoadedSlice> {
      return Error{ErrorCode::kNotFound, "such a state has no slices"};
    };
    const Status restored = around_.engine.Restore(std::move(beginning_->state), none);
    SASH_CHECK(restored.ok());  // what can fail is to load slices
    journal_.Resume(beginning_->rounds);
    rounds_.Resume(std::move(beginning_->rounds));
  } else {
    journal_.BeginAnew();
  }
  beginning_.reset();
  EventBatch begin;
  begin.start = std::move(start);
  rounds_.Do(std::move(begin));
  Tend();  // windows for ever begin with a state before their first event
}

void RewindingEngine::Tend() {
  if (rounds_.is_live()) journal_.Tend(rounds_, keys_, around_.engine.Now().steady);
}

}  // namespace sash
