// FormatSpec: how a record maps to edge events (configuration: source.format or source.mappings,
// and source.time).
//
// Thread safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/edge_event.h"

namespace sash {

enum class TimeOrigin : std::uint8_t { kField, kKafka, kClock };
// How times are written. kStep: numbers that count steps of time_step; kFormat: texts in a format
// as for strptime.
enum class TimeUnit : std::uint8_t {
  kSeconds,
  kMilliseconds,
  kMicroseconds,
  kNanoseconds,
  kRfc3339,
  kIso8601,
  kFormat,
  kStep
};
inline constexpr std::size_t kTimeUnitCount = 8;

// Whether times are numbers of s, ms, us or ns.
constexpr bool CountsIn(TimeUnit unit) { return unit <= TimeUnit::kNanoseconds; }
enum class TombstonePolicy : std::uint8_t { kIgnore, kRemove, kDeadLetter };

// Fields whose texts are put behind that of a first one.
template <typename Field>
struct JoinedFields {
  std::vector<Field> more{};
  std::string separator{};  // before each of them
  friend bool operator==(const JoinedFields&, const JoinedFields&) = default;
};
inline constexpr std::size_t kMostParts = 4;  // a key or a time is at most so many fields

enum class LetterCase : std::uint8_t { kAsWritten, kLower, kUpper };

// What is done with the text of each part of a key, in this order, before the parts are joined; the
// prefix stands before the whole.
struct KeySpelling {
  bool trim = false;  // blanks, tabs and line breaks at both ends do not count
  LetterCase letters = LetterCase::kAsWritten;
  std::string prefix{};
  friend bool operator==(const KeySpelling&, const KeySpelling&) = default;
};
template <typename Field>
struct KeyParts {
  JoinedFields<Field> rest{};
  KeySpelling text{};
  friend bool operator==(const KeyParts&, const KeyParts&) = default;
};

// The type of an edge is the text of a field, or of several, or one word for all edges.
inline constexpr std::size_t kMostTypeBytes = 255;

// What an edge weighs if its weight is not a number.
enum class InvalidWeight : std::uint8_t { kRefuse, kOne, kZero };
// How weights are written when they are texts.
struct WeightSpelling {
  char decimal = '.';
  std::string group{};  // the character between groups of digits; empty: there are no groups
  InvalidWeight invalid = InvalidWeight::kRefuse;
  friend bool operator==(const WeightSpelling&, const WeightSpelling&) = default;
};

// The texts of the operation field. All empty: add, remove and remove_vertex mean themselves.
struct OperationWords {
  std::vector<std::string> add{};
  std::vector<std::string> remove{};
  std::vector<std::string> remove_vertex{};
  std::vector<std::string> skip{};  // the record is filtered
  bool empty() const {
    return add.empty() && remove.empty() && remove_vertex.empty() && skip.empty();
  }
  friend bool operator==(const OperationWords&, const OperationWords&) = default;
};

// The envelope in which the content of records is (json_unwrapper.h, debezium_reader.h).
enum class Unwrap : std::uint8_t { kNone, kConnect, kCloudEvents, kDebezium };

// Before a pointer with JsonMapping::each: it begins at the record, not at the element. With
// Unwrap::kDebezium: at the change event, not at the row.
inline constexpr std::string_view kFromRecord = "$record";

// The schema of records in Avro; without a text it is named by each record (RegistrySpec).
struct AvroSpec {
  std::string path{};  // of the schema's file
  std::string text{};  // the schema
  friend bool operator==(const AvroSpec&, const AvroSpec&) = default;
};

// JSON pointers (RFC 6901) into the content, or fields beside the value (envelope_field.h). An
// empty optional: the records do not have this field. JsonMapping has more members than other
// classes: there is one for each key of a mapping of JSON.
struct JsonMapping {
  std::string source;
  std::string target;
  std::optional<std::string> weight;
  std::optional<std::string> time;
  std::optional<std::string> operation;
  JoinedFields<std::string> time_rest{};  // only with time
  KeyParts<std::string> source_parts{};
  KeyParts<std::string> target_parts{};
  WeightSpelling weight_text{};
  OperationWords operation_words{};
  Unwrap unwrap = Unwrap::kNone;
  std::optional<std::string> text_at{};  // a pointer to a string, which holds the content as JSON
  bool both_directions = false;          // the edge and the reverse edge; a self-loop is one edge
  std::optional<std::string> type{};     // empty: see type_word
  KeyParts<std::string> type_parts{};    // only with type
  std::string type_word{};  // the type of every edge, if no field is; empty: edges have no type
  std::optional<std::string> id{};
  KeyParts<std::string> id_parts{};  // only with id
  // The array whose elements give edges; the other pointers then begin at an element, unless they
  // begin with kFromRecord. `where` reads the record.
  std::optional<std::string> each{};
  bool lines = false;  // each line is read like a record; it has the place of its record
  // Further edges of a record. Of these, unwrap, text_at, each and more_edges are not used.
  std::vector<JsonMapping> more_edges{};
  // If it is set, the records are in Avro; pointers then name its fields as if they were in JSON.
  std::optional<AvroSpec> avro{};
};

// A field beside the value of a record, as it is written: "$key" (envelope_field.h).
struct EnvelopeName {
  explicit EnvelopeName(std::string written) : text(std::move(written)) {}
  std::string text;
  friend bool operator==(const EnvelopeName&, const EnvelopeName&) = default;
};

// A column, by its number (from 1) or by its name in the header row; or a field beside the row.
using CsvColumn = std::variant<std::uint32_t, std::string, EnvelopeName>;

// The delimiter of fields that runs of blanks and tabs separate.
inline constexpr char kBlanks = '\0';

// Either all columns are names, and the first row is the header; or all are numbers, and there is
// no header. Fields beside the row are neither. CsvMapping has more members than other classes:
// there is one for each key of a mapping of CSV.
struct CsvMapping {
  CsvColumn source;
  CsvColumn target;
  std::optional<CsvColumn> weight;
  std::optional<CsvColumn> time;
  std::optional<CsvColumn> operation;
  char delimiter = ',';  // kBlanks: runs of blanks and tabs
  bool multiline =
      false;  // in files: mapped fields may contain line breaks, and any field may contain rows
  bool quotes = true;           // fields may be in quotes; false: a quote is an ordinary character
  std::string comment{};        // rows that begin with it are not edges; empty: there are none
  std::uint64_t skip_rows = 0;  // in files: this number of lines at the beginning is not read
  JoinedFields<CsvColumn> time_rest{};  // only with time
  KeyParts<CsvColumn> source_parts{};
  KeyParts<CsvColumn> target_parts{};
  WeightSpelling weight_text{};
  OperationWords operation_words{};
  bool both_directions = false;      // the edge and the reverse edge; a self-loop is one edge
  std::optional<CsvColumn> type{};   // empty: see type_word
  KeyParts<CsvColumn> type_parts{};  // only with type
  std::string type_word{};  // the type of every edge, if no field is; empty: edges have no type
  std::optional<CsvColumn> id{};
  KeyParts<CsvColumn> id_parts{};  // only with id
};

// The Schema Registry in which the schemas of the records are; each record begins with a frame
// (schema_frame.h).
struct RegistrySpec {
  struct Secret {
    std::string text{};
    std::string reference{};  // how it is written in the configuration
    friend bool operator==(const Secret&, const Secret&) = default;
  };
  std::string url{};   // without a slash at its end
  std::string user{};  // empty: none
  Secret password{};
  std::string ca{};           // PEM file of the certificates that are trusted; empty: the system's
  std::string certificate{};  // PEM file of the client; empty: none
  std::string key{};          // PEM file of its private key
  friend bool operator==(const RegistrySpec&, const RegistrySpec&) = default;
};

struct FormatSpec {
  // visit(mapping) for the mapping of each edge that a record gives.
  template <typename Visit>
  void ForEachEdge(const Visit& visit) const {
    if (!mappings.empty()) {
      for (const FormatSpec& each : mappings) each.ForEachEdge(visit);
      return;
    }
    std::visit(visit, mapping);
    const auto* json = std::get_if<JsonMapping>(&mapping);
    if (json == nullptr) return;
    for (const JsonMapping& edge : json->more_edges) visit(edge);
  }
  // Whether asks(mapping) is true for any of them.
  template <typename Asks>
  bool AnyEdge(const Asks& asks) const {
    bool any = false;
    ForEachEdge([&](const auto& edge) { any = any || asks(edge); });
    return any;
  }

