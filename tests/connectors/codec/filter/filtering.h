// What an expression says about a record that is given as field values.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/filter/filter_run.h"
#include "connectors/codec/filter/filter_tree.h"

namespace sash {

// By name, as the expression writes it: "/type", "amount". A field that is not here is missing.
using FieldValues = std::map<std::string, FilterValue, std::less<>>;

class Filtering {
 public:
  Filtering(std::string_view text, FilterFields fields) {
    Result<FilterTree> tree = FilterTree::Parse(text, fields);
    if (!tree.ok()) {
      error_ = tree.error().message;
      return;
    }
    run_ = std::make_unique<FilterRun>(std::make_shared<const FilterTree>(std::move(tree).value()));
  }

  // "passes", "filtered", or why it fails; the error of an expression that is not one.
  std::string Judge(const FieldValues& record) {
    if (run_ == nullptr) return error_;
    std::vector<FilterValue> values;
    for (const FilterField& field : run_->fields()) {
      const auto found = record.find(field.name);
      values.push_back(found == record.end() ? FilterValue::Null() : found->second);
    }
    switch (run_->Judge(values)) {
      case FilterRun::Verdict::kPasses:
        return "passes";
      case FilterRun::Verdict::kFiltered:
        return "filtered";
      case FilterRun::Verdict::kFails:
        break;
    }
    return run_->WhyFailed();
  }

  const std::string& error() const { return error_; }
  FilterRun& run() { return *run_; }

 private:
  std::unique_ptr<FilterRun> run_;
  std::string error_;
};

inline std::string JudgeJson(std::string_view expression, const FieldValues& record = {}) {
  return Filtering(expression, FilterFields::kPointers).Judge(record);
}
inline std::string ParseError(std::string_view expression,
                              FilterFields fields = FilterFields::kPointers) {
  return Filtering(expression, fields).error();
}

}  // namespace sash
