#include "daemon/config/window_filter.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "connectors/codec/envelope_uses.h"
#include "connectors/codec/json_plan.h"
#include "connectors/codec/record_filter.h"
#include "connectors/codec/window_judge.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

// What is wrong with a filter that is to read the records of a mapping; empty: nothing.
std::string FilterFault(const std::string& where, FormatSpec format, bool replay) {
  format.where = where;
  const Result<std::optional<RecordFilter>> filter = RecordFilter::Make(format);
  if (!filter.ok()) return filter.error().message;
  for (const EnvelopeUse& use : EnvelopeUsesOf(format)) {
    if (use.key != "where" || use.field.is_in_files() || !replay) continue;
    return fmt::format(
        "reads {}, which a replay does not have: the records of a file have no key, headers or "
        "Kafka timestamp; give a field of the value",
        use.text);
  }
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  if (json == nullptr) return "";
  const std::vector<FilterField>& asked = filter.value()->fields();
  const Result<JsonPlan> plan = JsonPlan::Of(format, *json, asked, asked.size());
  return plan.ok() ? "" : plan.error().message;
}

// Reports types that no mapping gives.
void CheckTypes(const Section& window, const WindowSpec& spec, const FormatSpec& format) {
  if (format.AnyEdge([](const auto& edge) { return edge.type.has_value(); })) return;
  std::set<std::string> known;
  format.ForEachEdge([&](const auto& edge) {
    if (!edge.type_word.empty()) known.insert(edge.type_word);
  });
  for (const std::string& type : spec.types) {
    if (known.contains(type)) continue;
    return window.Fail(
        "types", known.empty()
                     ? fmt::format("has `{}`, but no mapping gives edges a type; give it one, such "
                                   "as type: {} or type: {{from: FIELD}}",
                                   type, Quote(type))
                     : fmt::format("has `{}`, but the types that mappings give are {}", type,
                                   fmt::join(known, ", ")));
  }
}

}  // namespace

void CheckWindowFilter(const Section& window, const WindowSpec& spec, const SourceConfig& source) {
  if (source.slices() != nullptr) {
    // Whether the slices have the filter is known when they are read.
    if (spec.by == WindowAxis::kEventTime) return;
    return window.Fail("by", "must be event_time with source.export: slices are cut by that");
  }
  if (source.time.dedupe_within > Duration::zero() && spec.by != WindowAxis::kEventTime) {
    window.Fail("by",
                "cannot be this together with source.dedupe: edges that came before are left out "
                "of windows by event_time alone");
  }
  if (spec.by == WindowAxis::kEvents) return;
  CheckTypes(window, spec, source.format);
  if (spec.where.empty()) return;
  const std::vector<FormatSpec>& mappings = source.format.mappings;
  if (mappings.empty()) {
    const std::string fault = FilterFault(spec.where, source.format, source.is_replay());
    if (!fault.empty()) window.Fail("where", fault);
  }
  for (const FormatSpec& mapping : mappings) {
    if (!MayGiveTypes(mapping, spec.types)) continue;
    const std::string fault = FilterFault(spec.where, mapping, source.is_replay());
    if (fault.empty()) continue;
    return window.Fail("where",
                       fmt::format("for the records of mapping {}: {}", mapping.name, fault));
  }
}

}  // namespace sash
