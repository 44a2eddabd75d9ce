// Routes of alerts: the state of each, and its newest alerts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/page.h"
#include "daemon/http/row_list.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr PageLimits kAlerts = {1'000, 1'000};

Json AlertJson(const AlertStatus& alert) {
  const AlertSpec& spec = alert.spec;
  Json json = {{"name", spec.name},
               {"job", spec.job},
               {"on", NameOf(spec.on)},
               {"where", nullptr},
               {"for", spec.results},
               {"at_most_seconds", std::chrono::duration<double>(spec.at_most).count()},
               {"text", nullptr},
               {"to", spec.to},
               {"labels", Json::object()},
               {"state", NameOf(alert.state)},
               {"summary", alert.summary},
               {"results", alert.results},
               {"fired", alert.fired},
               {"suppressed", alert.suppressed},
               {"left_out", alert.left_out},
               {"failures", alert.failures},
               {"holding", alert.holding},
               {"window_end", nullptr},
               {"last_fired", nullptr}};
  if (!spec.where.empty()) json["where"] = spec.where;
  if (!spec.text.empty()) json["text"] = spec.text;
  for (const auto& [label, value] : spec.labels) json["labels"][label] = value;
  if (alert.newest_end) json["window_end"] = TimeText(*alert.newest_end);
  if (alert.last_fired) json["last_fired"] = TimeText(*alert.last_fired);
  return json;
}

HttpResponse Alerts(const ApiSurroundings& around, const HttpRequest& request) {
  const std::vector<AlertStatus> alerts = around.alerts();
  const auto row = [&](std::size_t i) { return AlertJson(alerts[i]); };
  return ListedPage(request, kAlerts, alerts.size(), row, MemberNames(AlertJson({})));
}

HttpResponse Alert(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("alert");
  const std::vector<AlertStatus> alerts = around.alerts();
  const auto found = std::ranges::find(
      alerts, name, [](const AlertStatus& alert) -> const std::string& { return alert.spec.name; });
  return found == alerts.end() ? NoAlert(alerts, name)
                               : TaggedJsonResponse(Json::parse(AlertAnswerText(*found)));
}

}  // namespace

HttpResponse NoAlert(const std::vector<AlertStatus>& alerts, const std::string& name) {
  if (alerts.empty()) {
    return NotFound(fmt::format("no alert '{}'; the configuration has none", name));
  }
  std::vector<std::string> names;
  for (const AlertStatus& alert : alerts) names.push_back(alert.spec.name);
  return NotFound(fmt::format("no alert '{}'; there are: {}", name, fmt::join(names, ", ")));
}

std::string AlertAnswerText(const AlertStatus& alert) {
  Json json = AlertJson(alert);
  Json& last = json["last"] = Json::array();
  for (const std::string& each : alert.last) last.push_back(Json::parse(each));
  return SerializedJson(json);
}

HttpResponse AlertAnswer(int status, const AlertStatus& alert) {
  HttpResponse response{.status = status, .body = AlertAnswerText(alert) + "\n"};
  if (status == 201) response.headers = {{"Location", "/api/v1/alerts/" + alert.spec.name}};
  return response;
}

HttpResponse TestAnswer(const std::string& alert) { return {.status = 200, .body = alert + "\n"}; }

void AddAlertRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes.Add("GET /api/v1/alerts", std::vector<std::string>{"limit", "offset", "format"},
             [around](const HttpRequest& request) { return Alerts(around, request); });
  routes.Add("GET /api/v1/alerts/{alert}", std::vector<std::string>(),
             [around](const HttpRequest& request) { return Alert(around, request); });
}

}  // namespace sash
