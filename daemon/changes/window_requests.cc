#include "daemon/changes/window_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/changes/refusals.h"
#include "daemon/config/window_extents.h"
#include "daemon/http/api_routes.h"

namespace sash {

ParsedItem<WindowSpec> WindowRequests::Parse(const ChangeRequest& request, bool named) const {
  std::optional<std::string> name;
  if (named) name = request.name;
  // Whether removals must be expected depends on the format, so it is the same for all windows.
  return ParseWindow(request.body, windows_.Specs().front().removals, reload_.running().source,
                     name);
}

HttpResponse WindowRequests::Add(const ChangeRequest& request) {
  const ParsedItem<WindowSpec> parsed = Parse(request, false);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  if (pipeline_.engine().Find(parsed.spec.name)) {
    return Conflict(
        fmt::format("there is a window '{}' already; PUT changes it", parsed.spec.name));
  }
  return Enter(request, parsed.spec, true);
}

HttpResponse WindowRequests::Put(const ChangeRequest& request) {
  const ParsedItem<WindowSpec> parsed = Parse(request, true);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return RefuseKeys(parsed.errors);
  if (windows_.IsLeaving(request.name)) return Busy("the window is being removed");
  return Enter(request, parsed.spec, !pipeline_.engine().Find(request.name));
}

HttpResponse WindowRequests::Enter(const ChangeRequest& request, const WindowSpec& spec,
                                   bool is_new) {
  const WindowEngine& engine = pipeline_.engine();
  if (is_new && engine.Windows().size() >= RunTimeWindows::kMost) {
    return Conflict(
        fmt::format("there are {} windows already, the maximum", RunTimeWindows::kMost));
  }
  const WindowPanes panes = windows_.Panes();
  if (const auto pane = panes.find(spec.by); pane != panes.end()) {
    if (const auto why = WhyTooManyPanes(spec, pane->second)) {
      return Unprocessable("length: " + *why, {{"length", *why}});
    }
  }
  if (Status put = windows_.Put({spec}); !put) return RefuseChange(put.error());
  notices_.Say(request.client, "window", spec.name, is_new ? "added" : "changed");
  const auto now = engine.Find(spec.name);
  return WindowAnswer(is_new ? 201 : 200, spec.name, now ? now->newest.get() : nullptr);
}

HttpResponse WindowRequests::Remove(const ChangeRequest& request) {
  if (windows_.IsLeaving(request.name)) return Busy("the window is already being removed");
  if (!pipeline_.engine().Find(request.name)) return NoWindow(request.name);
  std::vector<std::string> users;
  for (const JobSpec& job : pipeline_.jobs().jobs()) {
    if (job.window == request.name) users.push_back(job.name);
  }
  if (!users.empty()) {
    return Conflict(fmt::format("window '{}' is used; remove these jobs first: {}", request.name,
                                fmt::join(users, ", ")));
  }
  std::vector<WindowSpec> left = windows_.Specs();
  std::erase_if(left, [&](const WindowSpec& window) { return window.name == request.name; });
  if (const auto why = windows_.WhyNotAll(left)) return Conflict(*why);
  if (Status removed = windows_.Remove(request.name); !removed) {
    return RefuseChange(removed.error());
  }
  notices_.Say(request.client, "window", request.name, "removed");
  return NothingToSay();
}

HttpResponse WindowRequests::Export(const ChangeRequest& request) {
  const auto window = pipeline_.engine().Find(request.name);
  if (!window) return NoWindow(request.name);
  if (window->newest == nullptr) {
    return Conflict(
        fmt::format("window '{}' has not advanced yet: there is nothing to export", request.name));
  }
  const std::vector<AskedExport> asked = pipeline_.exports().Ask(window->newest);
  if (asked.empty()) {
    return Conflict(fmt::format(
        "no export lists window '{}'; add it to `windows` of an item of `exports`", request.name));
  }
  notices_.Say(request.client, "window", request.name, "exported");
  return ExportAnswer(window->newest->provenance, asked);
}

HttpResponse WindowRequests::NoWindow(const std::string& name) const {
  return NotFound(
      fmt::format("no window '{}'; there are: {}", name, fmt::join(windows_.Names(), ", ")));
}

}  // namespace sash
