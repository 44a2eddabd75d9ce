#include "daemon/changes/run_time_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace sash {

std::vector<std::string> RunTimeWindows::Names() const {
  std::vector<std::string> names;
  for (const auto& window : engine().Windows()) {
    if (!IsLeaving(window.spec.name)) names.push_back(window.spec.name);
  }
  return names;
}

std::vector<WindowSpec> RunTimeWindows::Specs() const {
  std::vector<WindowSpec> specs;
  for (auto& window : engine().Windows()) specs.push_back(std::move(window.spec));
  return specs;
}

WindowPanes RunTimeWindows::Panes() const {
  WindowPanes panes;
  for (const WindowSpec& spec : Specs()) {
    // Empty until the engine has reported it; then it is asked again.
    if (const Position pane = engine().slices().Of(spec.by, 0, 0).pane) panes[spec.by] = pane;
  }
  return panes;
}

Status RunTimeWindows::Put(std::vector<WindowSpec> specs) {
  std::erase_if(specs, [&](const WindowSpec& spec) {
    const auto now = engine().Find(spec.name);
    return now && now->spec == spec;
  });
  if (specs.empty()) return Ok();
  const Result<FilterSetPtr> wanted = FiltersFor(specs);
  if (!wanted) return wanted.error();
  if (wanted.value() == filters_) return Await(engine().PutWindows(std::move(specs)));
  const Result<Source::Switch> prepared = pipeline_.source().PrepareFilters(wanted.value());
  if (!prepared) return prepared.error();
  if (Status put = Await(engine().PutWindows(std::move(specs), wanted.value())); !put) return put;
  filters_ = wanted.value();
  prepared.value()();
  return Ok();
}

// The filters by which the source has to judge for these windows and the present ones; filters_ if
// it does.
Result<FilterSetPtr> RunTimeWindows::FiltersFor(const std::vector<WindowSpec>& specs) {
  if (filters_ == nullptr) filters_ = engine().filter_set();
  const FilterTexts wanted = FiltersOf(specs);
  const auto is_known = [&](const std::string& filter) {
    return std::ranges::find(filters_->texts, filter) != filters_->texts.end();
  };
  if (std::ranges::all_of(wanted, is_known)) return filters_;
  std::optional<FilterSet> next = NextSet(*filters_, FiltersOf(Specs()), wanted);
  if (next) return FilterSetPtr(std::make_shared<const FilterSet>(*std::move(next)));
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("with those of the present windows there would be more than {} different "
                  "filters (types, where); remove windows first",
                  kMostFilters)};
}

Status RunTimeWindows::Remove(const std::string& name) {
  return Await(engine().RemoveWindow(name));
}

void RunTimeWindows::RemoveOthers(const std::vector<WindowSpec>& wanted) {
  bool patient = true;
  for (const std::string& name : Names()) {
    if (std::ranges::find(wanted, name, &WindowSpec::name) != wanted.end()) continue;
    PendingCommand pending = engine().RemoveWindow(name);
    patient = patient && pending.IsReadyIn(kEnginePatience);
    if (!pending.IsReady()) leaving_[name] = std::move(pending);
  }
}

void RunTimeWindows::ForgetGone() {
  std::erase_if(leaving_, [](const auto& leaving) { return leaving.second.IsReady(); });
}

Status RunTimeWindows::Await(PendingCommand pending) {
  if (!pending.IsReadyIn(kEnginePatience) && pending.TakeBack()) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("jobs have held the engine for {} s; nothing has changed, try again",
                             kEnginePatience.count())};
  }
  return pending.get();
}

std::optional<std::string> RunTimeWindows::WhyNotAll(const std::vector<WindowSpec>& left) const {
  const ExportSet& exports = pipeline_.exports();
  if (exports.slices() == nullptr || exports.shard() != nullptr) return std::nullopt;
  if (std::ranges::find(left, WindowAxis::kEventTime, &WindowSpec::by) != left.end()) {
    return std::nullopt;
  }
  return "it is the last window by event time, and the export of slices needs one; add another "
         "first";
}

}  // namespace sash
