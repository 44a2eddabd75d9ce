#include "connectors/sinks/dead_letter_line.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "windows/base/json_nesting.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

constexpr std::size_t kDetailBytes = 1 << 10;

// Adds the bytes as `name` or `name`_base64, cut to `most`. Returns whether nothing was cut.
bool AddBytes(JsonText& json, const std::string& name, std::string_view bytes, std::size_t most) {
  const std::string_view shown = Beginning(bytes, most);
  if (IsUtf8(shown)) {
    json.Key(name).Text(shown);
  } else {
    json.Key(name + "_base64").Text(Base64(shown));
  }
  return shown.size() == bytes.size();
}

// All headers or, if they are longer than `most`, none. Returns whether they were written.
bool AddHeaders(JsonText& json, std::span<const RecordHeader> headers, std::size_t most) {
  std::size_t bytes = 0;
  for (const RecordHeader& header : headers) {
    bytes += header.name.size() + header.value.value_or("").size();
  }
  if (bytes > most) return false;
  json.Key("headers").BeginArray();
  for (const RecordHeader& header : headers) {
    json.BeginObject();
    AddBytes(json, "name", header.name, most);
    if (header.value) {
      AddBytes(json, "value", *header.value, most);
    } else {
      json.Key("value").Null();
    }
    json.EndObject();
  }
  json.EndArray();
  return true;
}

void AddPlaces(JsonText& json, std::span<const RefusedPlace> places) {
  json.Key("places").BeginArray();
  for (const RefusedPlace& each : places) {
    json.BeginObject();
    if (!each.mapping.empty()) json.Key("mapping").Text(each.mapping);
    if (!each.is_whole) {
      json.Key("element").Unsigned(each.place.element).Key("edge").Unsigned(each.place.edge);
    }
    json.Key("reason")
        .Text(Name(each.reason))
        .Key("detail")
        .Text(Beginning(each.detail, kDetailBytes))
        .EndObject();
  }
  json.EndArray();
}

using Json = nlohmann::json;

// Reads bytes that AddBytes() wrote; no value when the member is missing or null.
std::optional<std::string> BytesOf(const Json& letter, const std::string& name) {
  if (const auto coded = letter.find(name + "_base64"); coded != letter.end()) {
    std::optional<std::string> bytes = FromBase64(coded->get_ref<const std::string&>());
    if (!bytes) throw std::invalid_argument(name + "_base64 is not Base64");
    return bytes;
  }
  const auto text = letter.find(name);
  if (text == letter.end() || text->is_null()) return std::nullopt;
  return text->get<std::string>();
}

OwnHeaders HeadersOf(const Json& letter) {
  OwnHeaders headers;
  const auto list = letter.find("headers");
  if (list == letter.end()) return headers;
  if (!list->is_array()) throw std::invalid_argument("headers is not a list");
  for (const Json& header : *list) {
    std::optional<std::string> name = BytesOf(header, "name");
    if (!name) throw std::invalid_argument("a header has no name");
    headers.emplace_back(*std::move(name), BytesOf(header, "value"));
  }
  return headers;
}

// A number of the right size. Checks first, because get() silently converts a number with a point
// or one that is too large.
template <typename Number>
Number WholeNumber(const Json& letter, const std::string& name) {
  const Json& number = letter.at(name);
  const bool fits =
      number.is_number_unsigned()
          ? std::in_range<Number>(number.get<std::uint64_t>())
          : number.is_number_integer() && std::in_range<Number>(number.get<std::int64_t>());
  if (!fits) throw std::invalid_argument(name + " is not an integer in range");
  return number.get<Number>();
}

std::vector<MappedPlace> PlacesOf(const Json& letter) {
  std::vector<MappedPlace> places;
  const auto list = letter.find("places");
  if (list == letter.end()) return places;
  if (!list->is_array()) throw std::invalid_argument("places is not a list");
  for (const Json& place : *list) {
    MappedPlace& read = places.emplace_back(MappedPlace{.mapping = place.value("mapping", "")});
    if (!read.mapping.empty() && !place.contains("edge")) continue;
    read.at = {.element = WholeNumber<std::uint32_t>(place, "element"),
               .edge = WholeNumber<std::uint32_t>(place, "edge")};
  }
  return places;
}

}  // namespace

std::string DeadLetterLine(const RefusedRecord& record, std::size_t most_bytes) {
  JsonText json;
  json.BeginObject().Key("topic").Text(record.topic).Key("partition").Integer(record.partition);
  json.Key("offset").Integer(record.offset).Key("timestamp").Text(TimeText(record.timestamp));
  json.Key("reason").Text(Name(record.reason)).Key("stage").Text(record.stage);
  json.Key("detail").Text(Beginning(record.detail, kDetailBytes));
  if (!record.places.empty()) AddPlaces(json, record.places);
  bool whole = true;
  if (record.key) whole = AddBytes(json, "key", *record.key, most_bytes);
  const std::size_t taken = record.key ? std::min(record.key->size(), most_bytes) : 0;
  if (record.payload) {
    whole = AddBytes(json, "payload", *record.payload, most_bytes - taken) && whole;
  } else {
    json.Key("payload").Null();
  }
  if (!record.headers.empty()) {
    const std::size_t value = record.payload ? record.payload->size() : 0;
    whole =
        AddHeaders(json, record.headers, most_bytes - std::min(most_bytes, taken + value)) && whole;
  }
  if (!whole) json.Key("truncated").Bool(true);
  return std::move(json.EndObject()).Take() + '\n';
}

Result<DeadLetter> ParseDeadLetter(std::string_view line) try {
  if (IsNestedTooDeeply(line)) throw std::invalid_argument(std::string(kNestedTooDeeply));
  const Json json = Json::parse(line);
  DeadLetter letter{.topic = json.at("topic").get<std::string>(),
                    .partition = WholeNumber<std::int32_t>(json, "partition"),
                    .offset = WholeNumber<std::int64_t>(json, "offset"),
                    .reason = json.at("reason").get<std::string>(),
                    .stage = json.at("stage").get<std::string>(),
                    .detail = json.at("detail").get<std::string>(),
                    .key = BytesOf(json, "key"),
                    .payload = BytesOf(json, "payload"),
                    .headers = HeadersOf(json),
                    .places = PlacesOf(json),
                    .truncated = json.value("truncated", false)};
  const auto time = ParseTimeText(json.at("timestamp").get_ref<const std::string&>());
  if (!time) return Error{ErrorCode::kCorruption, "not a dead letter: its timestamp is not a time"};
  letter.timestamp = *time;
  return letter;
} catch (const std::exception& e) {  // from nlohmann, BytesOf() and WholeNumber()
  return Error{ErrorCode::kCorruption, std::string("not a dead letter: ") + e.what()};
}

}  // namespace sash
