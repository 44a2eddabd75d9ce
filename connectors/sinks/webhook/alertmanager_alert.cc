#include "connectors/sinks/webhook/alertmanager_alert.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"

namespace sash {

bool IsOwnLabel(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kOwn = {"alertname", "job", "window", "subject",
                                                           "test"};
  return std::ranges::find(kOwn, name) != kOwn.end();
}

std::string AlertmanagerAlert(const AlertMessage& alert) {
  const ResultOrigin& origin = alert.identity.origin;
  JsonText json;
  json.BeginObject().Key("labels").BeginObject();
  // Without "/test" or "/end".
  json.Key("alertname").Text(std::string_view(origin.alert).substr(0, origin.alert.find('/')));
  json.Key("job").Text(origin.job).Key("window").Text(origin.window);
  if (!origin.subject.empty()) json.Key("subject").Text(origin.subject);
  if (alert.is_test) json.Key("test").Text("true");
  for (const auto& [name, value] : alert.labels) json.Key(name).Text(value);
  json.EndObject().Key("annotations").BeginObject();
  json.Key("summary").Text(alert.text).Key("alert").Text(alert.json).EndObject();
  json.Key("startsAt").Text(TimeText(alert.since));
  // Without an end, Alertmanager lets the alert expire (resolve_timeout) unless it comes again.
  if (alert.ended) json.Key("endsAt").Text(TimeText(*alert.ended));
  json.EndObject();
  return std::move(json).Take();
}

std::string AlertmanagerBody(const std::vector<AlertMessage>& alerts) {
  JsonText json;
  json.BeginArray();
  for (const AlertMessage& alert : alerts) json.Raw(AlertmanagerAlert(alert));
  json.EndArray();
  return std::move(json).Take();
}

}  // namespace sash