  // Sets window_filters, of all mappings.
  void JudgeBy(const std::vector<std::string>& filters) {
    window_filters = filters;
    for (FormatSpec& each : mappings) each.window_filters = filters;
  }

  std::variant<JsonMapping, CsvMapping> mapping;
  KeyKind keys = KeyKind::kString;
  TombstonePolicy tombstone = TombstonePolicy::kIgnore;
  TimeOrigin time_origin = TimeOrigin::kField;
  TimeUnit time_unit = TimeUnit::kMilliseconds;
  Duration time_step{};       // of kStep: the time that the number 1 counts
  EventTime time_base{};      // of numbers: the time that 0 means
  std::string time_format{};  // of kFormat
  std::string time_zone{};    // of kIso8601 and kFormat, for times without offset: an IANA name
  std::vector<std::string> nulls{};  // texts of mapped fields that mean "no value"
  std::string where{};               // connectors/codec/filter; empty: every record passes
  // The filters of windows (WindowSpec::filter()), each text once, by number (FilterBits). Not a
  // part of the mapping: the edges of a record do not depend on it.
  std::vector<std::string> window_filters{};
  std::optional<RegistrySpec> registry{};

  // If it is not empty, each record goes through these mappings, in this order (mapped_decoder.h).
  // They have the keys, tombstone and time_origin of the whole. Of the whole, only these are used;
  // and `mapping`, a copy of the first, says how files are cut into rows.
  std::vector<FormatSpec> mappings{};
  // Only for one of several mappings:
  std::size_t number = 0;             // its place in `mappings` (MakeDecoder() sets it)
  std::string name{};                 // distinct
  std::vector<std::string> topics{};  // whose records it takes; empty: all records,
  std::string topic_pattern{};        // or those of topics that match (MappedTopics)
};
inline constexpr std::size_t kMostMappings = 64;

// Whether records begin with something other than text.
inline bool IsBinary(const FormatSpec& format) {
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  return format.registry || (json != nullptr && json->avro);
}

}  // namespace sash
