// Claims about several mappings: a record gives the edges that each mapping which takes its topic
// makes of it alone, in the order of the mappings, and is refused where one of them refuses it
// alone; edges say of which mapping they are; what is sent again for these places gives the same
// edges; and nothing is left of a record before.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/several_edges.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"
#include "windows/ingest/edge_places.h"

namespace sash::fuzz {
namespace {

constexpr EventTime kProduced{std::chrono::seconds(1767225600)};
constexpr const char* kTopics[] = {"orders", "orders-eu", "logins"};
constexpr const char* kOrder = R"({"type":"record","name":"Order","fields":[
    {"name":"s","type":"string"},{"name":"t","type":["null","string"]},
    {"name":"w","type":"long"},{"name":"at","type":"long"}]})";

JsonMapping Pointers(std::string source, std::string target) {
  JsonMapping mapping;
  mapping.source = std::move(source);
  mapping.target = std::move(target);
  return mapping;
}

JsonMapping Elements(std::string source, std::string target) {
  JsonMapping mapping = Pointers(std::move(source), std::move(target));
  mapping.each = "/items";
  return mapping;
}

JsonMapping Unwrapped(Unwrap unwrap) {
  JsonMapping mapping = Pointers("/s", "/t");
  mapping.unwrap = unwrap;
  return mapping;
}

// One of the mappings that the first bytes of an input may choose.
FormatSpec MappingOf(std::size_t number) {
  FormatSpec format;
  format.time_origin = TimeOrigin::kKafka;
  JsonMapping json = Pointers("/s", "/t");
  switch (number) {
    case 0:
      json.weight = "/w";
      json.operation = "/op";
      json.type = "/k";
      break;
    case 1:
      json = Elements("/s", "$record/s");
      json.both_directions = true;
      break;
    case 2:
      json = Elements("/s", "/t");
      json.more_edges = {Elements("/t", "$record/t")};
      break;
    case 3:
      json.more_edges = {Pointers("/t", "/k"), Pointers("/s", "/s")};
      format.where = "/w > 1";
      break;
    case 4:
      json = Unwrapped(Unwrap::kDebezium);
      break;
    case 5:
      json = Unwrapped(Unwrap::kCloudEvents);
      break;
    case 6:
      json = Unwrapped(Unwrap::kConnect);
      break;
    case 7:
      json.lines = true;
      break;
    case 8:
      json.avro = AvroSpec{.path = "order.avsc", .text = kOrder};
      break;
    default:
      format.mapping = CsvMapping{1u, 2u, 3u, {}, {}, ','};
      return format;
  }
  format.mapping = std::move(json);
  return format;
}
constexpr std::size_t kMappings = 10;

FormatSpec ChosenMappings(Choices& choices) {
  FormatSpec format;
  format.time_origin = TimeOrigin::kKafka;
  const std::size_t count = 1 + choices.Below(3);
  for (std::size_t i = 0; i < count; ++i) {
    FormatSpec mapping = MappingOf(choices.Below(kMappings));
    mapping.name = "m" + std::to_string(i);
    const std::size_t topics = choices.Below(3);
    if (topics == 1) mapping.topics = {kTopics[0], kTopics[2]};
    if (topics == 2) mapping.topic_pattern = "^orders";
    format.mappings.push_back(std::move(mapping));
  }
  format.mapping = format.mappings.front().mapping;
  return format;
}

bool TakesIt(const FormatSpec& mapping, std::string_view topic) {
  if (!mapping.topic_pattern.empty()) return topic.starts_with("orders");
  return mapping.topics.empty() || std::ranges::find(mapping.topics, topic) != mapping.topics.end();
}

std::unique_ptr<Decoder> Made(const FormatSpec& format) {
  Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format);
  SASH_CHECK(decoder.ok());
  return std::move(decoder).value();
}

struct Became {
  std::vector<std::string> edges{};        // all that an event says
  std::vector<MappedPlace> places{};       // of the edges
  std::optional<EventTime> left_out_at{};  // it is filtered
  std::optional<Refused> refused{};
};

