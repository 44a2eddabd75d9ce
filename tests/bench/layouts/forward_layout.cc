#include "tests/bench/layouts/forward_layout.h"

#include "windows/base/check.h"

namespace sash::bench {
namespace {

std::uint32_t SlotOf(const SliceTable& table, VertexId owner, VertexId neighbour) {
  return table.SlotOf(table.LowerBound(owner), neighbour);
}

}  // namespace

void ForwardLayout::Add(const Slice& slice, Direction direction, VertexId id_limit,
                        std::span<const Death> deaths) {
  const std::uint64_t now = slice.id.value;
  if (weights_.empty()) first_slice_ = now;
  links_.Add(slice, direction, id_limit, deaths);
  const SliceTable& table = links_.table(now);
  weights_.push_back(std::make_shared<Weights>(table.edge_count()));
  Weights& fresh = *weights_.back();
  for (std::size_t i = 0; i < slice.size(); ++i) {
    const Weight weight = slice.weights[i];
    if (weight.integer() == 1) continue;
    const VertexId owner = direction == Direction::kOut ? slice.sources[i] : slice.targets[i];
    const VertexId other = direction == Direction::kOut ? slice.targets[i] : slice.sources[i];
    fresh.values[SlotOf(table, owner, other)] = static_cast<std::uint32_t>(weight.integer());
  }
  for (const OwnedDeath& death : ByOwner(deaths, direction)) {
    const std::uint32_t older = SlotOf(links_.table(death.slice), death.owner, death.neighbour);
    const std::uint32_t newer = SlotOf(table, death.owner, death.neighbour);
    At(death.slice).forwards[older] = {static_cast<std::uint32_t>(now - death.slice), newer};
    fresh.values[newer] += At(death.slice).values[older];
  }
}

void ForwardLayout::AgeOutOldest() {
  const Weights& oldest = *weights_.front();
  for (std::size_t slot = 0; slot < oldest.values.size(); ++slot) {
    std::uint64_t slice = first_slice_;
    for (Forward next = oldest.forwards[slot]; next.slices_ahead > 0;) {
      slice += next.slices_ahead;
      SASH_CHECK(At(slice).values[next.slot] > oldest.values[slot]);
      At(slice).values[next.slot] -= oldest.values[slot];
      next = At(slice).forwards[next.slot];
    }
  }
  links_.AgeOutOldest();
  weights_.pop_front();
  ++first_slice_;
}

ForwardLayout::View ForwardLayout::Publish() {
  View view;
  view.links_ = links_.Publish();
  view.weights_.assign(weights_.begin(), weights_.end());
  return view;
}

std::size_t ForwardLayout::bytes() const {
  std::size_t bytes = links_.bytes();
  for (const auto& weights : weights_) {
    bytes += weights->values.capacity() * sizeof(weights->values[0]) +
             weights->forwards.capacity() * sizeof(Forward);
  }
  return bytes;
}

}  // namespace sash::bench
