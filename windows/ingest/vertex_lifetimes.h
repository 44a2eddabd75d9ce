// VertexLifetimes: who keeps the ids of a dictionary alive, and when they may be used again.
//
// An id lives while events of open or retained slices refer to it. When the last reference goes it
// waits until nobody can name it any more; then its key is forgotten and its id is free.
//
// Time is counted in epochs: each pin ends one.
//
// Thread safety
//   Belongs to the engine thread. Pins may be released in any thread; BornAfter() may be called by
//   whoever holds the pin that it is given.
//
// Invariants
//   (1) An id is recycled only when it has no reference, and every pin taken while it had one is
//       gone; whatever the holders of those pins did with it happens before its recycling.
//   (2) An id that is referred to again while it waits keeps its key and its birth.
//   (3) An id is in the queue of those that died at most once.
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
  // `keys` outlives it and forgets nothing but what Recycle() makes it forget.
  explicit VertexLifetimes(VertexDictionary& keys) : keys_(keys) {}

  // `id` comes from a Writer's Intern(); no Recycle() in between. `times` > 0.
  void Refer(VertexId id, std::uint32_t times = 1) {
    const State references = id < states_.size() ? References(states_[id]) : 0;
    if (references == 0 || times > kMostReferences - references) return ReferAnew(id, times);
    states_[id] += times;
  }
  // No more than was referred to.
  void Release(VertexId id, std::uint32_t times = 1);
  void Release(const CodedCounts& counts);
  // For a Refer() soon; any number, kNoVertex too.
  void Prefetch(VertexId id) const {
    if (id < states_.size()) __builtin_prefetch(&states_[id], 1);
  }

  // Ends the epoch. To be held by all that names ids without referring to them: views, and whole
  // vectors.
  std::shared_ptr<const IdPin> Pin();

  // Forgets the keys of all ids that nobody can name. Costs what it recycles.
  void Recycle();

  // Whether the life of `id` began after the pin of epoch `then` was taken: what was kept by id
  // since then is about another vertex. `id` is in a view that is pinned by `now`.
  bool BornAfter(std::uint64_t then, VertexId id, const IdPin& now) const;

  struct Figures {
    std::size_t referred = 0;      // ids with references
    std::size_t waiting = 0;       // ids without, whose keys are still known
    std::uint64_t recycled = 0;    // ids, in all
    std::size_t pins = 0;          // that are held
    std::uint64_t oldest_pin = 0;  // its age, in epochs
  };
  Figures figures() const;
  std::size_t bytes() const;  // without the dictionary

 private:
  // A count of references, and two bits: kQueued, it died and has not been looked at since;
  // kRevived, it lived again meanwhile.
  using State = std::uint32_t;
  static constexpr State kQueued = State{1} << 31;
  static constexpr State kRevived = State{1} << 30;
  // So many references are never released: the id stays for ever.
  static constexpr State kMostReferences = kRevived - 1;
  static State References(State state) { return state & kMostReferences; }

  // The first reference of a life, or one too many.
  void ReferAnew(VertexId id, std::uint32_t times);
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
  std::vector<State> states_;           // by id; 0: no life
  StableVector<std::uint32_t> births_;  // by id: the epoch's lower half. Others read it
  std::deque<Died> died_;               // oldest first
  std::size_t referred_ = 0;
  std::size_t waiting_ = 0;
  std::uint64_t recycled_ = 0;
};

}  // namespace sash
