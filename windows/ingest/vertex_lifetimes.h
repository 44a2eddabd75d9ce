// VertexLifetimes: counts the references to the ids of a dictionary, and decides when an id may be
// used again.
//
// An id lives while events of open or retained slices refer to it. After its last reference is
// released, it waits until no pin protects it any more; then its key is forgotten and its id is
// free.
//
// Time is counted in epochs: each pin ends one.
//
// Thread safety
//   Belongs to the engine thread. Pins may be released in any thread. BornAfter() may be called in
//   any thread that holds the pin it passes.
//
// Invariants
//   (1) An id is recycled only when it has no reference, and every pin that was taken while it had
//       one is released. What the holders of those pins did with the id happens before its
//       recycling.
//   (2) An id that is referred to again while it waits keeps its key and its birth.
//   (3) An id is at most once in the queue of ids that died.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "windows/base/ids.h"
#include "windows/ingest/coded_counts.h"
#include "windows/ingest/id_pin.h"
#include "windows/ingest/stable_vector.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

class VertexLifetimes {
 public:
  // `keys` outlives it, and only Recycle() makes it forget keys.
  explicit VertexLifetimes(VertexDictionary& keys) : keys_(keys) {}

  // `id` comes from a Writer's Intern(), with no Recycle() in between. `times` > 0.
  void Refer(VertexId id, std::uint32_t times = 1) {
    const State references = id < states_.size() ? References(states_[id]) : 0;
    if (references == 0 || times > kMostReferences - references) return ReferAtLimits(id, times);
    states_[id] += times;
  }
  // At most as many times as the id was referred to.
  void Release(VertexId id, std::uint32_t times = 1);
  void Release(const CodedCounts& counts);
  // Before a Refer() of the same id. Any number is allowed, also kNoVertex.
  void Prefetch(VertexId id) const {
    if (id < states_.size()) __builtin_prefetch(&states_[id], 1);
  }

  // Ends the epoch. Everything that uses ids without referring to them must hold a pin: views, and
  // vectors indexed by id.
  std::shared_ptr<const IdPin> Pin();

  // Forgets the keys of all ids without references and pins. Costs time in proportion to the ids
  // recycled.
  void Recycle();

  // Whether the life of `id` began after the pin of epoch `then` was taken. If so, values that were
  // stored for this id at `then` belong to another vertex. `id` is in a view that `now` pins.
  bool BornAfter(std::uint64_t then, VertexId id, const IdPin& now) const;

  struct Figures {
    std::size_t referred = 0;      // ids with references
    std::size_t waiting = 0;       // ids without references whose keys are still known
    std::uint64_t recycled = 0;    // ids, since the beginning
    std::size_t pins = 0;          // pins that are held
    std::uint64_t oldest_pin = 0;  // the age of the oldest pin, in epochs
  };
  Figures figures() const;
  std::size_t bytes() const;  // without the dictionary

 private:
  // A count of references, and two bits. kQueued: the id died and is in the queue. kRevived: it was
  // referred to again meanwhile.
  using State = std::uint32_t;
  static constexpr State kQueued = State{1} << 31;
  static constexpr State kRevived = State{1} << 30;
  // A count that reaches this number is never released: the id stays for ever.
  static constexpr State kMostReferences = kRevived - 1;
  static State References(State state) { return state & kMostReferences; }

  // For an id without references, or if the count would exceed kMostReferences.
  void ReferAtLimits(VertexId id, std::uint32_t times);
  void Begin(VertexId id);
  void Die(VertexId id);
  bool MayRecycle(VertexId id);

  // Ids that died in one epoch.
  struct Died {
    std::uint64_t epoch = 0;
    std::vector<VertexId> ids;
  };

  VertexDictionary& keys_;
  const std::shared_ptr<PinBoard> board_ = std::make_shared<PinBoard>();
  std::uint64_t epoch_ = 0;
  std::vector<State> states_;           // by id; 0: not alive and not queued
  StableVector<std::uint32_t> births_;  // by id: the epoch's lower half. Other threads read it
  std::deque<Died> died_;               // oldest first
  std::size_t referred_ = 0;
  std::size_t waiting_ = 0;
  std::uint64_t recycled_ = 0;
};

}  // namespace sash
