#include "connectors/sinks/alerts/alert_facts.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/sinks/result_diff.h"
#include "connectors/sinks/result_json.h"
#include "windows/jobs/kinds/kinds.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

using FactJson = nlohmann::ordered_json;

std::string SubjectText(const FactJson& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

NoFact WithoutValue(const FactJson& value) {
  NoFact none{.is_list = value.is_structured()};
  for (const FactJson& each : value) {
    if (!none.words.empty()) none.words += ", ";
    none.words += SubjectText(each);
  }
  return none;
}

FactValue FactOf(const FactJson& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return static_cast<std::int64_t>(number);
    }
    return static_cast<double>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return WithoutValue(value);
}

// The subject of a row: the thing that it ranks, a cycle by its vertices, a pair by its two ends.
std::string SubjectOf(const FactJson& row, std::string_view one) {
  std::string subject;
  if (const auto named = row.find(one); named != row.end()) {
    subject = SubjectText(*named);
  } else if (row.contains("source") && row.contains("target")) {
    subject = FactJson::array({row.at("source"), row.at("target")}).dump();
  }
  const auto root = row.find("root");
  return root == row.end() ? subject : FactJson::array({*root, subject}).dump();
}

FactRow RowOf(const FactJson& json, std::string_view one) {
  FactRow row{.subject = SubjectOf(json, one), .json = json.dump()};
  for (const auto& member : json.items())
    row.facts.push_back({member.key(), FactOf(member.value())});
  return row;
}

void AddRows(const FactJson& list, std::string_view one, const FactJson* root,
             std::vector<FactRow>& rows) {
  for (const FactJson& each : list) {
    if (root == nullptr) {
      rows.push_back(RowOf(each, one));
      continue;
    }
    FactJson row = {{"root", *root}};
    row.update(each);
    rows.push_back(RowOf(row, one));
  }
}

// What names the subject of a row of this list. A cycle has no name; its vertices are it.
std::string_view OneOf(const ResultList& list) {
  return std::holds_alternative<const std::vector<CycleOfVertices>*>(list.rows) ? "vertices"
                                                                                : list.one;
}

// Members that would differ if the same window were computed again.
bool IsOfTheRun(std::string_view name) { return name == "seconds" || name == "mode"; }

// An object, or null and a reason: no value for conditions.
bool IsOfTheBaseline(std::string_view name) { return name.starts_with("baseline"); }

}  // namespace

const FactValue* FactRow::Find(std::string_view name) const {
  const auto found = std::ranges::find(facts, name, &Fact::name);
  return found == facts.end() ? nullptr : &found->value;
}

FactRow ReadFactRow(std::string_view json, std::string_view one) {
  const FactJson row = FactJson::parse(json, nullptr, false);
  return row.is_object() ? RowOf(row, one) : FactRow();
}

const std::vector<FactRow>& AlertFacts::Rows() {
  if (rows_) return *rows_;
  rows_.emplace();
  const ResultTable table = DescribeResult(*run_.result);
  if (table.lists.empty()) return *rows_;
  const FactJson result = FactJson::parse(ResultJson(*run_.result));
  if (table.parts.empty()) {
    for (const ResultList& list : table.lists) {
      AddRows(result.at(list.name), OneOf(list), nullptr, *rows_);
    }
    return *rows_;
  }
  const FactJson& parts = result.at(table.parts);
  for (std::size_t i = 0; i < table.lists.size(); ++i) {
    const auto root = parts[i].find("root");
    AddRows(parts[i].at(table.lists[i].name), OneOf(table.lists[i]),
            root == parts[i].end() ? nullptr : &*root, *rows_);
  }
  return *rows_;
}

const ChangedRows& AlertFacts::Changes() {
  if (changes_) return *changes_;
  changes_.emplace();
  if (run_.before == nullptr) return *changes_;
  const FactJson diff = FactJson::parse(DiffJson(*run_.result, run_.before.get()));
  const ResultTable table = DescribeResult(*run_.result);
  const std::string_view one = OneOf(table.lists.front());
  AddRows(diff.at("entered"), one, nullptr, changes_->entered);
  AddRows(diff.at("left"), one, nullptr, changes_->left);
  AddRows(diff.at("changed"), one, nullptr, changes_->changed);
  return *changes_;
}

const FactRow& AlertFacts::Whole() {
  if (whole_) return *whole_;
  const FactJson result = FactJson::parse(ResultJson(*run_.result));
  FactJson members = FactJson::object();
  for (const auto& member : result.items()) {
    if (!member.value().is_structured() && !IsOfTheRun(member.key()) &&
        !IsOfTheBaseline(member.key())) {
      members[member.key()] = member.value();
    }
  }
  const ResultTable table = DescribeResult(*run_.result);
  if (!table.lists.empty()) {
    members["rows"] = ListedRows(*run_.result);
    const ResultList& list = table.lists.front();
    if (list.is_of_vertices() && table.parts.empty()) {
      const FactJson& rows = result.at(list.name);
      members["top_" + std::string(list.value)] =
          rows.empty() ? FactJson() : FactJson(rows.front().at(std::string(list.value)));
    }
  }
  whole_ = RowOf(members, "");
  return *whole_;
}

}  // namespace sash
