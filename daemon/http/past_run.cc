#include "daemon/http/past_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

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
  const KernelProgress progress([&](int, double) {
    return !around.jobs.is_stopping() && clock.Steady() - begun <= most;
  });
  ChosenRun chosen{
      .run = RunOnPast(job, past.advance, before.advance, around.keys, clock, progress)};
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
  ChosenRun chosen = RunOnNamedWindow(around, *job, request);
  if (chosen.refusal) return *std::move(chosen.refusal);
  return SingleResult(around, answers, request, *chosen.run, listing.value());
}

}  // namespace sash
