// VertexEvents: events found by their vertex, where most are never asked for.
//
// An added event is written behind the others of a bucket, which it shares with other vertices. A
// reader looks through the bucket. The events of a bucket that is read often are chained: an event
// then leads to the event before it of the same vertex, and a reader sees no others. Chaining an
// event costs as much as looking at it kLooks times, and a bucket is chained when each of its
// events has been looked at kLooks times. So the work is at most twice that of the better way.
//
// Thread safety: like a vector; AnyOf() and ForEachOf() change it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/vertex_table.h"

namespace sash {

class VertexEvents {
 public:
  // `event`: a number.
  void Add(VertexId v, std::uint32_t event) {
    if (added_ == 0) few_.resize(kFewBuckets);
    if (added_ == kFew) many_.resize(kManyBuckets);
    Bucket& bucket = added_++ < kFew ? few_[v % kFewBuckets] : many_[v % kManyBuckets];
    if (bucket.newest == nullptr || bucket.used == bucket.newest->entries.size()) AddBlock(bucket);
    bucket.newest->entries[bucket.used++] = {v, event};
    ++bucket.unchained;
  }

  // Whether is_it(event) is true for an event of v. Asks in no order, until it is true once.
  template <typename IsIt>
  bool AnyOf(VertexId v, const IsIt& is_it) {
    return AnyIn(few_, v, is_it) || AnyIn(many_, v, is_it);
  }
  // visit(event) for each event of v, in no order.
  template <typename Visit>
  void ForEachOf(VertexId v, const Visit& visit) {
    (void)AnyOf(v, [&visit](std::uint32_t event) {
      visit(event);
      return false;
    });
  }

  bool empty() const { return added_ == 0; }
  std::size_t bytes() const { return (few_.size() + many_.size()) * sizeof(Bucket) + bytes_; }

 private:
  // The first events have buckets of their own, so that few events take little memory.
  static constexpr std::size_t kFew = 1024;
  static constexpr std::size_t kFewBuckets = 16;
  static constexpr std::size_t kManyBuckets = 512;
  static constexpr std::size_t kLooks = 32;

  struct Entry {
    VertexId vertex;
    std::uint32_t event;
  };
  struct Block {
    Block* older;
    std::array<Entry, 15> entries;
  };
  static_assert(sizeof(Block) == 128);
  struct Link {
    std::uint32_t event = 0;
    // The place of the event before it of the same vertex.
    std::uint32_t before = VertexTable::kNone;
  };
  struct Chains {
    VertexTable newest;  // by vertex, the place of its newest event in links
    std::vector<Link> links;
  };
  struct Bucket {
    Block* newest = nullptr;  // of the events that are not chained; the blocks before it are full
    std::uint32_t used = 0;   // entries in the newest block
    std::uint32_t unchained = 0;
    std::size_t looks = 0;           // at events that are not chained
    std::unique_ptr<Chains> chains;  // null: no event is chained
  };
  static_assert(sizeof(Bucket) == 32);

  template <typename IsIt>
  bool AnyIn(std::vector<Bucket>& buckets, VertexId v, const IsIt& is_it) {
    if (buckets.empty()) return false;
    Bucket& bucket = buckets[v % buckets.size()];
    bucket.looks += bucket.unchained;
    if (bucket.looks > kLooks * bucket.unchained) Chain(bucket);
    std::size_t used = bucket.used;
    for (const Block* block = bucket.newest; block != nullptr; block = block->older) {
      for (std::size_t i = 0; i < used; ++i) {
        if (block->entries[i].vertex == v && is_it(block->entries[i].event)) return true;
      }
      used = block->entries.size();
    }
    if (!bucket.chains) return false;
    std::uint32_t next = bucket.chains->newest.Find(v);
    for (; next != VertexTable::kNone; next = bucket.chains->links[next].before) {
      if (is_it(bucket.chains->links[next].event)) return true;
    }
    return false;
  }
  void AddBlock(Bucket& bucket);
  void Chain(Bucket& bucket);

  std::size_t added_ = 0;
  std::vector<Bucket> few_;   // of the first kFew events, by the vertex modulo their number
  std::vector<Bucket> many_;  // likewise, of the others
  std::vector<std::unique_ptr<Block[]>> slabs_;
  std::size_t slab_left_ = 0;  // blocks of the newest slab that were not used yet
  Block* free_ = nullptr;      // blocks that were used, linked by `older`
  std::size_t bytes_ = 0;      // of slabs and chains
};

}  // namespace sash
