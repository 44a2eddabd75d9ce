// DegreeTable: the live degrees of one window, in both directions, versioned.
//
// Thread safety: belongs to the engine thread; a Version, to any thread.
//
// Invariants
//   (1) vertex_count() counts the vertices of which one degree is not 0.
//   (2) Pages without such a vertex take no memory of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/ids.h"
#include "windows/store/list_page.h"
#include "windows/store/multiversioned_array.h"

namespace sash {

struct Degrees {
  std::uint32_t out = 0;
  std::uint32_t in = 0;
  bool any() const { return (out | in) != 0; }
};
static_assert(sizeof(Degrees) == 8);

class DegreeTable {
 public:
  using Array = MultiversionedArray<Degrees, ListPage::kBits>;
  using Version = Array::Version;

  explicit DegreeTable(std::shared_ptr<AliveBytes> alive = nullptr) : degrees_(std::move(alive)) {}

  // Ids below `size` may be changed from now on.
  void Reserve(std::size_t size) {
    degrees_.Reserve(size);
    present_.resize(degrees_.page_count());
  }

  void AddOut(VertexId v, std::uint32_t count) {
    Degrees& degrees = Enter(v);
    SASH_CHECK(degrees.out <= 0xFFFF'FFFF - count);
    degrees.out += count;
  }
  void AddIn(VertexId v, std::uint32_t count) {
    Degrees& degrees = Enter(v);
    SASH_CHECK(degrees.in <= 0xFFFF'FFFF - count);
    degrees.in += count;
  }
  void SubtractOut(VertexId v, std::uint32_t count) {
    Degrees& degrees = degrees_.At(v);
    SASH_CHECK(degrees.out >= count);
    degrees.out -= count;
    LeaveIfZero(v, degrees);
  }
  void SubtractIn(VertexId v, std::uint32_t count) {
    Degrees& degrees = degrees_.At(v);
    SASH_CHECK(degrees.in >= count);
    degrees.in -= count;
    LeaveIfZero(v, degrees);
  }

  void PrefetchPage(VertexId v) const { degrees_.PrefetchPage(v); }
  void Prefetch(VertexId v) const { __builtin_prefetch(&degrees_[v]); }

  std::size_t vertex_count() const { return vertex_count_; }

  Version Publish() { return degrees_.Publish(); }
  std::size_t bytes() const { return degrees_.bytes() + AllocatedBytes(present_); }
  std::size_t versioned_bytes() const { return degrees_.versioned_bytes(); }

 private:
  // Counts are never 0, so a vertex that was not there is now.
  Degrees& Enter(VertexId v) {
    Degrees& degrees = degrees_.At(v);
    if (!degrees.any()) {
      ++present_[v >> ListPage::kBits];
      ++vertex_count_;
    }
    return degrees;
  }
  void LeaveIfZero(VertexId v, const Degrees& degrees) {
    if (degrees.any()) return;
    --vertex_count_;
    const std::size_t page = v >> ListPage::kBits;
    if (--present_[page] == 0) degrees_.Clear(page);
  }

  Array degrees_;
  std::vector<std::uint16_t> present_;  // by page
  std::size_t vertex_count_ = 0;
};

}  // namespace sash
