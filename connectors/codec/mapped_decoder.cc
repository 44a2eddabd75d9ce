#include "connectors/codec/mapped_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/several_edges.h"
#include "windows/base/check.h"
#include "windows/ingest/edge_places.h"

namespace sash {
namespace {

std::string_view TopicOf(const RecordPlace& place) {
  return place.envelope == nullptr ? std::string_view() : place.envelope->topic;
}

Refused WrongPlaces(std::string_view text, std::string_view why) {
  return {RefusalReason::kInvalidSyntax,
          fmt::format("the header {} of the record is {}; {}", kPlacesHeader, Excerpt(text), why)};
}

}  // namespace

// What becomes of a record while it goes through its mappings.
struct MappedDecoder::Passage {
  explicit Passage(const EventBatch& batch)
      : first(batch.events().size()), text_bytes(batch.text_bytes()) {}

  // Notes the refusal of mapping `name`. Without places the mapping refuses the whole record.
  void NoteRefused(Refused why, const std::string& name) {
    detail += fmt::format("{}mapping {}: {}", detail.empty() ? "" : "; ", name, why.detail);
    if (why.places.empty()) {
      places.push_back({.place = {},
                        .reason = why.reason,
                        .detail = std::move(why.detail),
                        .mapping = name,
                        .is_whole = true});
    }
    for (RefusedPlace& each : why.places) {
      each.mapping = name;
      places.push_back(std::move(each));
    }
  }

