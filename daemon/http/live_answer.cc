#include "daemon/http/live_answer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/sinks/time_text.h"
#include "daemon/http/json_response.h"
#include "daemon/http/past_window.h"
#include "windows/slide/live_advance.h"

namespace sash {
namespace {

using LiveJson = nlohmann::ordered_json;

// The time of a position on the axis of the window; null by events.
LiveJson TimeOfPosition(const WindowSpec& spec, std::optional<std::int64_t> position) {
  if (!position || spec.by == WindowAxis::kEvents) return nullptr;
  return TimeText(EventTime(Duration(*position)));
}

// Partitions whose events so far lie before the window.
LiveJson BehindOf(const WindowEngine& engine, const WindowSpec& spec, const LiveWindow& live) {
  LiveJson behind = LiveJson::array();
  if (!live.begin || spec.by != WindowAxis::kEventTime) return behind;
  const EventTime begin(Duration(*live.begin));
  for (const CutPartition& each : live.cut->partitions) {
    if (!each.newest || *each.newest >= begin) continue;
    const TopicPartition partition = engine.partitions().At(each.partition);
    behind.push_back({{"topic", partition.topic},
                      {"partition", partition.partition},
                      {"newest", TimeText(*each.newest)}});
  }
  return behind;
}

// The offset before which the cut has every record, by topic and partition.
LiveJson CutOf(const WindowEngine& engine, const LiveWindow& live) {
  LiveJson cut = LiveJson::object();
  for (const auto& [partition, offset] : OffsetsOfCut(engine, live)) {
    cut[partition.topic][std::to_string(partition.partition)] = offset;
  }
  return cut;
}

LiveJson AboutLive(const WindowEngine& engine, const WindowSpec& spec, const LiveWindow& live) {
  LiveJson json = {{"snapshot", nullptr},
                   {"window_start", TimeOfPosition(spec, live.begin)},
                   {"window_end", TimeOfPosition(spec, live.end)},
                   {"gap", live.gap},
                   {"final", false},
                   {"cut", CutOf(engine, live)},
                   {"behind", BehindOf(engine, spec, live)}};
  if (live.snapshot.value > 0) json["snapshot"] = live.snapshot.value;
  return json;
}

}  // namespace

const std::vector<std::string>& ViewParameters() {
  static const std::vector<std::string> parameters = WithView({});
  return parameters;
}

std::vector<std::string> WithView(std::vector<std::string> parameters) {
  parameters = WithPast(std::move(parameters));
  parameters.emplace_back("view");
  return parameters;
}

bool NamesView(const HttpRequest& request) { return request.query.contains("view"); }

ChosenLive LiveWindowOf(const WindowStatus& window, const HttpRequest& request) {
  const std::string& view = request.query.at("view");
  if (view != "live") {
    return {.refusal = BadRequest(fmt::format("view: must be live, got '{}'", view))};
  }
  if (NamesWindow(request)) {
    return {.refusal = BadRequest("give view, snapshot or at, not several: each names a window")};
  }
  const std::string& name = window.spec.name;
  if (!window.spec.live) {
    return {.refusal = ErrorResponse(
                422, "not_live",
                fmt::format("window '{}' cannot be read between its advances; give it "
                            "`live: true` in the configuration, or leave out view",
                            name))};
  }
  if (window.live == nullptr) {
    return {.refusal = NotFound(fmt::format("window '{}' has had no event yet", name))};
  }
  if (window.live->is_rebuilding) {
    return {.refusal = ErrorResponse(
                503, "rebuilding",
                fmt::format("window '{}' is being rebuilt after a restart; ask again later, or "
                            "leave out view",
                            name))};
  }
  return {.live = window.live};
}

void WriteAboutLive(const WindowEngine& engine, const WindowSpec& spec, const LiveWindow& live,
                    JsonText& json) {
  const LiveJson about = AboutLive(engine, spec, live);  // items() refers to it
  for (const auto& [name, value] : about.items()) {
    json.Key(name).Raw(SerializedJson(value));
  }
}

}  // namespace sash
