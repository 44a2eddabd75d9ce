#include "connectors/codec/window_judge.h"

#include <algorithm>
#include <memory>
#include <string>

namespace sash {

Result<std::optional<WindowJudge>> WindowJudge::Make(const FormatSpec& format) {
  if (format.window_filters.empty()) return std::optional<WindowJudge>();
  if (format.window_filters.size() > kMostFilters) {
    return Error{ErrorCode::kInvalidArgument,
                 "there are more than " + std::to_string(kMostFilters) + " different filters"};
  }
  WindowJudge judge;
  for (const std::string& text : format.window_filters) {
    Result<FilterTree> tree = ParseRecordFilter(text, format);
    if (!tree.ok()) return std::move(tree).error();
    Filter filter{FilterRun(std::make_shared<const FilterTree>(std::move(tree).value())), {}};
    for (const FilterField& field : filter.run.fields()) {
      const auto known = std::ranges::find(judge.fields_, field);
      filter.places.push_back(static_cast<std::size_t>(known - judge.fields_.begin()));
      if (known == judge.fields_.end()) judge.fields_.push_back(field);
    }
    filter.values.resize(filter.places.size());
    judge.filters_.push_back(std::move(filter));
  }
  judge.values_.resize(judge.fields_.size());
  return std::optional(std::move(judge));
}

WindowJudge::Judgement WindowJudge::JudgeValues() {
  Judgement judgement;
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    Filter& filter = filters_[i];
    for (std::size_t v = 0; v < filter.values.size(); ++v) {
      filter.values[v] = values_[filter.places[v]];
    }
    const FilterRun::Verdict verdict = filter.run.Judge(filter.values);
    if (verdict == FilterRun::Verdict::kPasses) continue;
    judgement.passes &= ~(FilterBits{1} << i);
    if (verdict == FilterRun::Verdict::kFails) ++judgement.failures;
  }
  return judgement;
}

Result<RecordFilters> RecordFilters::Make(const FormatSpec& format) {
  Result<std::optional<RecordFilter>> where = RecordFilter::Make(format);
  if (!where.ok()) return std::move(where).error().Within("where");
  Result<std::optional<WindowJudge>> windows = WindowJudge::Make(format);
  if (!windows.ok()) return std::move(windows).error().Within("where of a window");
  return RecordFilters{std::move(where).value(), std::move(windows).value()};
}

std::vector<FilterField> RecordFilters::asked() const {
  std::vector<FilterField> asked;
  if (where) asked = where->fields();
  if (windows) asked.insert(asked.end(), windows->fields().begin(), windows->fields().end());
  return asked;
}

EnvelopeNeeds RecordFilters::needs() const {
  EnvelopeNeeds needs;
  for (const FilterField& field : asked()) needs |= RecordFilter::NeedsOf(field);
  return needs;
}

}  // namespace sash
