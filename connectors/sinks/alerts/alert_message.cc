#include "connectors/sinks/alerts/alert_message.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_json.h"
#include "connectors/sinks/result_members.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

std::string OwnText(const AlertSpec& spec, const FiredAlert& fired) {
  const std::string results =
      fired.results > 1 ? fmt::format(", for {} results", fired.results) : std::string();
  const std::string& subject = fired.row.subject;
  switch (spec.on) {
    case AlertOn::kEntered:
      return fmt::format("{} entered the list of job {}{}", subject, spec.job, results);
    case AlertOn::kLeft:
      return fmt::format("{} left the list of job {}{}", subject, spec.job, results);
    case AlertOn::kChanged:
      return fmt::format("{} changed in the list of job {}{}", subject, spec.job, results);
    case AlertOn::kRow:
    case AlertOn::kEdge:
      return fmt::format("{} is in the list of job {}{}", subject, spec.job, results);
    case AlertOn::kResult:
      break;
  }
  return fmt::format("the condition holds for the result of job {}{}", spec.job, results);
}

std::string TextOf(const AlertSpec& spec, const AlertText& text, const FiredAlert& fired,
                   const Provenance& from) {
  if (text.is_empty()) return OwnText(spec, fired);
  return text.Of(fired.row, {{"alert", spec.name},
                             {"job", spec.job},
                             {"window", from.window},
                             {"window_end", TimeText(from.window_end)},
                             {"subject", fired.row.subject}});
}

}  // namespace

AlertMessage MakeAlert(const AlertSpec& spec, const AlertText& text, const FiredAlert& fired,
                       const RunResult& result, bool is_test) {
  const Provenance& from = result.provenance;
  AlertMessage message{
      .identity = IdentityOf(result),
      .text = TextOf(spec, text, fired, from),
      .is_test = is_test,
      .since = fired.since,
      .labels = spec.labels};
  // A test must not replace a real alert in a compacted topic.
  message.identity.origin.alert = is_test ? spec.name + "/test" : spec.name;
  message.identity.origin.subject = fired.row.subject;
  JsonText json;
  json.BeginObject().Key("schema").Integer(kResultSchema).Key("job").Text(spec.job);
  json.Key("alert").Text(spec.name);
  if (is_test) json.Key("test").Bool(true);
  json.Key("kernel").Text(result.kernel);
  json.Key("window").Text(from.window).Key("snapshot").Unsigned(from.snapshot.value);
  json.Key("window_start").Text(TimeText(from.window_start));
  json.Key("window_end").Text(TimeText(from.window_end));
  json.Key("subject").Text(fired.row.subject);
  WriteWindowCounts(from, json);
  json.Key("on").Text(NameOf(spec.on)).Key("for").Unsigned(fired.results);
  json.Key("since").Text(TimeText(fired.since));
  json.Key("text").Text(message.text);
  json.Key("row").Raw(fired.row.json.empty() ? "{}" : fired.row.json).EndObject();
  message.json = std::move(json).Take();
  return message;
}

}  // namespace sash
