#include "daemon/http/past_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/past_window.h"
#include "daemon/http/single_result.h"
#include "windows/base/clock.h"
#include "windows/jobs/kinds/kinds.h"
#include "windows/jobs/past_run.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

// Other large answers wait for this one.
constexpr std::chrono::seconds kMostOfRun{30};

HttpResponse NotComparable(const WindowStatus& window, const JobSpec& job, const Advance& past) {
  return ErrorResponse(
      422, "not_comparable",
      fmt::format("job '{}' compares snapshot {} of window '{}' with the one before it, which "
                  "cannot be read {}; name a later snapshot, or give the window a longer `retain`",
                  job.name, past.provenance.snapshot.value, window.spec.name,
                  window.history ? "any more" : "(the window has no `retain`)"));
}

// Whether every window before `past` that was published can be read, so that history knows that the
// job was not due before.
bool IsKnownFromTheFirst(const WindowStatus& window, const Advance& past) {
  if (past.provenance.snapshot.value == 1) return true;
  const auto oldest = window.history ? window.history->Oldest() : std::nullopt;
  return oldest && oldest->provenance.snapshot.value == 1;
}

// The advance on which the job was due before `past`, if the job compares windows.
ChosenWindow AdvanceBefore(const WindowEngine& engine, const WindowStatus& window,
                           const JobSpec& job, const Advance& past) {
  if (!NeedsEarlierAdvance(job)) return {};
  std::optional<WindowHistory::Past> before;
  if (window.history) before = window.history->FindDueBefore(past.ordinal, job.every);
  if (!before && IsKnownFromTheFirst(window, past)) return {};  // it was not due before
  ChosenWindow chosen;
  if (before) chosen = ReadSnapshotOf(engine, window, before->provenance.snapshot);
  if (!chosen.advance) chosen.refusal = NotComparable(window, job, past);
  return chosen;
}

HttpResponse TooLong(const JobSpec& job, Duration most) {
  return ErrorResponse(422, "too_long",
                       fmt::format("job '{}' did not end within {} s in one thread; a run on an "
                                   "earlier window may take its deadline, and at most {} s",
                                   job.name, ToSeconds(most), kMostOfRun.count()));
}

std::string_view NameOf(PastDelivery::State state) {
  switch (state) {
    case PastDelivery::State::kWritten:
      return "written";
    case PastDelivery::State::kAlreadyThere:
      return "already_there";
    case PastDelivery::State::kLeftOut:
      return "left_out";
    case PastDelivery::State::kFailed:
      break;
  }
  return "failed";
}

Json DeliveredJson(const std::vector<PastDelivery>& delivered) {
  Json list = Json::array();
  for (const PastDelivery& each : delivered) {
    Json& one = list.emplace_back(Json{{"sink", each.sink}, {"state", NameOf(each.state)}});
    if (!each.why.empty()) one["why"] = each.why;
  }
  return list;
}

HttpResponse NotDelivered(const JobSpec& job, int status,
                          const std::vector<PastDelivery>& delivered) {
  std::string why;
  for (const PastDelivery& each : delivered) {
    if (!each.why.empty()) why += fmt::format("; {}: {}", each.sink, each.why);
  }
  const char* const what = status == 503 ? "a sink did not get the result of job '{}'{}"
                                         : "no sink takes this result of job '{}'{}";
  HttpResponse refusal =
      ErrorResponse(status, "not_delivered", fmt::format(fmt::runtime(what), job.name, why));
  Json body = Json::parse(refusal.body);
  body["error"]["delivered"] = DeliveredJson(delivered);
  refusal.body = body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return refusal;
}

// Whether the result is to go to the sinks, too.
struct DeliveryChoice {
  bool is_wanted = false;
  std::optional<HttpResponse> refusal{};
};

DeliveryChoice ChosenDelivery(const HttpRequest& request) {
  const auto given = request.query.find("deliver");
  if (given == request.query.end() || given->second == "false") return {};
  if (given->second != "true") return {.refusal = BadRequest("deliver: must be true or false")};
  if (ChosenFormat(request).format != ListFormat::kJson) {
    return {.refusal = OnlyJson("what the sinks did with the result (deliver=true)")};
  }
  return {.is_wanted = true};
}

// The sinks that got the result; or why one that takes such results did not get it.
struct Delivered {
  std::vector<PastDelivery> sinks{};
  std::optional<HttpResponse> refusal{};
};

