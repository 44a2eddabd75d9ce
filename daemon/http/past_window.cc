#include "daemon/http/past_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/codec/time_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/json_response.h"
#include "daemon/http/query_values.h"

namespace sash {
namespace {

using Past = WindowHistory::Past;

HttpResponse NotAdvanced(const WindowStatus& window) {
  return NotFound(fmt::format("window '{}' has not advanced yet", window.spec.name));
}

// What a request names: the newest window, an earlier one, or nothing.
struct Choice {
  AdvancePtr newest{};
  std::optional<Past> past{};
  std::optional<HttpResponse> refusal{};
};

// `published` is NewestPublished().
Choice BySnapshot(const WindowStatus& window, const Provenance& published, std::uint64_t snapshot) {
  const std::uint64_t newest = published.snapshot.value;
  if (snapshot == newest && window.newest) return {.newest = window.newest};
  if (snapshot > newest) {
    return {.refusal = NotFound(fmt::format("snapshot {} of window '{}' is not there yet; the "
                                            "newest is {}",
                                            snapshot, window.spec.name, newest))};
  }
  Choice choice;
  if (window.history) choice.past = window.history->Find(SnapshotId{snapshot});
  if (!choice.past) choice.refusal = GoneWindow(window, fmt::format("snapshot {}", snapshot));
  return choice;
}

Choice ByTime(const WindowStatus& window, EventTime at) {
  if (window.newest && window.newest->provenance.window_end <= at) return {.newest = window.newest};
  Choice choice;
  if (window.history) choice.past = window.history->FindAt(at);
  if (!choice.past) choice.refusal = GoneWindow(window, "the state at " + TimeText(at));
  return choice;
}

Choice ChoiceOf(const WindowStatus& window, const HttpRequest& request) {
  const Result<std::optional<std::uint64_t>> snapshot =
      NumberValue(request, "snapshot", {1, std::numeric_limits<std::uint64_t>::max()});
  if (!snapshot) return {.refusal = BadRequest(snapshot.error().message)};
  const auto at = request.query.find("at");
  std::optional<EventTime> time;
  if (at != request.query.end()) {
    const Result<EventTime> parsed = ParseRfc3339(at->second);
    if (!parsed) {
      return {.refusal =
                  BadRequest(fmt::format("at: `{}` {}", at->second, parsed.error().message))};
    }
    time = parsed.value();
  }
  if (snapshot.value() && time) {
    return {.refusal = BadRequest("give snapshot or at, not both: each names a window")};
  }
  const std::optional<Provenance> newest = NewestPublished(window);
  const bool is_named = snapshot.value() || time;
  if (!newest || (!is_named && window.newest == nullptr)) {
    return {.refusal = NotAdvanced(window)};
  }
  if (snapshot.value()) return BySnapshot(window, *newest, *snapshot.value());
  return time ? ByTime(window, *time) : Choice{.newest = window.newest};
}

ChosenWindow Read(const WindowEngine& engine, const WindowStatus& window, Choice choice) {
  if (choice.refusal) return {.advance = nullptr, .refusal = std::move(choice.refusal)};
  if (choice.newest) return {.advance = std::move(choice.newest)};
  ChosenWindow chosen{.advance = engine.Read(window, *choice.past)};
  if (!chosen.advance) {
    chosen.refusal =
        GoneWindow(window, fmt::format("snapshot {}", choice.past->provenance.snapshot.value));
  }
  return chosen;
}

}  // namespace

const std::vector<std::string>& PastParameters() {
  static const std::vector<std::string> parameters = {"snapshot", "at"};
  return parameters;
}

std::vector<std::string> WithPast(std::vector<std::string> parameters) {
  parameters.insert(parameters.end(), PastParameters().begin(), PastParameters().end());
  return parameters;
}

std::optional<Provenance> NewestPublished(const WindowStatus& window) {
  if (window.newest) return window.newest->provenance;
  if (window.history == nullptr) return std::nullopt;
  const std::optional<Past> newest = window.history->FindAt(EventTime::max());
  if (!newest) return std::nullopt;
  return newest->provenance;
}

HttpResponse GoneWindow(const WindowStatus& window, const std::string& wanted) {
  std::optional<Provenance> oldest = NewestPublished(window);
  const std::optional<Past> past = window.history ? window.history->Oldest() : std::nullopt;
  if (past) oldest = past->provenance;
  if (!oldest) return NotAdvanced(window);  // history has forgotten everything just now
  const std::string why =
      window.history ? "cannot be read any more" : "cannot be read: the window has no `retain`";
  const std::string message = fmt::format(
      "{} of window '{}' {}; the oldest that can be read is snapshot {}, which ends at {}", wanted,
      window.spec.name, why, oldest->snapshot.value, TimeText(oldest->window_end));
  nlohmann::ordered_json body = {
      {"error", {{"code", "gone"}, {"message", message}}},
      {"oldest",
       {{"snapshot", oldest->snapshot.value}, {"window_end", TimeText(oldest->window_end)}}}};
  HttpResponse response = JsonResponse(body);
  response.status = 410;
  return response;
}

bool NamesWindow(const HttpRequest& request) {
  return std::ranges::any_of(PastParameters(), [&](const std::string& parameter) {
    return request.query.contains(parameter);
  });
}

ChosenWindow ReadWindowOf(const WindowEngine& engine, const WindowStatus& window,
                          const HttpRequest& request) {
  return Read(engine, window, ChoiceOf(window, request));
}

ChosenWindow ReadSnapshotOf(const WindowEngine& engine, const WindowStatus& window,
                            SnapshotId snapshot) {
  const std::optional<Provenance> newest = NewestPublished(window);
  if (!newest) return {.advance = nullptr, .refusal = NotAdvanced(window)};
  return Read(engine, window, BySnapshot(window, *newest, snapshot.value));
}

ChosenWindow DescribeWindowOf(const WindowStatus& window, const HttpRequest& request) {
  Choice choice = ChoiceOf(window, request);
  if (choice.refusal) return {.advance = nullptr, .refusal = std::move(choice.refusal)};
  if (choice.newest) return {.advance = std::move(choice.newest)};
  return {.advance = WindowHistory::Outline(*choice.past)};
}

}  // namespace sash
