// Claims about decoders: a record is decoded or refused, the same every time; a refusal leaves no
// trace and gives a reason, at a place within the record; another JSON parser accepts the same
// texts; a decoded record can be written again, in either format, and decodes to the same; and a
// record in an envelope, in a string or in an array becomes what it becomes alone.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/sinks/json_text.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"
#include "windows/ingest/operation_name.h"

namespace sash::fuzz {
namespace {

using Json = nlohmann::json;

constexpr EventTime kKafkaTime{std::chrono::seconds(1767225600)};
constexpr RecordPlace kPlace{.partition = 3, .offset = 41, .time = kKafkaTime};

// The content of an event, outside its batch.
struct Edge {
  std::string source;  // in decimal when keys are integers
  std::string target;  // empty for remove_vertex
  Weight weight;
  EventTime time;
  Operation operation = Operation::kAdd;
  friend bool operator==(const Edge&, const Edge&) = default;
};

struct Outcome {
  std::optional<Refused> refused;
  Edge edge;
};

std::string KeyText(KeyRef key, KeyKind kind, const EventBatch& batch) {
  return kind == KeyKind::kInteger ? std::to_string(key.integer())
                                   : std::string(batch.Text(key.text()));
}

Edge EdgeOf(const EdgeEvent& event, KeyKind keys, const EventBatch& batch) {
  Edge edge{.source = KeyText(event.source, keys, batch),
            .target = {},
            .weight = event.weight,
            .time = event.time,
            .operation = event.operation};
  if (event.operation != Operation::kRemoveVertex) edge.target = KeyText(event.target, keys, batch);
  return edge;
}

Outcome Decode(const FormatSpec& format, std::string_view header, std::string_view record,
               bool tombstone) {
  Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format, header);
  if (!decoder) {
    SASH_CHECK(!decoder.error().message.empty());
    return {Refused{RefusalReason::kMissingField, "no decoder"}, {}};
  }
  EventBatch batch;
  batch.Store("not at the beginning");
  const std::size_t bytes = batch.bytes();
  Outcome outcome;
  outcome.refused = tombstone ? decoder.value()->DecodeTombstone(record, kPlace, batch)
                              : decoder.value()->Decode(record, kPlace, batch);
  SASH_CHECK(batch.marks().empty());
  SASH_CHECK(batch.events().size() == (outcome.refused ? 0 : 1));
  if (outcome.refused) {
    SASH_CHECK(batch.bytes() == bytes);
    SASH_CHECK(!outcome.refused->detail.empty());
    return outcome;
  }
  const EdgeEvent& event = batch.events().front();
  SASH_CHECK(event.partition == kPlace.partition && event.offset == kPlace.offset);
  SASH_CHECK(batch.Text(event.payload) == record);
  SASH_CHECK(std::isfinite(event.weight.AsDouble()));
  outcome.edge = EdgeOf(event, format.keys, batch);
  return outcome;
}

// "at byte 17, ...": within the record, or just after it.
void CheckPosition(const Refused& refused, std::string_view record) {
  constexpr std::string_view kHead = "at byte ";
  const std::size_t found = refused.detail.find(kHead);
  if (refused.reason != RefusalReason::kInvalidSyntax || found == std::string::npos) return;
  const char* const digits = refused.detail.data() + found + kHead.size();
  std::size_t byte = 0;
  std::from_chars(digits, refused.detail.data() + refused.detail.size(), byte);
  SASH_CHECK(byte <= record.size());
}

// Empty when the two parsers are not comparable: the other limits numbers, skips a byte order mark
// and ends at a NUL; ours limits depth and size of records.
std::optional<bool> IsJson(std::string_view record) {
  if (record.starts_with("\xEF\xBB\xBF") || record.find('\0') != std::string_view::npos ||
      record.size() > kMaxRecordBytes) {
    return std::nullopt;
  }
  if (std::count(record.begin(), record.end(), '{') +
          std::count(record.begin(), record.end(), '[') >
      1000) {
    return std::nullopt;
  }
  try {
    return !Json::parse(record).is_discarded();
  } catch (const Json::parse_error&) {
    return false;
  } catch (const Json::out_of_range&) {
    return std::nullopt;
  }
}

void CheckAgainstOtherParser(const Outcome& outcome, std::string_view record) {
  const std::optional<bool> expected = IsJson(record);
  if (!expected || (outcome.refused && outcome.refused->detail == "no decoder")) return;
  const bool is_json =
      !outcome.refused || (outcome.refused->reason != RefusalReason::kInvalidSyntax &&
                           outcome.refused->reason != RefusalReason::kInvalidUtf8);
  SASH_CHECK(is_json == *expected);
}

Json KeyJson(const std::string& key, KeyKind kind) {
  return kind == KeyKind::kString ? Json(key) : Json(std::stoll(key));
}

Json WeightJson(Weight weight) {
  return weight.is_integer() ? Json(weight.integer()) : Json(weight.AsDouble());
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

// Writes the record in the plainest form of each format.
void CheckRoundTrip(const Edge& edge, KeyKind kind) {
  const std::string_view operation = OperationName(edge.operation);
  const std::int64_t time = edge.time.time_since_epoch().count();
  Json json = {{"s", KeyJson(edge.source, kind)},
               {"w", WeightJson(edge.weight)},
               {"at", time},
               {"op", operation}};
  if (edge.operation != Operation::kRemoveVertex) json["t"] = KeyJson(edge.target, kind);
  FormatSpec format{.mapping = JsonMapping{"/s", "/t", "/w", "/at", "/op"},
                    .keys = kind,
                    .time_unit = TimeUnit::kNanoseconds};
  const Outcome from_json = Decode(format, "", json.dump(), false);
  SASH_CHECK(!from_json.refused && from_json.edge == edge);

  const std::string row =
      fmt::format("{};{};{};{}.{:09};{}\n", Quoted(edge.source), Quoted(edge.target),
                  Quoted(WeightJson(edge.weight).dump()), time < 0 ? 0 : time / 1'000'000'000,
                  time < 0 ? 0 : time % 1'000'000'000, operation);
  if (time < 0) return;
  format.mapping = CsvMapping{1u, 2u, 3u, 4u, 5u, ';'};
  format.time_unit = TimeUnit::kSeconds;
  const Outcome from_csv = Decode(format, "", row, false);
  SASH_CHECK(!from_csv.refused && from_csv.edge == edge);
}

// A string of JSON that holds these bytes.
std::string InString(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\') text += '\\';
    const auto code = static_cast<unsigned char>(c);
    text += code < 0x20 ? fmt::format("\\u{:04x}", code) : std::string(1, c);
  }
  return text + '"';
}

bool AsksBesideValue(const JsonMapping& mapping) {
  bool asks = false;
  ForEachField(mapping, [&](MappedField, const std::string& where) {
    asks = asks || where.starts_with('$');
  });
  return asks;
}

void CheckWrapped(FormatSpec format, const Outcome& alone, std::string_view record) {
  constexpr std::size_t kLongest = 100'000;  // it grows
  if (record.size() > kLongest || !IsJson(record)) return;
  auto& mapping = std::get<JsonMapping>(format.mapping);
  const auto check = [&](const std::string& wrapped) {
    const Outcome outcome = Decode(format, "", wrapped, false);
    SASH_CHECK(outcome.refused.has_value() == alone.refused.has_value());
    if (!alone.refused) {
      SASH_CHECK(outcome.edge == alone.edge);
    } else {
      SASH_CHECK(outcome.refused->reason == alone.refused->reason);
      CheckPosition(*outcome.refused, wrapped);
    }
  };
  const std::string text(record);
  mapping.unwrap = Unwrap::kCloudEvents;
  check(R"({"specversion":"1.0","data_base64":")" + Base64(record) + "\"}");
  // Other text may end the envelope, and begin it again.
  const bool is_json = *IsJson(record);
  if (is_json) check(R"({"data":)" + text + R"(,"specversion":"1.0"})");
  mapping.unwrap = Unwrap::kConnect;
  const bool is_null = is_json && Json::parse(record).is_null();
  if (is_json && !is_null) check(R"({"schema":{"payload":1},"payload":)" + text + "}");
  if (is_json && Json::parse(record).is_object() && !mapping.operation) {
    mapping.unwrap = Unwrap::kDebezium;
    const Outcome row = Decode(format, "", R"({"op":"c","after":)" + text + "}", false);
    SASH_CHECK(row.refused.has_value() == alone.refused.has_value());
    if (!alone.refused) SASH_CHECK(row.edge == alone.edge);
  }
  mapping.unwrap = Unwrap::kNone;
  mapping.text_at = "/m";
  check(R"({"m":)" + InString(record) + "}");
}

// In an array, each of two elements becomes what the record becomes alone.
void CheckTwice(FormatSpec format, const Outcome& alone, std::string_view record) {
  constexpr std::size_t kLongest = 100'000;
  auto& mapping = std::get<JsonMapping>(format.mapping);
  bool names_record = false;
  ForEachField(mapping, [&](MappedField, const std::string& where) {
    names_record = names_record || where.starts_with(kFromRecord);
  });
  if (names_record || record.size() > kLongest || IsJson(record) != true) return;
  mapping.each = "";
  Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format);
  SASH_CHECK(decoder.ok() == (!alone.refused || alone.refused->detail != "no decoder"));
  if (!decoder) return;
  EventBatch batch;
  const std::string twice = fmt::format("[{0},{0}]", record);
  const auto refused = decoder.value()->Decode(twice, kPlace, batch);
  SASH_CHECK(refused.has_value() == alone.refused.has_value());
  if (refused) {
    SASH_CHECK(refused->reason == alone.refused->reason);
    SASH_CHECK(batch.events().empty() && batch.text_bytes() == 0);
    return;
  }
  SASH_CHECK(batch.events().size() == 2 && batch.RecordEnd(0) == 2);
  for (const EdgeEvent& event : batch.events()) {
    SASH_CHECK(EdgeOf(event, format.keys, batch) == alone.edge);
    SASH_CHECK(batch.Text(event.payload) == twice);
  }
}

