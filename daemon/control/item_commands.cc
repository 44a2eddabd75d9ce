#include "daemon/control/item_commands.h"

#include <fmt/format.h>

#include <optional>
#include <variant>

#include "daemon/control/answer_text.h"
#include "daemon/control/control_output.h"
#include "daemon/control/detail_text.h"
#include "daemon/control/item_file.h"
#include "daemon/control/json_value.h"
#include "daemon/control/printable.h"
#include "daemon/control/wording.h"
#include "windows/base/percent.h"

namespace sash {

std::string ItemCommands::Collection() const {
  return invocation_.command.substr(0, invocation_.command.find(' '));
}

std::string ItemCommands::Kind() const { return Collection().substr(0, Collection().size() - 1); }

std::string ItemCommands::ItemPath() const {
  return fmt::format("/api/v1/{}/{}", Collection(), PercentEncoded(argument()));
}

int ItemCommands::List() {
  const auto list = daemon_.AskList("/api/v1/" + Collection());
  if (const auto* ended = std::get_if<Ended>(&list)) return ended->code;
  const std::string& body = std::get<std::string>(list);
  if (daemon_.prints_json()) return daemon_.PrintJson(body);
  const auto value = daemon_.Read(body);
  if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
  const JsonValue& items = std::get<JsonValue>(value);
  if (invocation_.Has("--names")) {
    std::string names;
    for (const JsonValue& item : items.items) names += Printable(item["name"].text) + "\n";
    return PrintOut(names);
  }
  if (Collection() == "alerts") return PrintOut(AlertsText(items));
  return PrintOut(Collection() == "jobs" ? JobsText(items) : WindowsText(items));
}

int ItemCommands::Add() {
  const Result<std::string> item = ReadItemFile(argument());
  if (!item) return EndWith(kControlUsage, item.error().message);
  return daemon_.Tell("POST", "/api/v1/" + Collection(), item.value(),
                      [this](const JsonValue& added) {
                        return fmt::format("{} {} is added, until the next reload or restart\n",
                                           Kind(), FigureText(added["name"]));
                      });
}

int ItemCommands::Put() {
  const Result<std::string> item = ReadItemFile(invocation_.arguments[1]);
  if (!item) return EndWith(kControlUsage, item.error().message);
  return daemon_.Tell("PUT", ItemPath(), item.value(), [this](const JsonValue& now) {
    return fmt::format("{} {} is changed, until the next reload or restart\n", Kind(),
                       FigureText(now["name"]));
  });
}

int ItemCommands::Remove() {
  const auto answer = daemon_.Ask("DELETE", ItemPath());
  if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
  // The response has no body.
  if (daemon_.prints_json()) return daemon_.PrintJson(std::get<std::string>(answer));
  return PrintOut(fmt::format("{} {} is removed, until the next reload or restart\n", Kind(),
                              Printable(argument())));
}

int ItemCommands::Do(std::string_view action, std::string_view done) {
  return daemon_.Tell("POST", ItemPath() + std::string(action), "", [&](const JsonValue& item) {
    return fmt::format("{} {} {}\n", Kind(), FigureText(item["name"]), done);
  });
}

int ItemCommands::TestAlert() {
  return daemon_.Tell("POST", ItemPath() + "/test", "", [](const JsonValue& sent) {
    return fmt::format("sent: {}\n", FigureText(sent["text"]));
  });
}

int ItemCommands::Show(const std::string& query) {
  return daemon_.Show(ItemPath() + query, &DetailText);
}

}  // namespace sash
