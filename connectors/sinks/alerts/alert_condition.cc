#include "connectors/sinks/alerts/alert_condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "connectors/codec/filter/filter_tree.h"

namespace sash {
namespace {

struct AsFilterValue {
  FilterValue operator()(const NoFact& none) const {
    return none.is_list ? FilterValue::Of(FilterValue::Kind::kArray) : FilterValue::Null();
  }
  FilterValue operator()(bool value) const { return FilterValue::Bool(value); }
  FilterValue operator()(std::int64_t value) const { return FilterValue::Integer(value); }
  FilterValue operator()(double value) const { return FilterValue::Real(value); }
  FilterValue operator()(const std::string& value) const { return FilterValue::Text(value); }
};

}  // namespace

Result<AlertCondition> AlertCondition::Parse(std::string_view text,
                                             const std::vector<std::string>& fields) {
  AlertCondition condition;
  if (text.empty()) return condition;
  Result<FilterTree> tree = FilterTree::Parse(text, FilterFields::kMembers);
  if (!tree) return std::move(tree).error();
  for (const FilterField& field : tree.value().fields) {
    if (std::ranges::find(fields, field.name) != fields.end()) continue;
    return Error{ErrorCode::kInvalidArgument, fmt::format("there is no member `{}`; there are {}",
                                                          field.name, fmt::join(fields, ", "))};
  }
  condition.run_.emplace(std::make_shared<const FilterTree>(std::move(tree).value()));
  condition.values_.resize(condition.run_->fields().size());
  return condition;
}

bool AlertCondition::Holds(const FactRow& row) {
  if (!run_) return true;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const FactValue* const value = row.Find(run_->fields()[i].name);
    values_[i] = value == nullptr ? FilterValue::Null() : std::visit(AsFilterValue(), *value);
  }
  const FilterRun::Verdict verdict = run_->Judge(values_);
  if (verdict == FilterRun::Verdict::kFails) {
    ++failures_;
    last_failure_ = run_->WhyFailed();
  }
  return verdict == FilterRun::Verdict::kPasses;
}

}  // namespace sash
