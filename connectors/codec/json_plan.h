// JsonPlan: where the fields of a JSON mapping are found: each field as a number of the scanner.
// First come the pointers that begin at an element of `each`, then those that begin at the record
// and the fields beside its value, then those that filters ask for. Equal fields of edges share a
// number.
//
// Thread safety: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "connectors/codec/debezium_reader.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/envelope_reader.h"
#include "connectors/codec/filter/filter_tree.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/json_pointer.h"
#include "connectors/codec/json_scanner.h"
#include "connectors/codec/json_unwrapper.h"
#include "windows/base/result.h"

namespace sash {

// A field number that no field has.
inline constexpr std::uint8_t kUnmapped = 0xFF;

// How the fields of one edge are found and named.
struct JsonEdge {
  std::array<std::uint8_t, kMappedFields> numbers{};  // in the scanner, or kUnmapped
  std::array<std::string, kMappedFields> labels;
  std::size_t time_parts = 1;  // 1 without joining
  std::string time_separator;
  std::string time_label;  // all parts
};

// The fields of a mapping, numbered for the scanner.
struct JsonPlan {
  // `asked`: what filters ask for; first the fields of `where`, whose number is `of_where`.
  static Result<JsonPlan> Of(const FormatSpec& format, const JsonMapping& mapping,
                             const std::vector<FilterField>& asked, std::size_t of_where);

  std::vector<JsonEdge> edges;
  PointerNode of_record;
  JsonScanner::EachElement each;
  std::optional<std::string> array;  // JsonMapping::each
  bool has_lines = false;            // JsonMapping::lines

  std::vector<JsonUnwrapper::Asked> pointers;    // those of of_record, without the array
  std::vector<JsonUnwrapper::Asked> attributes;  // of CloudEvents
  std::vector<EnvelopeReader::Asked> beside;     // the value
  std::vector<DebeziumReader::Asked> of_rows;    // with Unwrap::kDebezium, in place of pointers
  bool tombstones_have_fields = false;  // the key of a record without a value has a pointer's field

  std::size_t numbered = 0;     // the numbers below are taken
  std::size_t first_asked = 0;  // the number of the first field that filters ask for
};

}  // namespace sash
