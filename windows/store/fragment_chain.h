// FragmentChain: one direction of a multiversioned window: the vertex table and its edge tables.
//
// The vertex table holds, per vertex, its newest fragment and its live degree; the rest of the list
// is found through the fragments' links, newest first. What ages out is always the tail of a list,
// so ageing out lowers degrees and touches nothing else: readers stop at the degree and never
// follow a link into a slice that left (rules R2, R3 and R6 of windows/README.md).
//
// Thread safety: FragmentChain belongs to the engine thread; a ChainView to any thread.
//
// Invariants
//   (1) A vertex's live degree is the sum of the lengths of its fragments in retained slices.
//   (2) A ChainView never changes and keeps alive every table it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <vector>

#include "windows/base/ids.h"
#include "windows/store/edge_table.h"
#include "windows/store/multiversioned_array.h"
#include "windows/store/neighbor.h"

namespace sash {

// The vertex table's entry.
struct FragmentHead {
  std::uint64_t slice = 0;     // SliceId of the newest fragment; meaningless when degree is 0
  std::uint32_t fragment = 0;  // its place in that slice's table
  std::uint32_t degree = 0;    // live edges of the vertex in this direction
};
static_assert(sizeof(FragmentHead) == 16);

using VertexTable = MultiversionedArray<FragmentHead>;

class ChainView {
 public:
  // Walks a vertex's live edges, newest slice first.
  class Iterator {
   public:
    using value_type = VertexId;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const ChainView& chain, const FragmentHead& head)
        : chain_(&chain), slice_(head.slice), remaining_(head.degree) {
      if (remaining_ > 0) Enter(head.fragment);
    }

    VertexId operator*() const { return table_->neighbour(slot_); }
    Weight weight() const { return table_->weight(slot_); }
    Iterator& operator++() {
      --remaining_;
      if (++slot_ == end_ && remaining_ > 0) {
        const FragmentLink older = table_->older(fragment_);
        slice_ -= older.slices_back;
        Enter(older.fragment);
      }
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& i, std::default_sentinel_t) { return i.remaining_ == 0; }

   private:
    void Enter(std::uint32_t fragment) {
      table_ = &chain_->table(slice_);
      fragment_ = fragment;
      slot_ = table_->begin(fragment);
      end_ = table_->end(fragment);
    }

    const ChainView* chain_ = nullptr;
    const EdgeTable* table_ = nullptr;
    std::uint64_t slice_ = 0;
    std::uint32_t fragment_ = 0;
    std::uint32_t slot_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t remaining_ = 0;
  };

  class List {
   public:
    List(const ChainView& chain, const FragmentHead& head) : chain_(&chain), head_(head) {}
    Iterator begin() const { return {*chain_, head_}; }
    std::default_sentinel_t end() const { return {}; }

   private:
    const ChainView* chain_;
    FragmentHead head_;
  };

  FragmentHead head(VertexId v) const { return v < heads_.size() ? heads_[v] : FragmentHead(); }
  std::uint32_t degree(VertexId v) const { return head(v).degree; }
  List list(VertexId v) const { return {*this, head(v)}; }
  const EdgeTable& table(std::uint64_t slice) const { return *tables_[slice - first_slice_]; }

  // visit(v, u) for every edge of v to u with v in [first, last), table by table: a sweep in memory
  // order where walking the lists would chase a pointer per fragment (rule R13).
  template <typename Visit>
  void Sweep(VertexId first, VertexId last, const Visit& visit) const {
    for (std::size_t t = tables_.size(); t-- > 0;) {
      const EdgeTable& table = *tables_[t];
      const auto fragments = static_cast<std::uint32_t>(table.fragment_count());
      for (std::uint32_t f = table.LowerBound(first); f < fragments && table.vertex(f) < last;
           ++f) {
        const VertexId v = table.vertex(f);
        for (std::uint32_t slot = table.begin(f); slot < table.end(f); ++slot) {
          visit(v, table.neighbour(slot));
        }
      }
    }
  }

  const VertexTable::Version& heads() const { return heads_; }

 private:
  friend class FragmentChain;
  VertexTable::Version heads_;
  std::vector<std::shared_ptr<const EdgeTable>> tables_;  // oldest first, by slice id
  std::uint64_t first_slice_ = 0;
};

class FragmentChain {
 public:
  // Adds a slice newer than all before: every fragment becomes the head of its vertex's list.
  void Add(const Slice& slice, EdgeDirection direction, VertexId id_limit);

  // Forgets the oldest slice. O(its fragments).
  void AgeOutOldest();

  std::uint32_t degree(VertexId v) const { return v < heads_.size() ? heads_[v].degree : 0; }
  bool empty() const { return tables_.empty(); }
  const EdgeTable& oldest() const { return *tables_.front(); }
  const EdgeTable& newest() const { return *tables_.back(); }

  ChainView Publish();
  std::size_t table_bytes() const { return table_bytes_; }
  std::size_t vertex_bytes() const { return heads_.bytes(); }

 private:
  VertexTable heads_;
  std::deque<std::shared_ptr<const EdgeTable>> tables_;
  std::uint64_t first_slice_ = 0;
  std::size_t table_bytes_ = 0;
};

}  // namespace sash
