// The keys of source.format.json, source.format.avro, source.format.csv, source.format.edges and
// source.format.registry.
//
// Thread safety: none needed; used within one parse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "daemon/config/key_row.h"
#include "windows/base/result.h"

namespace sash {

// The first column that is read decides whether all columns are names or numbers.
struct CsvContext {
  struct First {
    std::string_view key;
    bool is_number;
  };
  std::optional<First> first;
};

const KeyRows<JsonMapping>& JsonRows();
const KeyRows<JsonMapping>& AvroRows();
const KeyRows<RegistrySpec>& RegistryRows();
const KeyRows<CsvMapping, CsvContext>& CsvRows();

// The text of a field beside the value ($key, ...), if it is one.
Result<std::string> ParseBeside(std::string_view text);

// What was read of the edges of a mapping.
struct ReadEdges {
  std::vector<Section> sections;  // of each edge, in their order
  bool maps_time = false;
  bool says_how = false;  // it says how times are written, in place of source.time
};
// Read the mapping into `format`. `around`: source.format, which may have `edges`.
ReadEdges ReadJsonMapping(const Section& json, const Section& around, FormatSpec& format);
ReadEdges ReadAvroMapping(const Section& avro, const Section& around, FormatSpec& format);
ReadEdges ReadCsvMapping(const Section& csv, const Section& around, FormatSpec& format);

// Reads and checks what source.format and an item of source.mappings have in common. `form`: the
// one of json, avro and csv that is present. `rows`: of the section `format`.
ReadEdges ReadMapped(const Section& format, std::optional<std::string_view> form,
                     const KeyRows<FormatSpec>& rows, bool replay, FormatSpec& spec);

// Reports schemas and registries that the format, or a replay, does not have.
void CheckSchemas(const Section& format, std::string_view form, bool replay);

// Prints `json`; with several edges, they follow in `edges`.
void PrintJsonMapping(YamlPrinter& out, int depth, const JsonMapping& mapping);
void PrintEdges(YamlPrinter& out, int depth, const JsonMapping& mapping);
bool SameMoreEdges(const JsonMapping& a, const JsonMapping& b);

// `direction` of an edge.
struct DirectionForm : OneOf<bool> {
  DirectionForm() : OneOf<bool>{{"forward", false}, {"both", true}} {}
  void Print(YamlPrinter& out, int depth, const KeySpec& key, bool both) const {
    if (both) out.Line(depth, key.name, "both");
  }
};
inline constexpr std::string_view kDirectionAbout =
    "both: the record gives the edge and the reverse edge. They count as two; a self-loop is one "
    "edge. A removal acts in both directions.";

// The keys of an edge in source.format.json.
KeyRows<JsonMapping> PointerRows();
// Reads these rows, and the long form of the time.
ReadEdges ReadPointers(const Section& section, const KeyRows<JsonMapping>& rows,
                       FormatSpec& format);

std::vector<SectionSpec> JsonSections();
SectionSpec AvroSection();
SectionSpec RegistrySection();
std::vector<SectionSpec> CsvSections();

}  // namespace sash
