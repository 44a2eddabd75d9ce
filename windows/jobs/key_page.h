// KeyPage: collects a page of vertices in the order of their keys, in one pass over any number of
// vertices, O(log(count)) each.
//
// Thread safety: none. The dictionary must outlive the page, and the caller pins the vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

class KeyPage {
 public:
  // Collects the first `count` vertices behind the key `after`; without `after`, the first of all.
  // `after` has the kind of the dictionary, and need not be known.
  KeyPage(const VertexDictionary& keys, std::optional<VertexKey> after, std::size_t count)
      : keys_(keys), after_(std::move(after)), count_(count) {}

  void Add(VertexId vertex);

  std::uint64_t following() const { return following_; }  // of those added: behind `after`
  // The page, in the order of keys.
  std::vector<VertexId> Take() &&;

 private:
  bool IsFollowing(VertexId vertex) const;

  const VertexDictionary& keys_;
  const std::optional<VertexKey> after_;
  const std::size_t count_;
  std::uint64_t following_ = 0;
  std::vector<VertexId> first_{};  // a heap, the last key on top
};

}  // namespace sash
