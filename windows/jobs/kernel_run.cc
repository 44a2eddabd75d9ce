#include "windows/jobs/kernel_run.h"

namespace sash {

const WindowView& PreviousView(const RunSetting& setting) {
  static const WindowView none = EmptyView();
  return setting.previous == nullptr ? none : setting.previous->advance->view;
}

std::optional<EventTime> TimeOfPrevious(const RunSetting& setting) {
  if (setting.previous == nullptr) return std::nullopt;
  return setting.previous->advance->provenance.window_end;
}

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
