#include "daemon/control/status_text.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "daemon/control/answer_text.h"
#include "daemon/control/printable.h"
#include "daemon/control/table.h"
#include "daemon/control/wording.h"

namespace sash {
namespace {

std::string StreamText(const JsonValue& stream) {
  std::string text = fmt::format("watermark {}", TimeText(stream["watermark"]));
  const auto now = ParseApiTime(stream["time"].text);
  const auto watermark = ParseApiTime(stream["watermark"].text);
  if (now && watermark) {
    const std::chrono::duration<double> behind = *now - *watermark;
    text += fmt::format(" ({} {} the clock)", DurationText(std::abs(behind.count())),
                        behind.count() < 0 ? "ahead of" : "behind");
  }
  return text + fmt::format(", {} accepted, {} late, {} in open slices",
                            FigureText(stream["accepted"]), FigureText(stream["late"]),
                            FigureText(stream["open_events"]));
}

std::string SourceText(const JsonValue& source) {
  std::string text = FigureText(source["kind"]);
  if (!source["address"].text.empty()) text += " " + FigureText(source["address"]);
  if (!source["topics"].items.empty()) text += ", topics " + FigureText(source["topics"]);
  if (!source["topic_pattern"].text.empty()) {
    text += ", pattern " + FigureText(source["topic_pattern"]);
  }
  text += fmt::format(", {} read ({})", Plural(source["records"], "record", "records"),
                      BytesText(source["bytes"]));
  double lag = 0;
  bool known = !source["partitions"].items.empty();
  for (const JsonValue& partition : source["partitions"].items) {
    known = known && partition["lag"].AsNumber().has_value();
    lag += partition["lag"].AsNumber().value_or(0);
  }
  return known ? text + fmt::format(", lag {:.0f}", lag) : text;
}

}  // namespace

std::string StatusText(std::string_view url, const DaemonAnswers& answers) {
  const bool ready = answers.readiness["ready"].is_true();
  std::string text = fmt::format("sashd {} at {} is {}\n", FigureText(answers.version["version"]),
                                 Printable(url), ready ? "ready" : "not ready");
  for (const JsonValue& reason : answers.readiness["reasons"].items) {
    text += "  " + FigureText(reason) + "\n";
  }
  text += "\n" + FieldsText({{"stream", StreamText(answers.stream)},
                             {"source", SourceText(answers.source)}});
  text += "\n" + WindowsText(answers.windows);
  return text + "\n" + JobsText(answers.jobs);
}

}  // namespace sash
