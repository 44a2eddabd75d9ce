#include "windows/ingest/vertex_lifetimes.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "windows/base/check.h"

namespace sash {

void VertexLifetimes::ReferAtLimits(VertexId id, std::uint32_t times) {
  if (id >= states_.size() || states_[id] == 0) Begin(id);
  State& state = states_[id];
  const State references = References(state);
  if (references == 0) {
    ++referred_;
    if ((state & kQueued) != 0) {
      state |= kRevived;
      --waiting_;
    }
  }
  state += std::min(times, kMostReferences - references);
}

void VertexLifetimes::Release(VertexId id, std::uint32_t times) {
  SASH_CHECK(id < states_.size());
  State& state = states_[id];
  const State references = References(state);
  if (references == kMostReferences) return;
  SASH_CHECK(references >= times);
  state -= times;
  if (references == times) Die(id);
}

void VertexLifetimes::Release(const CodedCounts& counts) {
  counts.ForEach([this](VertexId id, std::uint32_t times) { Release(id, times); });
}

void VertexLifetimes::Begin(VertexId id) {
  if (id >= states_.size()) states_.resize(std::size_t{id} + 1);
  while (births_.size() < id) births_.push_back(0);
  const auto birth = static_cast<std::uint32_t>(epoch_);
  if (id == births_.size()) {
    births_.push_back(birth);
  } else {
    births_.Set(id, birth);
  }
}

void VertexLifetimes::Die(VertexId id) {
  --referred_;
  ++waiting_;
  // An id that is already in the queue moves to its end when MayRecycle() finds it.
  if ((states_[id] & kQueued) != 0) return;
  states_[id] |= kQueued;
  if (died_.empty() || died_.back().epoch != epoch_) died_.push_back({epoch_, {}});
  died_.back().ids.push_back(id);
}

std::shared_ptr<const IdPin> VertexLifetimes::Pin() {
  return std::make_shared<const IdPin>(board_, epoch_++);
}

// Takes `id` out of the queue. False if it is alive, or may have been when some pin was taken.
bool VertexLifetimes::MayRecycle(VertexId id) {
  State& state = states_[id];
  const bool revived = (state & kRevived) != 0;
  state &= ~(kQueued | kRevived);
  if (References(state) > 0) return false;
  if (!revived) return true;
  // The epoch in which it died again is not known; it is at most the current one.
  ++referred_;
  --waiting_;
  Die(id);
  return false;
}

void VertexLifetimes::Recycle() {
  // After this number of ids, other threads can look up keys.
  constexpr std::size_t kAtOnce = 256;
  const std::optional<std::uint64_t> oldest = board_->Oldest();
  while (!died_.empty() && (!oldest || died_.front().epoch <= *oldest)) {
    std::vector<VertexId> ids = std::move(died_.front().ids);
    died_.pop_front();
    std::erase_if(ids, [this](VertexId id) { return !MayRecycle(id); });
    for (std::size_t begin = 0; begin < ids.size(); begin += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, ids.size() - begin);
      VertexDictionary::Writer(keys_).Forget(std::span(ids).subspan(begin, count));
    }
    waiting_ -= ids.size();
    recycled_ += ids.size();
  }
}

bool VertexLifetimes::BornAfter(std::uint64_t then, VertexId id, const IdPin& now) const {
  // Compares ages, because the lower half of an epoch wraps around. After that an old id may appear
  // young: a warm start then loses only what it knew of one vertex.
  const std::uint32_t age = static_cast<std::uint32_t>(now.epoch()) - births_[id];
  return age < now.epoch() - then;
}

VertexLifetimes::Figures VertexLifetimes::figures() const {
  const std::optional<std::uint64_t> oldest = board_->Oldest();
  return {.referred = referred_,
          .waiting = waiting_,
          .recycled = recycled_,
          .pins = board_->size(),
          .oldest_pin = oldest ? epoch_ - *oldest : 0};
}

std::size_t VertexLifetimes::bytes() const {
  std::size_t bytes = states_.capacity() * sizeof(State) + births_.bytes();
  for (const Died& died : died_) bytes += sizeof(Died) + died.ids.capacity() * sizeof(VertexId);
  return bytes;
}

}  // namespace sash
