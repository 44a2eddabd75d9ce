// A program for the test against another implementation of CEL: it judges JSON records by
// expressions. A line of standard input is {"filter": "...", "records": [{...}, ...]}; its answer
// is a JSON list with "passes", "filtered" or "fails: why" for each record, or {"error": "..."}.
#include <deque>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/filter/filter_run.h"
#include "connectors/codec/filter/filter_tree.h"

namespace sash {
namespace {

using Json = nlohmann::json;

FilterValue ValueAt(const Json& record, const std::string& pointer,
                    std::deque<std::string>& texts) {
  const Json::json_pointer at(pointer);
  if (!record.contains(at)) return FilterValue::Null();
  const Json& value = record.at(at);
  if (value.is_boolean()) return FilterValue::Bool(value.get<bool>());
  if (value.is_number()) return FilterValue::Numeral(texts.emplace_back(value.dump()));
  if (value.is_string()) return FilterValue::Text(texts.emplace_back(value.get<std::string>()));
  if (value.is_array()) return FilterValue::Of(FilterValue::Kind::kArray);
  return value.is_null() ? FilterValue::Null() : FilterValue::Of(FilterValue::Kind::kObject);
}

std::string Answer(FilterRun& run, const Json& record) {
  std::deque<std::string> texts;
  std::vector<FilterValue> values;
  for (const FilterField& field : run.fields()) {
    values.push_back(ValueAt(record, field.name, texts));
  }
  switch (run.Judge(values)) {
    case FilterRun::Verdict::kPasses:
      return "passes";
    case FilterRun::Verdict::kFiltered:
      return "filtered";
    case FilterRun::Verdict::kFails:
      break;
  }
  return "fails: " + run.WhyFailed();
}

Json AnswersTo(const Json& question) {
  Result<FilterTree> tree =
      FilterTree::Parse(question.at("filter").get<std::string>(), FilterFields::kPointers);
  if (!tree.ok()) return {{"error", tree.error().message}};
  FilterRun run(std::make_shared<const FilterTree>(std::move(tree).value()));
  Json answers = Json::array();
  for (const Json& record : question.at("records")) answers.push_back(Answer(run, record));
  return answers;
}

}  // namespace
}  // namespace sash

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << sash::AnswersTo(nlohmann::json::parse(line)).dump() << '\n';
  }
}
