#include "daemon/control/answer_text.h"

#include <fmt/format.h>

#include <utility>

#include "daemon/control/detail_text.h"
#include "daemon/control/printable.h"
#include "daemon/control/table.h"
#include "daemon/control/wording.h"

namespace sash {
namespace {

std::string StateOf(const JsonValue& job) {
  if (job["running"].is_true()) {
    std::string text =
        fmt::format("running{}, iteration {}", job["paused"].is_true() ? " (paused)" : "",
                    FigureText(job["iteration"]));
    if (!job["phase"].is_null()) text += fmt::format(" ({})", FigureText(job["phase"]));
    return text;
  }
  if (job["paused"].is_true()) return "paused";
  return job["waiting"].AsNumber().value_or(0) > 0 ? "waiting" : "idle";
}

}  // namespace

std::string WindowsText(const JsonValue& windows) {
  Table table({{"WINDOW"},
               {"END"},
               {"SNAPSHOT", Align::kRight},
               {"EDGES", Align::kRight},
               {"VERTICES", Align::kRight},
               {"SLICES", Align::kRight},
               {"MEMORY", Align::kRight},
               {"LATE", Align::kRight},
               {"REFUSED", Align::kRight},
               {"ADVANCE", Align::kRight},
               {"GAP"}});
  for (const JsonValue& window : windows.items) {
    table.Add(
        {FigureText(window["name"]), TimeText(window["window_end"]), FigureText(window["snapshot"]),
         FigureText(window["edges"]), FigureText(window["vertices"]), FigureText(window["slices"]),
         BytesText(window["bytes"]), FigureText(window["late"]), FigureText(window["refused"]),
         SecondsText(window["advance_seconds"]), FigureText(window["gap"])});
  }
  return table.Text();
}

std::string JobsText(const JsonValue& jobs) {
  Table table({{"JOB"},
               {"KERNEL"},
               {"WINDOW"},
               {"STATE"},
               {"RUNS", Align::kRight},
               {"SKIPPED", Align::kRight},
               {"CANCELLED", Align::kRight},
               {"WAITING", Align::kRight},
               {"LAST", Align::kRight}});
  for (const JsonValue& job : jobs.items) {
    table.Add({FigureText(job["name"]), FigureText(job["kernel"]), FigureText(job["window"]),
               StateOf(job), FigureText(job["runs"]), FigureText(job["skipped"]),
               FigureText(job["cancelled"]), FigureText(job["waiting"]),
               SecondsText(job["last_seconds"])});
  }
  return table.Text();
}

std::string AlertsText(const JsonValue& alerts) {
  Table table({{"ALERT"},
               {"JOB"},
               {"STATE"},
               {"FIRED", Align::kRight},
               {"HELD BACK", Align::kRight},
               {"LAST"},
               {"WHY"}});
  for (const JsonValue& alert : alerts.items) {
    table.Add({FigureText(alert["name"]), FigureText(alert["job"]), FigureText(alert["state"]),
               FigureText(alert["fired"]), FigureText(alert["suppressed"]),
               TimeText(alert["last_fired"]), FigureText(alert["summary"])});
  }
  return table.Text();
}

std::string LeasesText(const JsonValue& leases) {
  Table table({{"LEASE"},
               {"WINDOW"},
               {"SNAPSHOT", Align::kRight},
               {"READER"},
               {"BYTES", Align::kRight},
               {"LEFT", Align::kRight}});
  for (const JsonValue& lease : leases.items) {
    table.Add({FigureText(lease["name"]), FigureText(lease["window"]),
               FigureText(lease["snapshot"]), FigureText(lease["client"]),
               FigureText(lease["bytes"]), SecondsText(lease["seconds_left"])});
  }
  return table.Text();
}

std::string WhyText(const JsonValue& why) {
  std::string text;
  if (!why["summary"].is_null()) text = FigureText(why["summary"]) + "\n";
  AppendParagraph(ObjectText(why, {"summary"}), text);
  return text;
}

std::string PathText(const JsonValue& path) {
  const bool is_live = path["final"].text == "false";
  std::string text =
      fmt::format("{}, until {}, {}: ", FigureText(path["window"]), TimeText(path["window_end"]),
                  is_live ? "live" : "snapshot " + FigureText(path["snapshot"]));
  if (!path["found"].is_true()) {
    return text + fmt::format("no path of at most {} from {} to {}\n",
                              Plural(path["most"], "edge", "edges"), FigureText(path["from"]),
                              FigureText(path["to"]));
  }
  text += fmt::format("{}, weight {}, {}\n", Plural(path["length"], "edge", "edges"),
                      FigureText(path["weight"]),
                      path["paths"].text == "1"
                          ? std::string("the only path as short")
                          : fmt::format("the first of {} paths as short", path["paths"].text));
  if (!path["error"].is_null()) text += FigureText(path["error"]) + "\n";
  std::string line;
  for (const JsonValue& vertex : path["vertices"].items) {
    line += (line.empty() ? "" : " → ") + FigureText(vertex);
  }
  text += line + "\n";
  Table table(
      {{"SOURCE"}, {"TARGET"}, {"WEIGHT", Align::kRight}, {"TYPE"}, {"EDGES", Align::kRight}});
  for (const JsonValue& step : path["steps"].items) {
    table.Add({FigureText(step["source"]), FigureText(step["target"]), FigureText(step["weight"]),
               FigureText(step["type"]), FigureText(step["edges"])});
  }
  return table.empty() ? text : text + "\n" + table.Text();
}

std::string EdgeText(const JsonValue& edge) {
  std::string text = TimeText(edge["time"]) + "  ";
  if (edge["operation"].text != "add") text += FigureText(edge["operation"]) + " ";
  text += FigureText(edge["source"]);
  if (!edge["target"].is_null()) text += " → " + FigureText(edge["target"]);
  if (!edge["type"].is_null()) text += "  " + FigureText(edge["type"]);
  if (!edge["weight"].is_null()) text += "  weight " + FigureText(edge["weight"]);
  text += fmt::format("  {}/{} at {}", FigureText(edge["topic"]), FigureText(edge["partition"]),
                      FigureText(edge["offset"]));
  if (!edge["mapping"].is_null()) text += " by " + FigureText(edge["mapping"]);
  if (edge["skipped"].AsNumber().value_or(0) > 0) {
    text += fmt::format("  ({} more before it)", FigureText(edge["skipped"]));
  }
  return text + "\n";
}

std::string ReloadText(const JsonValue& reload) {
  if (reload["changed"].items.empty() && reload["needs_restart"].items.empty()) {
    return "nothing has changed\n";
  }
  Table table({{"KEY"}, {"BEFORE"}, {"AFTER"}, {"IN EFFECT"}});
  for (const auto& [name, effect] :
       {std::pair("changed", "now"), std::pair("needs_restart", "after a restart")}) {
    for (const JsonValue& change : reload[name].items) {
      table.Add({FigureText(change["key"]), FigureText(change["before"]),
                 FigureText(change["after"]), effect});
    }
  }
  return table.Text();
}

}  // namespace sash
