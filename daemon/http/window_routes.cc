// Routes of windows: their state.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/live_answer.h"
#include "daemon/http/page.h"
#include "daemon/http/past_window.h"
#include "daemon/http/phase_json.h"
#include "daemon/http/row_list.h"
#include "windows/store/live_view.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr PageLimits kWindows = {1'000, 1'000};

// Before its first advance, a window is listed with nulls and zeros.
Json WindowJson(const std::string& name, const Advance* advance) {
  Json json = {{"name", name},
               {"snapshot", nullptr},
               {"window_start", nullptr},
               {"window_end", nullptr},
               {"watermark", nullptr},
               {"edges", 0},
               {"vertices", 0},
               {"slices", 0},
               {"bytes", 0},
               {"empty", true},
               {"late", 0},
               {"refused", 0},
               {"gap", false},
               {"advance_seconds", nullptr},
               {"advance_phases", nullptr}};
  if (advance == nullptr) return json;
  const Provenance& about = advance->provenance;
  json["snapshot"] = about.snapshot.value;
  json["window_start"] = TimeText(about.window_start);
  json["window_end"] = TimeText(about.window_end);
  if (about.watermark) json["watermark"] = TimeText(*about.watermark);
  json["edges"] = about.edges;
  json["vertices"] = about.vertices;
  json["slices"] = advance->slices;
  json["bytes"] = advance->bytes;
  json["empty"] = about.empty;
  json["late"] = about.late;
  json["refused"] = about.refused;
  json["gap"] = about.gap;
  if (advance->number > 0) {  // not read again from history
    json["advance_seconds"] = advance->seconds;
    json["advance_phases"] = PhasesJson<Json>(advance->phases);
  }
  if (about.accepted) json["accepted"] = *about.accepted;
  return json;
}

// The window, with the keys of its configuration that say what it shows.
Json WithSpec(const WindowEngine::WindowStatus& window) {
  Json json = WindowJson(window.spec.name, window.newest.get());
  if (window.spec.live) json["live"] = true;
  if (!window.spec.types.empty()) json["types"] = window.spec.types;
  if (!window.spec.where.empty()) json["where"] = window.spec.where;
  return json;
}

std::vector<std::string> WindowColumns() {
  std::vector<std::string> columns = MemberNames(WindowJson("", nullptr));
  columns.insert(columns.end(), {"accepted", "live", "types", "where"});
  return columns;
}

HttpResponse Windows(const WindowEngine& engine, const HttpRequest& request) {
  const std::vector<WindowEngine::WindowStatus> windows = engine.Windows();
  const auto row = [&](std::size_t i) { return WithSpec(windows[i]); };
  return ListedPage(request, kWindows, windows.size(), row, WindowColumns());
}

// The live window with its counts.
HttpResponse LiveAnswer(const WindowEngine& engine, const WindowStatus& window,
                        const HttpRequest& request) {
  const ChosenLive chosen = LiveWindowOf(window, request);
  if (chosen.refusal) return *chosen.refusal;
  const LiveView view(chosen.live->parts);
  JsonText json;
  json.BeginObject().Key("name").Text(window.spec.name);
  WriteAboutLive(engine, window.spec, *chosen.live, json);
  json.Key("edges").Unsigned(view.edge_count()).Key("vertices").Unsigned(view.vertices().size());
  json.Key("empty").Bool(view.edge_count() == 0).EndObject();
  return {.body = std::move(json).Take() + "\n"};
}

HttpResponse Window(const ApiSurroundings& around, const HttpRequest& request) {
  const WindowEngine& engine = around.engine;
  const std::string& name = request.captured.at("window");
  const auto window = engine.Find(name);
  if (!window) return NoWindow(engine, name);
  if (request.query.empty()) {
    Json json = WithSpec(*window);
    if (const std::optional<std::string> folder = around.frozen(name)) json["frozen"] = *folder;
    return TaggedJsonResponse(json);
  }
  if (NamesView(request)) return LiveAnswer(engine, *window, request);
  const ChosenWindow chosen = DescribeWindowOf(*window, request);
  if (chosen.refusal) return *chosen.refusal;
  WindowEngine::WindowStatus shown = *window;
  shown.newest = chosen.advance;
  return TaggedJsonResponse(WithSpec(shown));
}

}  // namespace

HttpResponse NoWindow(const WindowEngine& engine, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& window : engine.Windows()) names.push_back(window.spec.name);
  return NotFound(fmt::format("no window '{}'; there are: {}", name, fmt::join(names, ", ")));
}

std::string AdvanceText(const Advance& advance) {
  return WindowText(advance.provenance.window, &advance);
}

std::string WindowText(const std::string& name, const Advance* advance) {
  return SerializedJson(WindowJson(name, advance));
}

void AddWindowRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const WindowEngine* engine = &around.engine;
  routes.Add("GET /api/v1/windows", std::vector<std::string>{"limit", "offset", "format"},
             [engine](const HttpRequest& request) { return Windows(*engine, request); });
  routes
      .Add("GET /api/v1/windows/{window}", ViewParameters(),
           [around](const HttpRequest& request) { return Window(around, request); })
      .large_with = {"view"};
}

}  // namespace sash