Delivered DeliverToSinks(const ApiSurroundings& around, const JobSpec& job,
                         const CompletedRun& run) {
  std::optional<std::vector<PastDelivery>> deliveries = around.deliver_past(run);
  if (!deliveries) return {.refusal = Busy("sashd stops")};
  const auto count = [&](PastDelivery::State state) {
    return std::ranges::count(*deliveries, state, &PastDelivery::state);
  };
  if (count(PastDelivery::State::kFailed) > 0)
    return {.refusal = NotDelivered(job, 503, *deliveries)};
  if (count(PastDelivery::State::kLeftOut) == std::ssize(*deliveries)) {
    return {.refusal = NotDelivered(job, 409, *deliveries)};
  }
  return {.sinks = *std::move(deliveries)};
}

// The result as `value` writes it, with `delivered` before its first member.
LargeAnswers::Source WithDelivered(const std::vector<PastDelivery>& delivered,
                                   LargeAnswers::Source value) {
  std::string head = "{\"delivered\":" +
                     DeliveredJson(delivered).dump(-1, ' ', false, Json::error_handler_t::replace) +
                     ",";
  return [head = std::move(head), value = std::move(value)](std::string& to,
                                                            std::size_t bytes) mutable {
    const std::size_t begin = to.size();
    const bool goes_on = value(to, bytes);
    if (!head.empty()) to.replace(begin, 1, std::exchange(head, {}));  // in place of the brace
    return goes_on;
  };
}

}  // namespace

ChosenRun RunOnNamedWindow(const ApiSurroundings& around, const JobSpec& job,
                           const HttpRequest& request) {
  if (IsLive(job)) {
    return {.refusal = Conflict(fmt::format(
                "job '{}' has live results only; leave out snapshot and at", job.name))};
  }
  if (IsExternal(job.parameters)) {
    return {.refusal = Conflict(fmt::format(
                "job '{}' runs in workers of other processes, which get only the newest window",
                job.name))};
  }
  if (std::holds_alternative<PluginParameters>(job.parameters)) {
    return {.refusal = Conflict(fmt::format(
                "job '{}' runs a plug-in, which runs only in a thread of its own, on the newest "
                "window",
                job.name))};
  }
  const auto window = around.engine.Find(job.window);
  if (!window) return {.refusal = NoWindow(around.engine, job.window)};
  ChosenWindow past = ReadWindowOf(around.engine, *window, request);
  if (past.refusal) return {.refusal = std::move(past.refusal)};
  ChosenWindow before = AdvanceBefore(around.engine, *window, job, *past.advance);
  if (before.refusal) return {.refusal = std::move(before.refusal)};
  const SystemClock clock;
  const Duration most = std::min<Duration>(job.deadline.value_or(kMostOfRun), kMostOfRun);
  const SteadyTime begun = clock.Steady();
  const KernelProgress progress(
      [&](int, double) { return !around.jobs.is_stopping() && clock.Steady() - begun <= most; });
  ChosenRun chosen{.run =
                       RunOnPast(job, past.advance, before.advance, around.keys, clock, progress)};
  if (!chosen.run) {
    chosen.refusal = around.jobs.is_stopping() ? Busy("sashd stops") : TooLong(job, most);
  }
  return chosen;
}

HttpResponse PastRun(const ApiSurroundings& around, const LargeAnswers& answers,
                     const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  const std::optional<JobSpec> job = around.jobs.Find(name);
  if (!job) return NoJob(around.jobs, name);
  const Result<Listing> listing = RequestedListing(request);
  if (!listing) return BadRequest(listing.error().message);
  // Before the run, which may take long.
  if (const FormatChoice choice = ChosenFormat(request); choice.refusal) return *choice.refusal;
  DeliveryChoice delivery = ChosenDelivery(request);
  if (delivery.refusal) return *std::move(delivery.refusal);
  ChosenRun chosen = RunOnNamedWindow(around, *job, request);
  if (chosen.refusal) return *std::move(chosen.refusal);
  if (delivery.is_wanted) {
    Delivered delivered = DeliverToSinks(around, *job, *chosen.run);
    if (delivered.refusal) return *std::move(delivered.refusal);
    return answers.Answer(
        WithDelivered(delivered.sinks, ValueSource(around.result(*chosen.run, listing.value()))));
  }
  return SingleResult(around, answers, request, *chosen.run, listing.value());
}

}  // namespace sash
