#include "connectors/kafka/read_round.h"

namespace sash {

void ReadRound::Reset() {
  batches_ = std::vector<EventBatch>(1);
  batches_.front().filters = filters_;
  filled_ = 1;
}

void ReadRound::JudgeBy(const FilterSetPtr& filters, bool say) {
  filters_ = filters;
  for (EventBatch& batch : batches_) batch.NumberAs(filters);
  last().begins_filters = say;
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
  for (EventBatch& batch : batches().subspan(last + 1)) batch.filters = filters_;
  return batches().subspan(last);
}

}  // namespace sash
