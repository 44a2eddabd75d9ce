// AdjacencyView: the lists of one direction in one version, read newest edges first.
//
// A reader knows the degree in its own window. It reads that number of visible edges from the
// newest on, so windows of every length read the same lists.
//
// Thread safety: immutable.
//
// Invariants
//   (1) It never changes, and keeps alive every block that it reads.
//   (2) A run holds only visible edges: inside a run nothing is tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "windows/store/lists/list_page.h"

namespace sash {

// Consecutive visible slots.
struct EdgeRun {
  const EdgeBlock* block = nullptr;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::span<const VertexId> neighbours() const {
    return {block->neighbours() + begin, block->neighbours() + end};
  }
};

// The runs of one list, newest first.
class RunCursor {
 public:
  RunCursor() = default;
  RunCursor(const ListPage& page, VertexId vertex, std::uint32_t degree, SliceNumber view)
      : remaining_(degree), view_(view) {
    if (degree == 0) return;
    const std::uint32_t end = page.ends[vertex % ListPage::kVertices];
    const std::uint32_t place = end & ListPage::kPlace;
    if ((end & ListPage::kIsLong) == 0) {
      block_ = page.block.get();
      unread_ = place;
      has_dead_ = (end & ListPage::kHasDead) != 0;
      return;
    }
    const LongListVersion& list = page.long_lists[place];
    // The last chunk is still being filled: the count in it belongs to the writer.
    older_ = &list.chunks->back();
    block_ = older_->block.get();
    unread_ = list.last_count;
    has_dead_ = block_->has_dead();
  }

  // False at the end of the list.
  bool Next(EdgeRun& run) {
    if (remaining_ == 0) return false;
    if (has_dead_) SkipDead();
    while (unread_ == 0) {
      EnterOlderChunk();
      if (has_dead_) SkipDead();
    }
    const std::uint32_t end = unread_;
    if (has_dead_) {
      while (unread_ > 0 && remaining_ > 0 && block_->IsVisible(unread_ - 1, view_)) {
        --unread_;
        --remaining_;
      }
    } else {
      const std::uint32_t count = remaining_ < unread_ ? remaining_ : unread_;
      unread_ -= count;
      remaining_ -= count;
    }
    run = {block_, unread_, end};
    return true;
  }

 private:
  void SkipDead() {
    while (unread_ > 0 && !block_->IsVisible(unread_ - 1, view_)) --unread_;
  }
  void EnterOlderChunk() {
    --older_;
    block_ = older_->block.get();
    unread_ = older_->count;
    has_dead_ = block_->has_dead();
  }

  const EdgeBlock* block_ = nullptr;
  const ListChunk* older_ = nullptr;  // the chunk that block_ belongs to
  std::uint32_t unread_ = 0;          // slots of the block that have not been looked at
  std::uint32_t remaining_ = 0;       // visible edges still to come
  SliceNumber view_ = 0;
  bool has_dead_ = false;
};

// A list as a range of neighbours.
class NeighbourRange {
 public:
  class Iterator {
   public:
    using value_type = VertexId;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const RunCursor& runs) : runs_(runs) { EnterNextRun(); }

    VertexId operator*() const { return *next_; }
    Iterator& operator++() {
      if (++next_ == end_) EnterNextRun();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& i, std::default_sentinel_t) {
      return i.next_ == nullptr;
    }

   private:
    void EnterNextRun() {
      EdgeRun run;
      next_ = nullptr;
      if (!runs_.Next(run)) return;
      next_ = run.block->neighbours() + run.begin;
      end_ = run.block->neighbours() + run.end;
    }

    RunCursor runs_;
    const VertexId* next_ = nullptr;
    const VertexId* end_ = nullptr;
  };

  NeighbourRange() = default;
  explicit NeighbourRange(const RunCursor& runs) : runs_(runs) {}
  Iterator begin() const { return Iterator(runs_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  RunCursor runs_;
};

class AdjacencyView {
 public:
  using Pages = std::vector<std::shared_ptr<const ListPage>>;  // null: no lists

  AdjacencyView() : pages_(std::make_shared<const Pages>()) {}
  explicit AdjacencyView(std::shared_ptr<const Pages> pages) : pages_(std::move(pages)) {}

  // `degree` is the degree in the reader's window at slice `view`.
  RunCursor Runs(VertexId vertex, std::uint32_t degree, SliceNumber view) const {
    if (degree == 0) return {};
    return {*(*pages_)[vertex >> ListPage::kBits], vertex, degree, view};
  }

  // Null: the page has no lists.
  const ListPage* page(std::size_t i) const {
    return i < pages_->size() ? (*pages_)[i].get() : nullptr;
  }

 private:
  std::shared_ptr<const Pages> pages_;
};

}  // namespace sash
