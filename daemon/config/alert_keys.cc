#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/codec/quoted_text.h"
#include "connectors/sinks/alerts/alert_fields.h"
#include "connectors/sinks/alerts/alert_watch.h"
#include "connectors/sinks/webhook/alertmanager_alert.h"
#include "daemon/config/item_names.h"
#include "daemon/config/key_row.h"
#include "daemon/config/nearest_key.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

constexpr std::string_view kConditionText = "a filter such as rank <= 10";
constexpr std::string_view kReceivers =
    "a list of names of sinks with `content: alerts`, or log, or all";

struct AlertContext {
  std::vector<std::string>& names;            // of earlier alerts
  const std::vector<std::string>& jobs;       // names of jobs, valid or not
  const std::vector<std::string>& receivers;  // names of sinks with `content: alerts`, and log
};

std::vector<std::string> ReceiverNames(const std::vector<SinkSpec>& sinks) {
  std::vector<std::string> names = {std::string(AlertSpec::kLog)};
  for (const SinkSpec& sink : sinks) {
    std::visit(
        [&](const auto& spec) {
          if constexpr (requires { spec.content; }) {
            if (spec.content == SinkContent::kAlerts && !spec.name.empty()) {
              names.push_back(spec.name);
            }
          }
        },
        sink);
  }
  return names;
}

void ReadReceivers(const Section& alert, const std::vector<std::string>& known,
                   std::vector<std::string>& to) {
  if (!alert.Has("to")) return;
  const Place place = alert.At("to");
  if (place.node->kind == YamlNode::Kind::kScalar && place.node->text == "all") return;
  if (place.node->kind == YamlNode::Kind::kEmpty ||
      (place.node->kind == YamlNode::Kind::kList && place.node->items.empty())) {
    alert.Fail("to", fmt::format("is empty; give {}", kReceivers));
  }
  for (const Place& item : alert.Items("to", kReceivers)) {
    std::string name;
    const auto parse = [&](std::string_view text) -> Result<std::string> {
      if (std::ranges::find(to, text) != to.end()) {
        return Wrong(fmt::format("`{}` is listed twice; keep one", text));
      }
      if (std::ranges::find(known, text) != known.end()) return std::string(text);
      const std::vector<std::string_view> words(known.begin(), known.end());
      return Wrong(fmt::format("no sink with `content: alerts` has the name `{}`{}; there are: {}",
                               text, Suggestion(text, words), SomeOf(known)));
    };
    if (ReadAt(item, name, "the name of a sink", parse, alert.errors())) to.push_back(name);
  }
}

struct ReceiversForm {
  std::vector<Shape> Shapes() const { return {Items{kAnyText, true}, Words{{"all"}}}; }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& to) const {
    out.Line(depth, key.name, to.empty() ? "all" : QuoteAll(to));
  }
};