  const std::size_t first;  // its first event in the batch
  const std::size_t text_bytes;
  std::optional<EventTime> filtered{};  // the newest time of the mappings that leave it out
  std::string detail{};
  std::vector<RefusedPlace> places{};
};

Result<std::unique_ptr<Decoder>> MakeMappedDecoder(const FormatSpec& format,
                                                   std::string_view header,
                                                   const std::shared_ptr<SchemaSource>& schemas) {
  std::vector<std::unique_ptr<Decoder>> decoders;
  std::vector<MappedTopics> topics;
  for (FormatSpec mapping : format.mappings) {
    mapping.number = decoders.size();
    Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(mapping, header, schemas);
    if (!decoder.ok()) return std::move(decoder).error().Within("mapping " + mapping.name);
    Result<MappedTopics> taken = MappedTopics::Of(mapping);
    if (!taken.ok()) return std::move(taken).error().Within("mapping " + mapping.name + ": topics");
    decoders.push_back(std::move(decoder).value());
    topics.push_back(std::move(taken).value());
  }
  return std::unique_ptr<Decoder>(
      std::make_unique<MappedDecoder>(format, std::move(decoders), topics));
}

MappedDecoder::MappedDecoder(const FormatSpec& format,
                             std::vector<std::unique_ptr<Decoder>> decoders,
                             const std::vector<MappedTopics>& topics)
    : keys_(format.keys) {
  SASH_CHECK(format.mappings.size() == decoders.size() && decoders.size() <= kMostMappings);
  SASH_CHECK(topics.size() == decoders.size());
  for (std::size_t i = 0; i < decoders.size(); ++i) {
    if (LineJudge* const judge = decoders[i]->line_judge()) judges_.push_back(judge);
    mappings_.emplace_back(format.mappings[i], std::move(decoders[i]), topics[i]);
  }
  parts_.reserve(mappings_.size());
}

std::optional<Refused> MappedDecoder::Decode(std::string_view record, const RecordPlace& place,
                                             EventBatch& batch) {
  return Pass(place, batch, [&](Decoder& decoder, const RecordPlace& at) {
    return decoder.Decode(record, at, batch);
  });
}

std::optional<Refused> MappedDecoder::DecodeTombstone(std::string_view key,
                                                      const RecordPlace& place, EventBatch& batch) {
  return Pass(place, batch, [&](Decoder& decoder, const RecordPlace& at) {
    return decoder.DecodeTombstone(key, at, batch);
  });
}

const MappedDecoder::Takers& MappedDecoder::TakersOf(std::string_view topic) const {
  if (last_takers_ == nullptr || topic != last_topic_) {
    auto found = takers_.find(topic);
    if (found == takers_.end()) found = takers_.emplace(topic, FindTakers(topic)).first;
    last_takers_ = &found->second;
    last_topic_ = topic;
  }
  return *last_takers_;
}

MappedDecoder::Takers MappedDecoder::FindTakers(std::string_view topic) const {
  Takers takers;
  for (std::size_t i = 0; i < mappings_.size(); ++i) {
    const Mapping& mapping = mappings_[i];
    if (!mapping.topics.Take(topic)) continue;
    takers.numbers.push_back(i);
    takers.use.is_taken = true;
    takers.use.is_binary = takers.use.is_binary || mapping.is_binary;
    takers.use.has_schemas = takers.use.has_schemas || mapping.has_schemas;
  }
  return takers;
}

template <typename DecodeBy>
std::optional<Refused> MappedDecoder::Pass(const RecordPlace& place, EventBatch& batch,
                                           const DecodeBy& decode_by) {
  parts_.clear();
  if (place.envelope != nullptr) {
    const auto places = FindHeader(place.envelope->headers, kPlacesHeader);
    if (places) return PassWanted(*places, place, batch, decode_by);
  }
  Passage passage(batch);
  std::optional<Refused> whole;
  for (const std::size_t number : TakersOf(TopicOf(place)).numbers) {
    if (!whole) whole = TakeBy(number, place, batch, decode_by, passage);
  }
  return Finish(std::move(whole), place, std::move(passage), batch);
}

// A record that is sent again: each mapping is given a header with its own places, or without
// places if all its edges are wanted.
template <typename DecodeBy>
std::optional<Refused> MappedDecoder::PassWanted(std::string_view places, const RecordPlace& place,
                                                 EventBatch& batch, const DecodeBy& decode_by) {
  const auto wanted = ParseMappedPlaces(places);
  if (!wanted) {
    return WrongPlaces(places,
                       "it must be a list of places such as paid:1/0,cash "
                       "(mapping:element/edge, or a mapping)");
  }
  Passage passage(batch);
  std::optional<Refused> whole;
  std::set<std::string_view> named;
  for (const MappedPlace& each : *wanted) named.insert(each.mapping);
  for (const std::size_t number : TakersOf(TopicOf(place)).numbers) {
    const std::string& name = mappings_[number].name;
    if (whole || named.erase(name) == 0) continue;
    std::vector<EdgePlace> own;
    bool is_whole = false;
    for (const MappedPlace& each : *wanted) {
      if (each.mapping != name) continue;
      is_whole = is_whole || !each.at;
      if (each.at) own.push_back(*each.at);
    }
    const std::string text = PlacesText(own);
    std::vector<RecordHeader> headers(place.envelope->headers.begin(),
                                      place.envelope->headers.end());
    std::erase_if(headers, [](const RecordHeader& each) { return each.name == kPlacesHeader; });
    if (!is_whole) headers.push_back({kPlacesHeader, text});
    RecordEnvelope envelope = *place.envelope;
    envelope.headers = headers;
    RecordPlace at = place;
    at.envelope = &envelope;
    whole = TakeBy(number, at, batch, decode_by, passage);
  }
  if (!whole && !named.empty()) {
    whole = WrongPlaces(
        places, named.begin()->empty()
                    ? std::string("its places must name mappings, as in paid:1/0")
                    : fmt::format("no mapping {} takes records of this topic", *named.begin()));
  }
  return Finish(std::move(whole), place, std::move(passage), batch);
}

// Returns why the whole record is refused, if it is.
template <typename DecodeBy>
std::optional<Refused> MappedDecoder::TakeBy(std::size_t number, const RecordPlace& place,
                                             EventBatch& batch, const DecodeBy& decode_by,
                                             Passage& passage) {
  Mapping& mapping = mappings_[number];
  const std::size_t first = batch.events().size();
  const std::size_t text_bytes = batch.text_bytes();
  std::optional<Refused> refused = decode_by(*mapping.decoder, place);
  std::size_t added = batch.events().size() - first;
  const bool is_mark = added == 1 && batch.events().back().filtered;
  if (is_mark) {
    passage.filtered = std::max(passage.filtered, std::optional(batch.events().back().time));
    batch.DropAfter(first, text_bytes);
    added = 0;
  }
  Part& part = parts_.emplace_back(Part{.mapping = number, .accepted = added});
  batch.SetMapping(first, static_cast<std::uint8_t>(number));
  if (added > 0 && first > passage.first) batch.JoinRecord(first, keys_);
  if (batch.events().size() - passage.first > kMostEdgesOfARecord) refused = RefusedForEdges();
  if (!refused) {
    part.filtered = added == 0 ? 1 : 0;
    return std::nullopt;
  }
  part.refused = std::max<std::size_t>(refused->places.size(), 1);
  if (refused->reason == RefusalReason::kTooLarge) {
    refused->detail = fmt::format("mapping {}: {}", mapping.name, refused->detail);
    return refused;
  }
  if (passage.places.size() + refused->places.size() > kMostRefusedPlaces) {
    batch.DropAfter(first, text_bytes);  // the letter names the mapping, in place of the edges
    refused->places.clear();
    part.accepted = 0;
    part.refused = 1;
  }
  passage.NoteRefused(*std::move(refused), mapping.name);
  return std::nullopt;
}

std::optional<Refused> MappedDecoder::Finish(std::optional<Refused> whole, const RecordPlace& place,
                                             Passage passage, EventBatch& batch) {
  for (Part& part : parts_) {
    if (whole) part.accepted = 0;
    Mapping& mapping = mappings_[part.mapping];
    mapping.accepted.fetch_add(part.accepted, std::memory_order_relaxed);
    mapping.filtered.fetch_add(part.filtered, std::memory_order_relaxed);
    mapping.refused.fetch_add(part.refused, std::memory_order_relaxed);
  }
  if (whole) {
    batch.DropAfter(passage.first, passage.text_bytes);
    return whole;
  }
  if (!passage.places.empty()) {
    const RefusalReason reason = passage.places.front().reason;
    return Refused{reason, std::move(passage.detail), std::move(passage.places)};
  }
  const bool none = batch.events().size() == passage.first;
  if (none && passage.filtered) AppendFiltered(*passage.filtered, place, batch);
  return std::nullopt;
}

std::string MappedDecoder::TimeAsWritten() {
  const auto part =
      std::ranges::find_if(parts_, [](const Part& each) { return each.accepted > 0; });
  return part == parts_.end() ? "" : mappings_[part->mapping].decoder->TimeAsWritten();
}

std::string_view MappedDecoder::MappingOf(std::size_t edge) const {
  for (const Part& part : parts_) {
    if (edge < part.accepted) return mappings_[part.mapping].name;
    edge -= part.accepted;
  }
  return {};
}

std::vector<MappingCount> MappedDecoder::mapping_counts() const {
  std::vector<MappingCount> counts;
  for (const Mapping& mapping : mappings_) {
    counts.push_back({mapping.name, mapping.accepted.load(std::memory_order_relaxed),
                      mapping.filtered.load(std::memory_order_relaxed),
                      mapping.refused.load(std::memory_order_relaxed)});
  }
  return counts;
}

DecodeCounts MappedDecoder::counts() const {
  DecodeCounts counts;
  for (const Mapping& mapping : mappings_) counts += mapping.decoder->counts();
  return counts;
}

LineJudge* MappedDecoder::line_judge() { return judges_.empty() ? nullptr : this; }

bool MappedDecoder::MayHoldLineBreak(std::size_t field) const {
  return std::ranges::all_of(
      judges_, [&](const LineJudge* judge) { return judge->MayHoldLineBreak(field); });
}

// If some mappings check more than text, only they judge.
bool MappedDecoder::IsRow(std::string_view line) {
  const bool strict = DecidesByOneLine();
  return std::ranges::any_of(judges_, [&](LineJudge* judge) {
    return judge->DecidesByOneLine() == strict && judge->IsRow(line);
  });
}

bool MappedDecoder::DecidesByOneLine() const {
  return std::ranges::any_of(judges_,
                             [](const LineJudge* judge) { return judge->DecidesByOneLine(); });
}

}  // namespace sash
