// ListPage: where the lists of 256 neighbouring vertex ids lie, in one version and one direction.
//
// A short list is a stretch of the page's block: the newest edges at its end, so that what ages out
// is always its front, and a reader who knows the degree needs nothing but the end (rule R3). A
// long list is a sequence of chunks.
//
// Thread safety: immutable once published.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "windows/store/lists/edge_block.h"

namespace sash {

// A part of a long list: the first `count` slots of its block.
struct ListChunk {
  std::shared_ptr<EdgeBlock> block;
  std::uint32_t number = 0;  // grows along the list, with holes; wraps
  std::uint32_t count = 0;   // of the last chunk: see LongListVersion
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
  // long_lists; and what a reader must know before it reads.
  static constexpr std::uint32_t kHasDead = 0x8000'0000;
  static constexpr std::uint32_t kIsLong = 0x4000'0000;
  static constexpr std::uint32_t kPlace = 0x3FFF'FFFF;

  std::shared_ptr<EdgeBlock> block;  // of the short lists; null while there are none
  std::vector<LongListVersion> long_lists;
  std::array<std::uint32_t, kVertices> ends{};
  CountedBytes counted;  // without the block

  std::size_t bytes() const;
};

inline std::size_t ListPage::bytes() const {
  return kSharedBytes<ListPage> + AllocatedBytes(long_lists);
}

}  // namespace sash
