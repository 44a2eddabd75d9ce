#include "daemon/control/detail_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "daemon/control/printable.h"
#include "daemon/control/table.h"
#include "daemon/control/wording.h"

namespace sash {
namespace {

constexpr std::size_t kMostOnALine = 4;

using Fields = std::vector<std::pair<std::string, std::string>>;

// The API gives all of these in seconds.
bool IsSeconds(std::string_view name) {
  return name == "seconds" || name.ends_with("_seconds") || name == "disorder" ||
         name == "idle_after";
}

std::string MemberText(const JsonMember& member) {
  if (IsSeconds(member.name)) return SecondsText(member.value);
  if (member.name == "bytes") return BytesText(member.value);
  return TimeText(member.value);
}

// Scalars, lists of scalars, and objects with a few scalars.
bool FitsOnALine(const JsonValue& value) {
  return value.members.size() <= kMostOnALine &&
         std::ranges::all_of(value.items, &JsonValue::is_scalar) &&
         std::ranges::all_of(value.members,
                             [](const JsonMember& each) { return each.value.is_scalar(); });
}

bool IsRow(const JsonValue& value) {
  return value.is_object() && std::ranges::all_of(value.members, [](const JsonMember& each) {
           return FitsOnALine(each.value);
         });
}

bool IsTable(const JsonValue& value) {
  return value.is_list() && !value.items.empty() && std::ranges::all_of(value.items, IsRow);
}

// Drops the suffix of durations: their unit is shown.
std::string FieldsName(std::string_view name) {
  if (name == "seconds") return "took";
  constexpr std::string_view kSuffix = "_seconds";
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  std::string text = Printable(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string UpperCase(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

bool IsRightAligned(const JsonValue& rows, std::string_view name) {
  return std::ranges::all_of(rows.items, [&](const JsonValue& row) {
    const JsonValue& cell = row[name];
    return cell.is_null() || cell.kind == JsonValue::Kind::kNumber;
  });
}

// Columns are the members of all rows, in the order in which they come first.
std::string TableText(const JsonValue& rows) {
  std::vector<std::string> names;
  for (const JsonValue& row : rows.items) {
    for (const JsonMember& member : row.members) {
      if (std::ranges::find(names, member.name) == names.end()) names.push_back(member.name);
    }
  }
  std::vector<Column> columns;
  for (const std::string& name : names) {
    columns.push_back(
        {UpperCase(FieldsName(name)), IsRightAligned(rows, name) ? Align::kRight : Align::kLeft});
  }
  Table table(std::move(columns));
  for (const JsonValue& row : rows.items) {
    std::vector<std::string> cells;
    for (const std::string& name : names) cells.push_back(MemberText({name, row[name]}));
    table.Add(std::move(cells));
  }
  return table.Text();
}

bool IsPhases(const JsonMember& member) {
  return member.name.ends_with("_phases") && member.value.is_object();
}

// Each phase with its share of the total.
std::string PhasesText(const JsonValue& phases) {
  double total = 0;
  for (const JsonMember& phase : phases.members) total += phase.value.AsNumber().value_or(0);
  Table table({{"PHASE"}, {"TIME", Align::kRight}, {"SHARE", Align::kRight}});
  for (const JsonMember& phase : phases.members) {
    const double seconds = phase.value.AsNumber().value_or(0);
    table.Add({FieldsName(phase.name), SecondsText(phase.value),
               fmt::format("{:.0f} %", total > 0 ? 100 * seconds / total : 0)});
  }
  return table.Text();
}

}  // namespace

void AppendParagraph(const std::string& paragraph, std::string& text) {
  if (paragraph.empty()) return;
  if (!text.empty()) text += "\n";
  text += paragraph;
}

std::string ObjectText(const JsonValue& object, const std::vector<std::string_view>& without) {
  Fields fields;
  std::string rest;
  for (const JsonMember& member : object.members) {
    if (std::ranges::find(without, member.name) != without.end()) continue;
    const bool empty_list = member.value.is_list() && member.value.items.empty();
    if (IsPhases(member)) {
      AppendParagraph(FieldsName(member.name) + "\n" + PhasesText(member.value), rest);
    } else if (FitsOnALine(member.value) && !empty_list) {
      fields.emplace_back(FieldsName(member.name), MemberText(member));
    } else if (empty_list) {
      fields.emplace_back(FieldsName(member.name), "none");
    } else if (IsTable(member.value)) {
      AppendParagraph(FieldsName(member.name) + "\n" + TableText(member.value), rest);
    } else {
      AppendParagraph(FieldsName(member.name) + "\n" + DetailText(member.value), rest);
    }
  }
  std::string text = FieldsText(fields);
  AppendParagraph(rest, text);
  return text;
}

std::string DetailText(const JsonValue& value) {
  if (IsTable(value)) return TableText(value);
  if (value.is_object()) return ObjectText(value, {});
  if (FitsOnALine(value)) return TimeText(value) + "\n";
  std::string text;
  for (const JsonValue& item : value.items) AppendParagraph(DetailText(item), text);
  return text;
}

}  // namespace sash
