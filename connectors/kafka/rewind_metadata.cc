#include "connectors/kafka/rewind_metadata.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
// The most bytes that everything except the windows takes, whatever the numbers. So the texts of
// all partitions leave out the same windows.
constexpr std::size_t kReservedBytes = 240;

Json TimeOrNull(const std::optional<EventTime>& time) {
  return time ? Json(time->time_since_epoch().count()) : Json(nullptr);
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// False when the member is present and neither a whole number nor null.
bool ReadInteger(const Json& object, const char* key, std::optional<std::int64_t>& integer) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return true;
  if (!found->is_number_integer()) return false;
  integer = found->get<std::int64_t>();
  return true;
}

bool ReadTime(const Json& object, const char* key, std::optional<EventTime>& time) {
  std::optional<std::int64_t> nanoseconds;
  if (!ReadInteger(object, key, nanoseconds)) return false;
  if (nanoseconds) time = EventTime(Duration(*nanoseconds));
  return true;
}

Json AnchorJson(const RecordAnchor& anchor) {
  return Json::array({anchor.offset,
                      anchor.timestamp_ms ? Json(*anchor.timestamp_ms) : Json(nullptr),
                      anchor.crc});
}

// False when it is present and not a list of texts.
bool ReadNames(const Json& object, const char* name, std::set<std::string>& names) {
  const Json found = object.value(name, Json::array());
  if (!found.is_array()) return false;
  for (const Json& text : found) {
    if (!text.is_string()) return false;
    names.insert(text.get<std::string>());
  }
  return true;
}

// False when it is present and malformed.
bool ReadAnchor(const Json& object, std::optional<RecordAnchor>& anchor) {
  const auto found = object.find("last");
  if (found == object.end()) return true;
  if (!found->is_array() || found->size() != 3) return false;
  const Json& offset = (*found)[0];
  const Json& timestamp = (*found)[1];
  const Json& crc = (*found)[2];
  if (!offset.is_number_integer() || !crc.is_number_unsigned()) return false;
  if (!timestamp.is_null() && !timestamp.is_number_integer()) return false;
  anchor.emplace();
  anchor->offset = offset.get<std::int64_t>();
  if (!timestamp.is_null()) anchor->timestamp_ms = timestamp.get<std::int64_t>();
  anchor->crc = crc.get<std::uint32_t>();
  return true;
}

}  // namespace

RewindMetadata ToMetadata(const RewindPoint& point) {
  RewindMetadata metadata{.newest_before = {},
                          .published = point.published,
                          .gap_until = point.gap_until,
                          .accepted_before = point.accepted_before};
  for (const auto& [window, newest] : point.newest) {
    if (!point.published.contains(window)) continue;
    if (newest.in_silence) metadata.silent.insert(window);
    if (newest.only_joined) metadata.joined.insert(window);
  }
  return metadata;
}

std::string FormatRewindMetadata(const RewindMetadata& metadata, std::size_t* left_out) {
  Json published = Json::object();
  std::size_t bytes = kReservedBytes;
  std::size_t skipped = 0;
  Json silent = Json::array();
  Json joined = Json::array();
  for (const auto& [window, end] : metadata.published) {
    const bool is_silent = metadata.silent.contains(window);
    const bool has_joined = metadata.joined.contains(window);
    const std::size_t name = Dump(Json(window)).size() + 1;  // and a colon or comma
    bytes += name + Dump(Json(end)).size() + 1 + (is_silent ? name : 0) + (has_joined ? name : 0);
    if (bytes > RewindMetadata::kMaxBytes) {
      ++skipped;
    } else {
      published[window] = end;
      if (is_silent) silent.push_back(window);
      if (has_joined) joined.push_back(window);
    }
  }
  if (left_out != nullptr) *left_out = skipped;
  Json json{
      {"v", kVersion},
      {"newest", TimeOrNull(metadata.newest_before)},
      {"published", std::move(published)},
      {"gap", TimeOrNull(metadata.gap_until)},
      {"accepted", metadata.accepted_before ? Json(*metadata.accepted_before) : Json(nullptr)}};
  if (!silent.empty()) json["silent"] = std::move(silent);
  if (!joined.empty()) json["joined"] = std::move(joined);
  if (!metadata.by.empty()) json["by"] = metadata.by;
  if (metadata.last) json["last"] = AnchorJson(*metadata.last);
  return Dump(json);
}

std::optional<RewindMetadata> ParseRewindMetadata(std::string_view text) {
  if (IsNestedTooDeeply(text)) return std::nullopt;
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("v", Json()) != Json(kVersion)) return std::nullopt;
  RewindMetadata metadata;
  if (!ReadTime(json, "newest", metadata.newest_before)) return std::nullopt;
  if (!ReadTime(json, "gap", metadata.gap_until)) return std::nullopt;
  if (!ReadInteger(json, "accepted", metadata.accepted_before)) return std::nullopt;
  if (!ReadAnchor(json, metadata.last)) return std::nullopt;
  if (const auto by = json.find("by"); by != json.end()) {
    if (!by->is_string()) return std::nullopt;
    metadata.by = by->get<std::string>();
  }
  const auto published = json.find("published");
  if (published == json.end()) return metadata;
  if (!published->is_object()) return std::nullopt;
  for (const auto& [window, end] : published->items()) {
    if (!end.is_number_integer()) return std::nullopt;
    metadata.published[window] = end.get<std::int64_t>();
  }
  if (!ReadNames(json, "silent", metadata.silent)) return std::nullopt;
  if (!ReadNames(json, "joined", metadata.joined)) return std::nullopt;
  return metadata;
}

void MergeRewindMetadata(std::span<const std::optional<RewindMetadata>> partitions,
                         RewindPoint& point) {
  bool first = true;
  for (const auto& metadata : partitions) {
    if (metadata && metadata->gap_until) {
      point.gap_until =
          std::max(point.gap_until.value_or(*metadata->gap_until), *metadata->gap_until);
    }
    if (metadata && metadata->accepted_before) {
      point.accepted_before = std::min(point.accepted_before.value_or(*metadata->accepted_before),
                                       *metadata->accepted_before);
    }
    std::map<std::string, std::int64_t> merged;
    if (metadata) {
      for (const auto& [window, end] : metadata->published) {
        const auto known = point.published.find(window);
        if (!first && known == point.published.end()) continue;
        const bool is_least = first || end < known->second;
        merged[window] = is_least ? end : known->second;
        if (!is_least) continue;
        NewestWindow& newest = point.newest[window];
        newest.in_silence = metadata->silent.contains(window);
        newest.only_joined = metadata->joined.contains(window);
      }
    }
    point.published = std::move(merged);
    std::erase_if(point.newest,
                  [&](const auto& window) { return !point.published.contains(window.first); });
    first = false;
  }
}

}  // namespace sash
