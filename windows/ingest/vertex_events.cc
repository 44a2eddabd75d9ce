#include "windows/ingest/vertex_events.h"

#include <algorithm>
#include <utility>

#include "windows/base/allocated_bytes.h"

namespace sash {

void VertexEvents::AddBlock(Bucket& bucket) {
  constexpr std::size_t kLeast = 16;
  constexpr std::size_t kMost = 1024;
  Block* block = free_;
  if (block != nullptr) {
    free_ = block->older;
  } else {
    // Slab i has kLeast << i blocks, at most kMost.
    if (slab_left_ == 0) {
      slab_left_ = std::min(kMost, kLeast << std::min<std::size_t>(slabs_.size(), 6));
      slabs_.push_back(std::make_unique_for_overwrite<Block[]>(slab_left_));
      bytes_ += AllocatedBytes(slab_left_ * sizeof(Block));
    }
    block = &slabs_.back()[--slab_left_];
  }
  block->older = bucket.newest;
  bucket.newest = block;
  bucket.used = 0;
}

void VertexEvents::Chain(Bucket& bucket) {
  std::size_t before = 0;
  const auto bytes = [&bucket] {
    return AllocatedBytes(bucket.chains->links) + bucket.chains->newest.bytes();
  };
  if (bucket.chains) {
    before = bytes();
  } else {
    bucket.chains = std::make_unique<Chains>();
  }
  Chains& chains = *bucket.chains;
  while (bucket.newest != nullptr) {
    Block* const block = bucket.newest;
    for (std::size_t i = 0; i < bucket.used; ++i) {
      const auto [v, event] = block->entries[i];
      const auto place = static_cast<std::uint32_t>(chains.links.size());
      chains.links.push_back({event, std::exchange(chains.newest[v], place)});
    }
    bucket.used = static_cast<std::uint32_t>(block->entries.size());
    bucket.newest = block->older;
    block->older = free_;
    free_ = block;
  }
  bytes_ += bytes() - before;
  bucket.used = 0;
  bucket.unchained = 0;
  bucket.looks = 0;
}

}  // namespace sash
