#include "connectors/kafka/read_round.h"

namespace sash {

void ReadRound::Reset() {
  batches_ = std::vector<EventBatch>(1);
  filled_ = 1;
}

void ReadRound::Begin(const Clock& clock) {
  now_ = clock.Now();
  steady_ = clock.Steady();
  any_ahead_ = false;
}

std::span<EventBatch> ReadRound::Extend(std::size_t count) {
  const std::size_t last = filled_ - 1;
  filled_ = last + 1 + count;
  if (batches_.size() < filled_) batches_.resize(filled_);
  return batches().subspan(last);
}

}  // namespace sash