JsonMapping ChosenPointers(Choices& choices) {
  switch (choices.Below(4)) {
    case 0:
      return {"/s", "/t", {}, {}, {}};
    case 1:
      return {"/s", "/t", "/w", "/at", "/op"};
    case 2:
      return {"/a~1b/0", "/a~1b/1", "/~0", "/at/0/at", "/"};
    default:
      break;
  }
  // With the text of the first line.
  std::string_view line = choices.Line();
  const auto next = [&line] {
    const std::size_t end = line.find(' ');
    const std::string word(line.substr(0, end));
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    return word;
  };
  JsonMapping mapping{next(), next(), {}, {}, {}};
  for (auto* field : {&mapping.weight, &mapping.time, &mapping.operation}) {
    if (!line.empty()) *field = next();
  }
  return mapping;
}

CsvMapping ChosenColumns(Choices& choices, std::string_view& header) {
  constexpr char kDelimiters[] = {',', ';', '\t', ' ', '|', '"', '\n', 'a'};
  const char delimiter = kDelimiters[choices.Below(std::size(kDelimiters))];
  switch (choices.Below(4)) {
    case 0:
      return {1u, 2u, {}, {}, {}, delimiter};
    case 1:
      return {1u, 2u, 3u, 4u, 5u, delimiter};
    case 2:
      return {4u, 2u, 2u, 1u, 9u, delimiter};
    default:
      header = choices.Line();
      return {"s", "t", "w", "at", "op", delimiter};
  }
}

