#include "connectors/codec/json_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "connectors/codec/envelope_field.h"

namespace sash {
namespace {

class JsonPlanner {
 public:
  JsonPlanner(const FormatSpec& format, const JsonMapping& mapping)
      : format_(format),
        is_event_(mapping.unwrap == Unwrap::kCloudEvents),
        has_rows_(mapping.unwrap == Unwrap::kDebezium) {
    edges_.push_back(&mapping);
    for (const JsonMapping& edge : mapping.more_edges) edges_.push_back(&edge);
    plan_.array = mapping.each;
    plan_.has_lines = mapping.lines;
    plan_.edges.resize(edges_.size());
  }

  Result<JsonPlan> Plan(const std::vector<FilterField>& asked, std::size_t of_where) {
    for (const bool of_element : {true, false}) {
      for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
        if (Status added = AddEdge(edge, of_element); !added.ok()) {
          if (edges_.size() == 1) return std::move(added).error();
          return std::move(added).error().Within(fmt::format("edges[{}]", edge));
        }
      }
      if (of_element) plan_.each.fields = plan_.numbered;
    }
    if (Status added = AddAsked(asked, of_where); !added.ok()) {
      return std::move(added).error().Within("where");
    }
    if (plan_.array) {
      Status added = AddArray(*plan_.array, JsonScanner::kEach, plan_.of_record);
      if (!added.ok()) return std::move(added).error().Within("each");
    }
    return std::move(plan_);
  }

 private:
  Status AddEdge(std::size_t edge, bool of_element) {
    const JsonMapping& from = *edges_[edge];
    JsonEdge& to = plan_.edges[edge];
    if (of_element) {
      to.numbers.fill(kUnmapped);
      to.time_parts = 1 + from.time_rest.more.size();
      to.time_separator = from.time_rest.separator;
    }
    Status added = Ok{};
    ForEachField(from, [&](MappedField field, const std::string& where) {
      if (!added.ok()) return;
      added = AddField(field, where, of_element, to);
      if (!added.ok()) added = std::move(added).error().Within(Name(field));
    });
    to.time_label = to.labels[static_cast<std::size_t>(MappedField::kTime)];
    for (const std::string& pointer : from.time_rest.more) to.time_label += " + " + pointer;
    return added;
  }

  // Does nothing if the field belongs to the other round.
  Status AddField(MappedField field, const std::string& where, bool of_element, JsonEdge& edge) {
    const bool is_beside = IsEnvelopeText(where);
    std::string_view path = where;
    const bool names_record = path.starts_with(kFromRecord);
    if (names_record) path.remove_prefix(kFromRecord.size());
    if (of_element != (plan_.array && !names_record && !is_beside)) return Ok{};
    const auto place = static_cast<std::size_t>(field);
    edge.labels[place] = fmt::format("{} {}", Name(field), where.empty() ? "\"\"" : where);
    Result<std::size_t> number = is_beside ? NumberBeside(field, where)
                                 : has_rows_
                                     ? NumberInRows(field, path, names_record, edge.labels[place])
                                     : NumberOf(path, of_element);
    if (!number.ok()) return std::move(number).error();
    if (!is_beside && IsInTombstones(field, format_)) plan_.tombstones_have_fields = true;
    edge.numbers[place] = static_cast<std::uint8_t>(number.value());
    return Ok{};
  }

  Result<std::size_t> NumberOf(std::string_view path, bool of_element) {
    if (const auto known = KnownNumber(path, of_element)) return *known;
    if (Status room = HasRoom(); !room.ok()) return std::move(room).error();
    Status added =
        AddPointer(path, plan_.numbered, of_element ? plan_.each.pointers : plan_.of_record);
    if (!added.ok()) return std::move(added).error();
    if (!of_element) plan_.pointers.push_back({plan_.numbered, std::string(path)});
    return Take(path, of_element);
  }

  // An update has two rows, but one time. So a column that is a key and the time has two numbers.
  Result<std::size_t> NumberInRows(MappedField field, std::string_view path, bool of_event,
                                   const std::string& label) {
    using Asked = DebeziumReader::Asked;
    Asked asked{plan_.numbered, std::string(path), label, DebeziumReader::RoleOf(field), of_event};
    const auto known = std::ranges::find_if(plan_.of_rows, [&](const Asked& other) {
      return other.path == asked.path && other.role == asked.role &&
             other.of_event == asked.of_event;
    });
    if (known != plan_.of_rows.end()) return known->number;
    if (Status room = HasRoom(); !room.ok()) return std::move(room).error();
    // Alone, since behind the name of a row any text is a pointer.
    PointerNode alone;
    Status added = AddPointer(path, plan_.numbered, alone);
    if (!added.ok()) return std::move(added).error();
    plan_.of_rows.push_back(std::move(asked));
    return Take(path, false);
  }

  // The number of a field beside the value. No pointer is written as such a field is.
  Result<std::size_t> NumberBeside(MappedField field, const std::string& where) {
    if (const auto known = KnownNumber(where, false)) return *known;
    if (Status room = HasRoom(); !room.ok()) return std::move(room).error();
    Result<EnvelopeField> from = ParseEnvelopeField(where);
    if (!from.ok()) return std::move(from).error();
    if (is_event_ && IsAttribute(from.value().name)) {
      plan_.attributes.push_back({plan_.numbered, std::move(from.value().name)});
    } else {
      plan_.beside.push_back({plan_.numbered, std::string(Name(field)), std::move(from).value()});
    }
    return Take(where, false);
  }

  std::optional<std::size_t> KnownNumber(std::string_view path, bool of_element) const {
    const auto known = std::ranges::find(known_, std::pair(std::string(path), of_element));
    if (known == known_.end()) return std::nullopt;
    return static_cast<std::size_t>(known - known_.begin());
  }
  std::size_t Take(std::string_view path, bool of_element) {
    known_.emplace_back(path, of_element);
    return plan_.numbered++;
  }

  Status AddAsked(const std::vector<FilterField>& asked, std::size_t of_where) {
    plan_.first_asked = plan_.numbered;
    const std::size_t first_of_windows = plan_.numbered + of_where;
    for (const FilterField& field : asked) {
      if (Status room = HasRoom(); !room.ok()) return room;
      const std::size_t number = plan_.numbered++;
      if (field.from == FilterField::From::kAttribute) {
        plan_.attributes.push_back({number, field.name});
      }
      if (field.from != FilterField::From::kPointer) continue;
      plan_.pointers.push_back({number, field.name});
      const auto role =
          number < first_of_windows ? DebeziumReader::Role::kFilter : DebeziumReader::Role::kOther;
      plan_.of_rows.push_back({number, field.name, field.name, role, false});
      if (Status added = AddPointer(field.name, number, plan_.of_record); !added.ok()) return added;
    }
    return Ok{};
  }

  Status HasRoom() const {
    if (plan_.numbered < JsonScanner::kMostFields) return Ok{};
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("the mapping names more than {} different fields", JsonScanner::kMostFields)};
  }

  const FormatSpec& format_;
  const bool is_event_;
  const bool has_rows_;  // the records are changes of rows
  std::vector<const JsonMapping*> edges_;
  JsonPlan plan_;
  std::vector<std::pair<std::string, bool>> known_;  // by number: the path, and whether of elements
};

}  // namespace

Result<JsonPlan> JsonPlan::Of(const FormatSpec& format, const JsonMapping& mapping,
                              const std::vector<FilterField>& asked, std::size_t of_where) {
  return JsonPlanner(format, mapping).Plan(asked, of_where);
}

}  // namespace sash
