#include "connectors/codec/several_edges.h"

#include <fmt/format.h>

#include <utility>

#include "connectors/codec/edge_fields.h"

namespace sash {

std::optional<Refused> ReadWantedPlaces(const RecordEnvelope* envelope,
                                        std::optional<std::vector<EdgePlace>>& wanted) {
  if (envelope == nullptr) return std::nullopt;
  const auto text = FindHeader(envelope->headers, kPlacesHeader);
  if (!text) return std::nullopt;
  wanted = ParsePlaces(*text);
  if (wanted) return std::nullopt;
  return Refused{RefusalReason::kInvalidSyntax,
                 fmt::format("the header {} of the record is {}; it must be a list of places such "
                             "as 1/0,4/2, in their order (element/edge)",
                             kPlacesHeader, Excerpt(*text))};
}

std::optional<Refused> SeveralEdges::NoteRefused(Refused why, EdgePlace at,
                                                 const std::string& name) {
  if (why.reason == RefusalReason::kTooLarge) return why;
  why.detail = name + why.detail;
  if (refused.size() == kMostRefusedPlaces) {
    why.detail = fmt::format("more than {} of its edges are refused, so none is used; one is: {}",
                             kMostRefusedPlaces, why.detail);
    return why;
  }
  refused.push_back({at, why.reason, std::move(why.detail)});
  return std::nullopt;
}

Refused SeveralEdges::WhyRefused() && {
  const RefusedPlace& example = refused.front();
  std::string detail =
      edges == 1 ? example.detail
                 : fmt::format("{} of its {} edges: {}", refused.size(), edges, example.detail);
  return {example.reason, std::move(detail), std::move(refused)};
}

}  // namespace sash
