// ListChanges: the edges that came to the lists of one direction and that left them, between two
// views of the same vertices.
//
// Thread safety: immutable, like the views, which outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "windows/base/ids.h"
#include "windows/base/weighed_edge.h"
#include "windows/store/list_ends.h"
#include "windows/store/lists/adjacency_view.h"
#include "windows/store/lists/list_difference.h"
#include "windows/store/unlike_lists.h"

namespace sash {

class ListChanges {
 public:
  // `ends`: if edges leave a list only at its front, and the slices between are known.
  ListChanges(const ShownLists& before, const ShownLists& after,
              std::optional<ListEnds> ends = std::nullopt)
      : before_(before), after_(after), ends_(std::move(ends)) {}

  // visit(v, came, left) for each v in [first, last) whose list differs. An edge is in `came` or
  // `left` once for each copy, and never in both. With `ends` it costs time in proportion to the
  // edges that changed; without, also to the edges that were moved, and a little for each vertex.
  template <typename Visit>
  void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
    ForEach<VertexId>(first, last, visit);
  }
  // The same with weights; only if weights are fixed.
  template <typename Visit>
  void ForEachWeighedIn(VertexId first, VertexId last, const Visit& visit) const {
    ForEach<WeighedEdge>(first, last, visit);
  }

 private:
  template <typename Edge, typename Visit>
  void ForEach(VertexId first, VertexId last, const Visit& visit) const {
    ListDifference<Edge> difference;
    const auto visit_if_differs = [&](VertexId v) {
      const bool differs = !difference.came().empty() || !difference.left().empty();
      if (differs) visit(v, difference.came(), difference.left());
    };
    if (!ends_) {
      return ForEachUnlike(before_, after_, first, last, [&](VertexId v) {
        difference.Compare(before_.Runs(v), after_.Runs(v));
        visit_if_differs(v);
      });
    }
    ForEachUnlikeEnd(before_, after_, *ends_, first, last,
                     [&](VertexId v, std::uint32_t left, std::uint32_t came) {
                       difference.TakeEnds(before_.Runs(v), left, after_.Runs(v), came);
                       visit_if_differs(v);
                     });
  }

  const ShownLists before_;
  const ShownLists after_;
  const std::optional<ListEnds> ends_;
};

}  // namespace sash