// `sent_again`: the value of kPlacesHeader.
Became MapIt(Decoder& decoder, std::string_view record, std::string_view topic,
             std::optional<std::string_view> sent_again = {}) {
  const RecordHeader header{kPlacesHeader, sent_again.value_or("")};
  RecordEnvelope envelope{.topic = topic, .timestamp_ms = 1767225600000};
  if (sent_again) envelope.headers = {&header, 1};
  EventBatch batch;
  batch.Store("not at the beginning");
  const std::size_t bytes = batch.bytes();
  Became became;
  became.refused = decoder.Decode(
      record, {.partition = 3, .offset = 41, .time = kProduced, .envelope = &envelope}, batch);
  SASH_CHECK(batch.marks().empty());
  if (batch.events().empty()) SASH_CHECK(batch.bytes() == bytes);
  for (std::size_t i = 0; i < batch.events().size(); ++i) {
    const EdgeEvent& event = batch.events()[i];
    SASH_CHECK(event.offset == 41 && event.partition == 3 && event.further == (i > 0));
    if (event.filtered) {
      SASH_CHECK(batch.events().size() == 1);
      became.left_out_at = event.time;
      continue;
    }
    SASH_CHECK(batch.Text(event.payload) == record);
    const bool has_target = event.operation != Operation::kRemoveVertex;
    became.edges.push_back(std::to_string(static_cast<int>(event.operation)) + " " +
                           std::string(batch.Text(event.source.text())) + " " +
                           (has_target ? std::string(batch.Text(event.target.text())) : "") + " " +
                           std::to_string(event.weight.AsDouble()) + " " +
                           std::string(batch.Text(batch.TypeOf(event))) + " " +
                           std::to_string(event.time.time_since_epoch().count()));
    became.places.push_back({std::string(decoder.MappingOf(i)), batch.PlaceOf(event)});
  }
  if (became.refused) SASH_CHECK(!became.refused->detail.empty());
  return became;
}

// What the mappings that take the topic make of the record, each alone. Nothing if together they
// give or refuse more than a record may.
std::optional<Became> Expected(const FormatSpec& format, std::string_view record,
                               std::string_view topic) {
  Became sum;
  std::size_t refused = 0;
  for (const FormatSpec& mapping : format.mappings) {
    if (!TakesIt(mapping, topic)) continue;
    const std::unique_ptr<Decoder> decoder = Made(mapping);
    Became one = MapIt(*decoder, record, topic);
    SASH_CHECK(one.refused || MapIt(*decoder, record, topic).edges == one.edges);
    for (std::size_t i = 0; i < one.edges.size(); ++i) {
      sum.edges.push_back(std::move(one.edges[i]));
      sum.places.push_back({mapping.name, one.places[i].at});
    }
    if (one.left_out_at) sum.left_out_at = std::max(sum.left_out_at, one.left_out_at);
    if (!one.refused) continue;
    if (one.refused->reason == RefusalReason::kTooLarge) return std::nullopt;
    refused += std::max<std::size_t>(one.refused->places.size(), 1);
    sum.refused = std::move(one.refused);
  }
  if (refused > kMostRefusedPlaces || sum.edges.size() > kMostEdgesOfARecord) return std::nullopt;
  if (!sum.edges.empty() || sum.refused) sum.left_out_at.reset();
  return sum;
}

// The same edges of the mappings and places of `became`, and no others.
void CheckSentAgain(Decoder& decoder, const Became& became, std::string_view record,
                    std::string_view topic) {
  std::vector<MappedPlace> accepted;
  for (const MappedPlace& place : became.places) {
    if (std::ranges::find(accepted, place) == accepted.end()) accepted.push_back(place);
  }
  if (!accepted.empty() && accepted.size() < 50) {
    const Became again = MapIt(decoder, record, topic, MappedPlacesText(accepted));
    SASH_CHECK(!again.refused && again.edges == became.edges && again.places == became.places);
  }
  if (!became.refused || became.refused->places.size() >= 50) return;
  std::vector<MappedPlace> refused;
  for (const RefusedPlace& place : became.refused->places) refused.push_back(place.mapped());
  const Became again = MapIt(decoder, record, topic, MappedPlacesText(refused));
  SASH_CHECK(again.refused && again.edges.empty());
  SASH_CHECK(again.refused->places.size() == refused.size());
}

}  // namespace

void MapRecord(std::string_view input) {
  Choices choices(input);
  const FormatSpec format = ChosenMappings(choices);
  const std::string_view topic = kTopics[choices.Below(std::size(kTopics))];
  const std::string_view record = choices.rest();
  const std::unique_ptr<Decoder> decoder = Made(format);
  const bool is_taken = std::ranges::any_of(
      format.mappings, [&](const FormatSpec& mapping) { return TakesIt(mapping, topic); });
  SASH_CHECK(decoder->UseOf(topic).is_taken == is_taken);
  if (!is_taken) return;  // unmapped records are not decoded
  const Became became = MapIt(*decoder, record, topic);
  std::size_t accepted = 0;
  for (const MappingCount& count : decoder->mapping_counts()) accepted += count.accepted;
  SASH_CHECK(accepted == became.edges.size());
  const std::optional<Became> expected = Expected(format, record, topic);
  if (!expected) return;
  SASH_CHECK(became.edges == expected->edges && became.places == expected->places);
  SASH_CHECK(became.refused.has_value() == expected->refused.has_value());
  SASH_CHECK(became.left_out_at == expected->left_out_at);
  CheckSentAgain(*decoder, became, record, topic);
}

}  // namespace sash::fuzz
