#include "windows/jobs/kernel_run.h"

namespace sash {

FollowedEdges Followed(TraversalDirection direction) {
  switch (direction) {
    case TraversalDirection::kOut:
      return FollowedEdges::kOut;
    case TraversalDirection::kIn:
      return FollowedEdges::kIn;
    case TraversalDirection::kBoth:
      break;
  }
  return FollowedEdges::kBoth;
}

std::vector<VertexId> KnownIds(const std::vector<VertexKey>& keys,
                               const VertexDictionary& dictionary) {
  std::vector<VertexId> ids;
  for (const VertexKey& key : keys) {
    if (const std::optional<VertexId> id = dictionary.Find(key)) ids.push_back(*id);
  }
  return ids;
}

}  // namespace sash