bool IsLabelName(std::string_view name) {
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

struct LabelsForm {
  using Labels = std::map<std::string, std::string>;

  std::vector<Shape> Shapes() const { return {FreeMapping{FreeMapping::Kind::kLabels}}; }
  void Read(const Section& alert, const KeySpec& key, Labels& labels) const {
    if (!alert.Has(key.name)) return;
    for (const auto& [name, place] :
         EntriesAt(alert.At(key.name), "a mapping of labels", alert.errors())) {
      const YamlNode* const value = ScalarAt(place, "a text", alert.errors());
      if (value == nullptr) continue;
      if (!IsLabelName(name)) {
        alert.errors().Add(place, "is not the name of a label; give letters, digits and _");
      } else if (IsOwnLabel(name)) {
        alert.errors().Add(place, "cannot be set here: every alert has this label");
      } else if (value->text.empty()) {
        alert.errors().Add(place, "is empty; give a text");
      } else {
        labels[name] = value->text;
      }
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const Labels& labels) const {
    if (labels.empty()) return out.Line(depth, key.name, "{}");
    out.Line(depth, key.name);
    for (const auto& [name, value] : labels) out.Line(depth + 1, name, Quoted(value));
  }
};

KeyRow<AlertSpec, AlertContext> ReceiversRow() {
  const KeySpec key{"to",
                    ReceiversForm().Shapes(),
                    "The receivers: sinks with `content: alerts`, by name, and `log`, the log of "
                    "the process. all: each of them.",
                    kOptional,
                    Change::kLive,
                    "all",
                    "names of sinks, and log, or all"};
  return {key,
          [](const Section& alert, AlertSpec& spec, AlertContext& context) {
            ReadReceivers(alert, context.receivers, spec.to);
          },
          [key](YamlPrinter& out, int depth, const AlertSpec& spec) {
            ReceiversForm().Print(out, depth, key, spec.to);
          },
          [](const AlertSpec& a, const AlertSpec& b) { return a.to == b.to; }};
}

const KeyRows<AlertSpec, AlertContext>& AlertRows() {
  using Key = KeyRow<AlertSpec, AlertContext>;
  static const KeyRows<AlertSpec, AlertContext> rows = {
      Key("name", &AlertSpec::name,
          TextForm{kName, "a name that is unique in this list", ParseName},
          "Unique among alerts; part of URLs, metric labels and alerts.", kRequired, kLive)
          .ReadBy([](const Section& alert, AlertSpec& spec, AlertContext& context) {
            ReadDistinctName(alert, context.names, spec.name);
          }),
      Key("job", &AlertSpec::job, TextForm{kName, "the name of a job", ParseName},
          "The job whose results are looked at.", kRequired, kLive)
          .Range("the name of a job")
          .ReadBy([](const Section& alert, AlertSpec& spec, AlertContext& context) {
            RequireNameOf(alert, "job", context.jobs, spec.job);
          }),
      Key("on", &AlertSpec::on,
          OneOf<AlertOn>{{"entered", AlertOn::kEntered},
                         {"left", AlertOn::kLeft},
                         {"changed", AlertOn::kChanged},
                         {"row", AlertOn::kRow},
                         {"edge", AlertOn::kEdge},
                         {"result", AlertOn::kResult}},
          "What the condition is about. row: each row of the list of a result (a vertex, or a set "
          "of vertices). entered, left, changed: rows that came into the list, left it, or changed "
          "rank or score since the job's previous result. edge: each pair (also of edge_features, "
          "rows of external and edges of plugin), cycle or path. result: the result as a whole, "
          "with its figures.",
          kLive),
      Key("where", &AlertSpec::where,
          TextForm{{"", Text::Bare::kTruth, kConditionText}, kConditionText, ParseNonEmpty},
          "The condition: a filter over the members of the row, in the language of "
          "source.format.where. Rows that left have rank_before and the like; a result has rows "
          "and, if it is ranked, top_score or the like. A row for which the filter has no value "
          "does not meet it, and is counted. Without it, each row meets it.",
          kLive)
          .Default("none")
          .Range("a filter"),
      Key("for", &AlertSpec::results, WholeNumber{1, AlertSpec::kMostResults},
          "In how many consecutive results of the job the condition must hold. A skipped advance "
          "neither counts nor interrupts. entered: the row came, and has stayed since; left: it "
          "left, and has stayed away.",
          kLive),
      Key("at_most", &AlertSpec::at_most, TimeSpan{},
          "The least time between two alerts about the same vertex, pair or other subject, "
          "measured by the ends of their windows. 0s: no limit.",
          kLive),
      Key("text", &AlertSpec::text, TextForm{kAnyText, "a text", ParseNonEmpty},
          "What the alert says. A member of the row in braces is replaced by its value: {vertex}, "
          "{rank}; so are {alert}, {job}, {window}, {window_end} and {subject}. {{ is a brace. At "
          "most 4 KiB. Without it, a sentence with the subject and the job.",
          kLive)
          .Default("none")
          .Range("a text"),
      Key("labels", &AlertSpec::labels, LabelsForm{},
          "Labels of the alert for Alertmanager, such as {severity: page}, in addition to "
          "alertname, job, window and subject.",
          kLive),
      ReceiversRow(),
  };
  return rows;
}

}  // namespace

std::vector<AlertFault> FindAlertFaults(const AlertSpec& spec, const Config& config) {
  const auto job = std::ranges::find(config.jobs, spec.job, &JobSpec::name);
  if (job == config.jobs.end()) return {};
  if (IsLive(*job)) {
    return {{"job", fmt::format("is `{}`, whose results are live, so not final; alerts tell of "
                                "final results",
                                spec.job)}};
  }
  const auto* plugin = std::get_if<PluginParameters>(&job->parameters);
  if (plugin != nullptr && plugin->kernel == nullptr) return {};
  const Result<std::vector<std::string>> fields =
      AlertFields(spec.on, *job, config.source.format.keys);
  if (!fields) return {{"on", fields.error().message}};
  std::vector<AlertFault> faults;
  const Result<AlertCondition> condition = AlertCondition::Parse(spec.where, fields.value());
  if (!condition) faults.push_back({"where", condition.error().message});
  const Result<AlertText> text = AlertWatch::ParseText(spec, fields.value());
  if (!text) faults.push_back({"text", text.error().message});
  return faults;
}

AlertSpec ReadAlert(const Section& alert, const Config& config, std::vector<std::string>& names) {
  std::vector<std::string> jobs;
  for (const JobSpec& job : config.jobs) jobs.push_back(job.name);
  const std::vector<std::string> receivers = ReceiverNames(config.sinks);
  AlertSpec spec;
  AlertContext context{names, jobs, receivers};
  ReadRows(alert, AlertRows(), spec, context);
  for (AlertFault& fault : FindAlertFaults(spec, config)) {
    alert.Fail(fault.key, std::move(fault.message));
  }
  return spec;
}

std::vector<AlertSpec> ReadAlerts(const Section& root, const Config& config) {
  const std::vector<std::string> jobs = WrittenNames(root, "jobs");
  const std::vector<std::string> receivers = ReceiverNames(config.sinks);
  std::vector<AlertSpec> alerts;
  std::vector<std::string> names;
  for (const Place& item : root.Items("alerts", "a list of alerts")) {
    const Section alert(item, "alerts[]", root.errors());
    AlertSpec& spec = alerts.emplace_back();
    // A job with an error cannot be asked what its results have.
    if (root.errors().empty()) {
      spec = ReadAlert(alert, config, names);
      continue;
    }
    AlertContext context{names, jobs, receivers};
    ReadRows(alert, AlertRows(), spec, context);
  }
  return alerts;
}

void PrintAlert(YamlPrinter& out, int depth, const AlertSpec& alert) {
  PrintRows(out, depth, AlertRows(), alert);
}

std::vector<SectionSpec> AlertSections() { return {SectionFrom("alerts[]", AlertRows())}; }

}  // namespace sash
