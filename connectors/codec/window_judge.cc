#include "connectors/codec/window_judge.h"

#include <algorithm>
#include <memory>
#include <string>

#include "windows/ingest/window_filter.h"

namespace sash {

bool MayGiveTypes(const FormatSpec& format, std::span<const std::string> types) {
  return types.empty() || format.AnyEdge([&](const auto& edge) {
    return edge.type || std::ranges::find(types, edge.type_word) != types.end();
  });
}

Result<std::optional<WindowJudge>> WindowJudge::Make(const FormatSpec& format) {
  if (format.window_filters.empty()) return std::optional<WindowJudge>();
  if (format.window_filters.size() > kMostFilters) {
    return Error{ErrorCode::kInvalidArgument,
                 "there are more than " + std::to_string(kMostFilters) + " different filters"};
  }
  WindowJudge judge;
  for (const std::string& text : format.window_filters) {
    WindowFilter parsed = ParseFilterText(text);
    Filter& filter = judge.filters_.emplace_back();
    filter.types = std::move(parsed.types);
    // Then the expression may be one for the records of other mappings.
    filter.passes_none = !MayGiveTypes(format, filter.types);
    if (filter.passes_none || parsed.where.empty()) continue;
    if (Status added = judge.AddRun(parsed.where, format, filter); !added.ok()) {
      return std::move(added).error();
    }
  }
  judge.values_.resize(judge.fields_.size());
  return std::optional(std::move(judge));
}

Status WindowJudge::AddRun(std::string_view text, const FormatSpec& format, Filter& filter) {
  Result<FilterTree> tree = ParseRecordFilter(text, format);
  if (!tree.ok()) return std::move(tree).error();
  filter.run.emplace(std::make_shared<const FilterTree>(std::move(tree).value()));
  for (const FilterField& field : filter.run->fields()) {
    const auto known = std::ranges::find(fields_, field);
    filter.places.push_back(static_cast<std::size_t>(known - fields_.begin()));
    if (known == fields_.end()) fields_.push_back(field);
  }
  filter.values.resize(filter.places.size());
  return Ok{};
}

WindowJudge::Judgement WindowJudge::JudgeValues() {
  Judgement judgement;
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    Filter& filter = filters_[i];
    FilterRun::Verdict verdict =
        filter.passes_none ? FilterRun::Verdict::kFiltered : FilterRun::Verdict::kPasses;
    if (filter.run) {
      for (std::size_t v = 0; v < filter.values.size(); ++v) {
        filter.values[v] = values_[filter.places[v]];
      }
      verdict = filter.run->Judge(filter.values);
    }
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
