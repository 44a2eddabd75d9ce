#include "daemon/changes/run_time_windows.h"

#include <fmt/format.h>

#include <algorithm>
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
  return Await(engine().PutWindows(std::move(specs)));
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

}  // namespace sash
