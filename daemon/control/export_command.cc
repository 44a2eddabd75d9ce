#include "daemon/control/export_command.h"

#include <fmt/format.h>

#include <string>
#include <variant>
#include <vector>

#include "daemon/control/control_output.h"
#include "daemon/control/json_value.h"
#include "daemon/control/printable.h"
#include "daemon/control/snapshot_copy.h"
#include "daemon/control/wording.h"
#include "windows/base/percent.h"

namespace sash {
namespace {

// Exports, waits until the snapshot is whole, and copies it.
int ExportTo(const std::vector<std::string>& arguments, const std::string& path,
             Conversation& daemon) {
  const std::string& to = arguments[1];
  if (const Status fits = FitsCopy(to); !fits.ok()) {
    return EndWith(kControlUsage, fits.error().message);
  }
  const auto answer = daemon.Ask("POST", path, "");
  if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
  const auto said = daemon.Read(std::get<std::string>(answer));
  if (const auto* ended = std::get_if<Ended>(&said)) return ended->code;
  const auto& value = std::get<JsonValue>(said);
  const JsonValue& exports = value["exports"];
  if (exports.items.size() != 1) {
    return EndWith(kControlRefused,
                   fmt::format("{} exports list window {}; DIR needs a window that one lists",
                               exports.items.size(), Printable(arguments.front())));
  }
  const ExportedSnapshot snapshot{.folder = exports.items.front()["folder"].text,
                                  .number = value["snapshot"].text,
                                  .window_end = value["window_end"].text};
  if (const Status copied = CopySnapshot(snapshot, to); !copied.ok()) {
    return EndWith(kControlRefused, copied.error().message);
  }
  if (daemon.prints_json()) return daemon.PrintJson(std::get<std::string>(answer));
  return PrintOut(fmt::format("snapshot {} of window {} is in {}\n", FigureText(value["snapshot"]),
                              FigureText(value["window"]), to));
}

}  // namespace

int RunExport(const Invocation& invocation, Conversation& daemon) {
  const std::string path =
      "/api/v1/windows/" + PercentEncoded(invocation.arguments.front()) + "/exports";
  if (invocation.arguments.size() > 1) return ExportTo(invocation.arguments, path, daemon);
  return daemon.Tell("POST", path, "", [](const JsonValue& said) {
    std::string text;
    for (const JsonValue& each : said["exports"].items) {
      text += fmt::format("snapshot {} of window {} {} {}\n", FigureText(said["snapshot"]),
                          FigureText(said["window"]),
                          FigureText(each["state"]) == "written" ? "is in" : "is written to",
                          FigureText(each["export"]));
    }
    return text;
  });
}

}  // namespace sash