// "" is ISO 8601, "step" is numbers of hours; the others are formats.
constexpr std::array<const char*, 6> kTextualTimes = {
    "", "%Y/%m/%d %H:%M", "%Y%m%d%H%M%S", "step", "%a, %e %B %y %I:%M:%S %p %z", "%j %Y,%T.%f"};

void ChooseTime(Choices& choices, FormatSpec& format) {
  const std::size_t time = choices.Below(7 + kTextualTimes.size());
  if (time < 5) format.time_unit = static_cast<TimeUnit>(time);
  if (time == 5 || time == 6) {
    format.time_origin = time == 5 ? TimeOrigin::kKafka : TimeOrigin::kClock;
  }
  if (time < 7) return;
  format.time_format = kTextualTimes[time - 7];
  format.time_unit = format.time_format.empty() ? TimeUnit::kIso8601 : TimeUnit::kFormat;
  if (format.time_format == "step") {
    format.time_unit = TimeUnit::kStep;
    format.time_step = std::chrono::hours(1);
    format.time_base = EventTime(std::chrono::hours(500'000));
  }
  format.time_zone = "America/New_York";
}

}  // namespace

void DecodeRecord(std::string_view input) {
  Choices choices(input);
  FormatSpec format;
  std::string_view header;
  const bool csv = choices.Below(2) == 1;
  format.keys = choices.Below(2) == 0 ? KeyKind::kString : KeyKind::kInteger;
  ChooseTime(choices, format);
  const bool tombstone = choices.Below(2) == 1;
  if (csv) {
    format.mapping = ChosenColumns(choices, header);
  } else {
    format.mapping = ChosenPointers(choices);
  }
  const std::string_view record = choices.rest();

  const Outcome outcome = Decode(format, header, record, tombstone);
  // A tombstone whose fields are all beside the value may have any key.
  const bool beside = !csv && AsksBesideValue(std::get<JsonMapping>(format.mapping));
  if (!csv && !(tombstone && beside)) CheckAgainstOtherParser(outcome, record);
  if (!csv && !tombstone && !beside) {
    CheckWrapped(format, outcome, record);
    CheckTwice(format, outcome, record);
  }
  if (outcome.refused) {
    CheckPosition(*outcome.refused, record);
    return;
  }
  const Outcome again = Decode(format, header, record, tombstone);
  SASH_CHECK(!again.refused && again.edge == outcome.edge);
  const Edge& edge = outcome.edge;
  SASH_CHECK(edge.time >= EventTime(std::chrono::sys_days(std::chrono::year(1700) / 1 / 1)) &&
             edge.time < EventTime(std::chrono::sys_days(std::chrono::year(2201) / 1 / 1)));
  SASH_CHECK(!edge.source.empty());
  SASH_CHECK(edge.target.empty() == (edge.operation == Operation::kRemoveVertex));
  if (tombstone) SASH_CHECK(edge.operation == Operation::kRemove);
  CheckRoundTrip(edge, format.keys);
}

}  // namespace sash::fuzz
