// ListPage: where the lists of 256 neighbouring vertex ids are, in one version and one direction.
//
// A short list is a stretch of the page's block, with the newest edges at its end. So edges that
// age out are always its front, and a reader that knows the degree needs only the end (rule R3). A
// long list is a sequence of chunks.
//
// Thread safety: immutable once published.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "windows/store/lists/edge_block.h"

namespace sash {

// A part of a long list: the first `count` slots of its block.
struct ListChunk {
  std::shared_ptr<EdgeBlock> block;
  std::uint32_t number = 0;  // ascends along the list, with holes; wraps around
  std::uint32_t count = 0;   // for the last chunk see LongListVersion
};

struct ListChunks : std::vector<ListChunk> {
  CountedBytes counted;  // of the vector, not of the blocks
};

struct LongListVersion {
  std::shared_ptr<const ListChunks> chunks;  // oldest first
  std::uint32_t last_count = 0;              // slots of the last chunk
};

struct ListPage {
  static constexpr unsigned kBits = 8;
  static constexpr std::uint32_t kVertices = 1u << kBits;

  // An entry of `ends`: the slot behind a short list's newest edge, or a long list's place in
  // long_lists; and two flags that a reader needs before it reads.
  static constexpr std::uint32_t kHasDead = 0x8000'0000;
  static constexpr std::uint32_t kIsLong = 0x4000'0000;
  static constexpr std::uint32_t kPlace = 0x3FFF'FFFF;

  std::shared_ptr<EdgeBlock> block;  // of the short lists; null while there are none
  std::vector<LongListVersion> long_lists;
  std::array<std::uint32_t, kVertices> ends{};
  CountedBytes counted;  // without the block

  // The end of the part of [first, last) that is on the page of `first`, which is below `last`. It
  // does not overflow on the last page of all ids.
  static constexpr VertexId EndOnPage(VertexId first, VertexId last) {
    return first + std::min(last - first, kVertices - first % kVertices);
  }

  std::size_t bytes() const;
};

inline std::size_t ListPage::bytes() const {
  return kSharedBytes<ListPage> + AllocatedBytes(long_lists);
}

}  // namespace sash
