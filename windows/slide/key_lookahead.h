// KeyLookahead: goes through the events of a batch some events ahead of the engine, and prefetches
// the entries of their vertices in the dictionary and in the lifetimes.
//
// A key costs two cache misses in the dictionary, one after the other, and one in the lifetimes. So
// its hash is computed and its slot prefetched 15 events ahead, and the entries of the id in that
// slot 8 events ahead.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <array>
#include <cstddef>

#include "windows/ingest/event_batch.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/ingest/vertex_lifetimes.h"

namespace sash {

class KeyLookahead {
 public:
  // The hashes of an event's two keys; `target` has no meaning for remove_vertex.
  struct Hashes {
    KeyHash source{};
    KeyHash target{};
  };

  // All outlive it.
  KeyLookahead(const VertexDictionary& keys, const VertexLifetimes& lives, const EventBatch& batch)
      : keys_(keys), lives_(lives), batch_(batch) {
    for (std::size_t event = 0; event < kSlotsAhead; ++event) FetchSlots(event);
    for (std::size_t event = 0; event < kEntriesAhead; ++event) FetchEntries(event);
  }

  // The hashes of the batch's next event, from the first on.
  Hashes Next() {
    FetchSlots(next_ + kSlotsAhead);
    FetchEntries(next_ + kEntriesAhead);
    return hashes_[next_++ % hashes_.size()];
  }

 private:
  static constexpr std::size_t kSlotsAhead = 15;
  static constexpr std::size_t kEntriesAhead = 8;

  KeyHash HashOf(const KeyRef& key) const {
    return keys_.kind() == KeyKind::kString ? keys_.HashOf(batch_.Text(key.text()))
                                            : keys_.HashOf(key.integer());
  }

  void FetchSlots(std::size_t event) {
    if (event >= batch_.events().size()) return;
    const EdgeEvent& ahead = batch_.events()[event];
    Hashes& hashes = hashes_[event % hashes_.size()];
    hashes = {HashOf(ahead.source), HashOf(ahead.target)};
    keys_.PrefetchSlot(hashes.source);
    keys_.PrefetchSlot(hashes.target);
  }

  void FetchEntries(std::size_t event) const {
    if (event >= batch_.events().size()) return;
    const Hashes& hashes = hashes_[event % hashes_.size()];
    lives_.Prefetch(keys_.PrefetchEntry(hashes.source));
    lives_.Prefetch(keys_.PrefetchEntry(hashes.target));
  }

  const VertexDictionary& keys_;
  const VertexLifetimes& lives_;
  const EventBatch& batch_;
  std::array<Hashes, kSlotsAhead + 1> hashes_{};
  std::size_t next_ = 0;
};

}  // namespace sash
