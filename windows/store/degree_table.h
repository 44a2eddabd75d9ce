// DegreeTable: the live degrees of one window, in both directions, versioned.
//
// Thread safety: belongs to the engine thread, but a second thread may change one direction while
// the engine thread changes the other. A Version belongs to any thread.
//
// Invariants
//   (1) vertex_count() is the number of vertices that had a degree other than 0 at the last
//       CountVertices().
//   (2) After a publication, a page whose degrees are all 0 takes no memory of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/ids.h"
#include "windows/store/lists/list_page.h"
#include "windows/store/multiversioned_array.h"

namespace sash {

class DegreeTable {
 public:
  using Array = MultiversionedArray<std::uint32_t, ListPage::kBits>;

  // The degrees of one direction.
  class Direction {
   public:
    explicit Direction(std::shared_ptr<AliveBytes> alive) : degrees_(std::move(alive)) {}

    void Add(VertexId v, std::uint32_t count) {
      std::uint32_t& degree = degrees_.At(v);
      SASH_CHECK(degree <= 0xFFFF'FFFF - count);
      degree += count;
    }
    void Subtract(VertexId v, std::uint32_t count) {
      std::uint32_t& degree = degrees_.At(v);
      SASH_CHECK(degree >= count);
      degree -= count;
    }
    void PrefetchPage(VertexId v) const { degrees_.PrefetchPage(v); }
    void Prefetch(VertexId v) const { __builtin_prefetch(&degrees_[v]); }

    // CountVertices() must be called before it. O(ids / ids of a page).
    Array::Version Publish() {
      degrees_.ClearZeroPages();
      return degrees_.Publish();
    }

   private:
    friend class DegreeTable;
    Array degrees_;
  };

  struct Version {
    Array::Version out;
    Array::Version in;
    std::size_t page_count() const { return out.page_count(); }
    std::uint32_t out_of(VertexId v) const { return v < out.size() ? out[v] : 0; }
    std::uint32_t in_of(VertexId v) const { return v < in.size() ? in[v] : 0; }
  };

  explicit DegreeTable(const std::shared_ptr<AliveBytes>& alive = nullptr)
      : out(alive), in(alive) {}

  // Ids below `size` may be changed from now on.
  void Reserve(std::size_t size) {
    out.degrees_.Reserve(size);
    in.degrees_.Reserve(size);
    present_.resize(out.degrees_.page_count());
  }

  std::size_t vertex_count() const { return vertex_count_; }

  std::size_t page_count() const { return out.degrees_.page_count(); }

  // Brings vertex_count() up to date. After it, two threads may publish the two directions. Costs
  // time in proportion to the pages changed since the last call.
  void CountVertices() {
    for (const std::size_t page : out.degrees_.written_pages()) Count(page);
    for (const std::size_t page : in.degrees_.written_pages()) {
      if (!out.degrees_.is_own(page)) Count(page);
    }
  }
  Version Publish() {
    CountVertices();
    return {out.Publish(), in.Publish()};
  }

  std::size_t bytes() const {
    return out.degrees_.bytes() + in.degrees_.bytes() + AllocatedBytes(present_);
  }
  std::size_t versioned_bytes() const {
    return out.degrees_.versioned_bytes() + in.degrees_.versioned_bytes();
  }

  Direction out;
  Direction in;

 private:
  void Count(std::size_t page) {
    const Array::Page& outs = out.degrees_.page(page);
    const Array::Page& ins = in.degrees_.page(page);
    std::uint32_t present = 0;
    for (std::size_t i = 0; i < Array::kPageSize; ++i) present += (outs[i] | ins[i]) != 0 ? 1 : 0;
    vertex_count_ += present;
    vertex_count_ -= std::exchange(present_[page], static_cast<std::uint16_t>(present));
  }

  std::vector<std::uint16_t> present_;  // by page
  std::size_t vertex_count_ = 0;
};

}  // namespace sash
