#include "windows/slide/edge_refusals.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "windows/ingest/letter_places.h"

namespace sash {
namespace {

const char* WhyAhead(const EdgeEvent& event) {
  return event.ahead ? "its time is ahead of the events after it by more than ahead_limit"
                     : "its time is ahead of the clock by more than ahead_limit";
}

constexpr const char* kWhyLate = "its slice had closed when it came";

std::string WhyRefused(const EventBatch& batch, const EdgeRefusals::RefusedEdge& refused) {
  if (refused.reason == RefusalReason::kAhead) return WhyAhead(*refused.edge);
  if (refused.reason == RefusalReason::kLate) return kWhyLate;
  const std::string type(batch.Text(batch.TypeOf(*refused.edge)));
  return "its type \"" + type + "\" is new, and there are " +
         std::to_string(TypeTable::kMostTypes) +
         " types already, the most that are held; take the type from a field with fewer values";
}

}  // namespace

void EdgeRefusals::RefuseAlone(const EventBatch& batch, const EdgeEvent& event,
                               RefusalReason reason) {
  const RefusedEdge refused{&event, reason};
  std::vector<RefusedPlace> places;
  NotePlace(batch, refused, places);
  Write(batch, refused, WhyRefused(batch, refused), places);
}

void EdgeRefusals::RefuseSome(const EventBatch& batch, std::size_t edges,
                              std::span<const RefusedEdge> refused, RefusalReason reason) {
  const RefusedEdge& example = *std::ranges::find(refused, reason, &RefusedEdge::reason);
  std::vector<RefusedPlace> places;
  for (const RefusedEdge& edge : refused) NotePlace(batch, edge, places);
  const std::string which =
      edges == 1 ? ""
                 : std::to_string(refused.size()) + " of its " + std::to_string(edges) + " edges: ";
  Write(batch, example, which + WhyRefused(batch, example), places);
}

// Where a refused edge is in its record, for the letter; nothing if the record gives no other.
// Both directions of an edge are one place.
void EdgeRefusals::NotePlace(const EventBatch& batch, const RefusedEdge& refused,
                             std::vector<RefusedPlace>& places) const {
  const std::optional<EdgePlace> at = batch.PlaceOf(*refused.edge);
  const std::vector<std::string>& mappings = around_.mappings;
  if ((!at && mappings.empty()) || places.size() == kMostLetterPlaces) return;
  RefusedPlace place{.place = at.value_or(EdgePlace()),
                     .reason = refused.reason,
                     .detail = WhyRefused(batch, refused),
                     .is_whole = !at};
  if (refused.edge->mapping < mappings.size()) place.mapping = mappings[refused.edge->mapping];
  if (!places.empty() && places.back().mapped() == place.mapped()) return;
  places.push_back(std::move(place));
}

void EdgeRefusals::Write(const EventBatch& batch, const RefusedEdge& refused,
                         const std::string& detail, std::span<const RefusedPlace> places) {
  interner_.Release();
  const EdgeEvent& event = *refused.edge;
  const TopicPartition place = partitions_.PairOf(event.partition);
  RefusedRecord record{.topic = place.topic,
                       .partition = place.partition,
                       .offset = event.offset,
                       .timestamp = event.time,
                       .reason = refused.reason,
                       .detail = detail,
                       .stage = "window",
                       .payload = batch.Text(event.payload),
                       .places = places};
  if (const RecordOrigin* const origin = batch.OriginOf(event)) {
    record.timestamp = origin->timestamp;
    if (origin->has_key) record.key = batch.Text(origin->key);
    if (!origin->has_value) record.payload.reset();
  }
  around_.refusals.Refuse(record);
}

}  // namespace sash
