// Routes of diffs: what changed from one result of a job to the next, in the format of sinks with
// `content: diffs`. Diffs are computed on request, from the kept results.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/result_diff.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/diff_rows.h"
#include "daemon/http/large_answer.h"
#include "daemon/http/large_routes.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/query_values.h"

namespace sash {
namespace {

using Step = ResultHistory::Step;

// False across a change of settings that changes the kind of the list.
bool IsComparable(const Step& step) {
  return HasDiffs(step.now->parameters) &&
         (step.before == nullptr || HasDiffs(step.before->parameters));
}

// A diff compares all rows of both results, however few of its rows are requested.
constexpr std::size_t kMostCompared = 2'000'000;                    // rows, for one page
constexpr std::size_t kMostDiffBytes = 4 << 20;                     // of one diff
constexpr std::size_t kMostDiffRows = LargeAnswers::kMostRows / 3;  // of each of its lists

std::size_t ComparedRows(const Step& step) {
  return ListedRows(*step.now) + (step.before == nullptr ? 0 : ListedRows(*step.before));
}

std::string DiffText(const Step& step, std::optional<std::size_t> top,
                     std::size_t bytes = LargeAnswers::kMostBytes) {
  return DiffJson(*step.now, step.before.get(),
                  {.top = std::min(top.value_or(kMostDiffRows), kMostDiffRows),
                   .most_bytes = std::min(bytes, kMostDiffBytes)});
}

JsonPieces DiffPieces(std::string text) {
  JsonPieces pieces;
  pieces.Add(std::move(text));
  return pieces;
}

HttpResponse SingleDiff(const Step& step, std::optional<std::size_t> top,
                        const HttpRequest& request, const LargeAnswers& answers) {
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  std::string text = DiffText(step, top);
  HttpResponse answer = choice.format == ListFormat::kJson
                            ? answers.Answer(ValueSource(DiffPieces(std::move(text))))
                            : DiffRows(text, *step.now, choice.format, answers);
  answer.varies = true;
  return answer;
}

// Why the job can never have diffs; nothing if it can.
std::optional<HttpResponse> WhyNone(const JobScheduler& jobs, const std::string& name) {
  const std::optional<JobSpec> job = jobs.Find(name);
  if (!job) return NoJob(jobs, name);
  if (HasDiffs(job->parameters)) return std::nullopt;
  return NotFound(
      fmt::format("job '{}' has no diffs: its results are not one list of vertices", name));
}

HttpResponse NoDiff(const std::string& name, const std::string& of) {
  return NotFound(
      fmt::format("job '{}' has no diff {}: a diff needs both results, and both must still be kept "
                  "(keep_results)",
                  name, of));
}

HttpResponse LatestDiff(const ApiSurroundings& around, const LargeAnswers& answers,
                        const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto none = WhyNone(around.jobs, name)) return *std::move(none);
  const auto top = RequestedTop(request);
  if (!top) return BadRequest(top.error().message);
  const std::vector<Step> newest = around.history.NewestSteps(name, 1);
  if (newest.empty() && !around.history.Latest(name)) return NoResult(name);
  if (newest.empty() || !IsComparable(newest.front())) return NoDiff(name, "of its newest result");
  return SingleDiff(newest.front(), top.value(), request, answers);
}

HttpResponse Diffs(const ApiSurroundings& around, const LargeAnswers& answers,
                   const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto none = WhyNone(around.jobs, name)) return *std::move(none);
  const Result<SnapshotPage> page = RequestedSnapshots(request);
  if (!page) return BadRequest(page.error().message);
  const std::size_t top = page.value().top;
  const std::size_t wanted = page.value().limit;
  // One more than wanted shows whether there is a next page.
  std::vector<Step> steps = around.history.NewestSteps(name, wanted + 1, page.value().before);
  const std::size_t there = steps.size();
  steps.resize(std::min(there, wanted));
  // A page that has to compare very many rows ends early; the next page begins there.
  std::size_t compared = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    compared += ComparedRows(steps[i]);
    if (compared >= kMostCompared) steps.resize(i + 1);
  }
  const bool more = !steps.empty() && steps.size() < there;
  const std::uint64_t last = more ? steps.back().now->provenance.snapshot.value : 0;
  std::erase_if(steps, [](const Step& step) { return !IsComparable(step); });
  const std::size_t count = steps.size();
  HttpResponse response = answers.Answer(
      ArraySource(count, [steps = std::move(steps), top](std::size_t i, std::size_t bytes) {
        return DiffPieces(DiffText(steps[i], top, bytes));
      }));
  if (more) LinkNext(response, request, "before", last);
  return response;
}

// The diff from the result that ?since= names to the result of one snapshot.
HttpResponse DiffSince(const ApiSurroundings& around, const LargeAnswers& answers,
                       const HttpRequest& request, SnapshotId snapshot, std::uint64_t since,
                       std::optional<std::size_t> top) {
  const std::string& name = request.captured.at("job");
  if (since >= snapshot.value) {
    return BadRequest(fmt::format("since: must be an earlier snapshot than {}, got {}",
                                  snapshot.value, since));
  }
  const Step step{.now = around.history.Find(name, snapshot),
                  .before = around.history.Find(name, SnapshotId{since})};
  if (step.now == nullptr || step.before == nullptr || !IsComparable(step)) {
    return NoDiff(name, fmt::format("from snapshot {} to snapshot {}", since, snapshot.value));
  }
  return SingleDiff(step, top, request, answers);
}

// The diff to the result of one snapshot, from the previous one or from that of ?since=.
HttpResponse OneDiff(const ApiSurroundings& around, const LargeAnswers& answers,
                     const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (auto none = WhyNone(around.jobs, name)) return *std::move(none);
  const Result<SnapshotId> snapshot = NamedSnapshot(request);
  if (!snapshot) return BadRequest(snapshot.error().message);
  const auto top = RequestedTop(request);
  if (!top) return BadRequest(top.error().message);
  const auto since = NumberValue(request, "since", {0, INT64_MAX});
  if (!since) return BadRequest(since.error().message);
  if (since.value()) {
    return DiffSince(around, answers, request, snapshot.value(), *since.value(), top.value());
  }
  const std::uint64_t number = snapshot.value().value;
  const std::vector<Step> found = around.history.NewestSteps(name, 1, SnapshotId{number + 1});
  if (found.empty() || found.front().now->provenance.snapshot != snapshot.value() ||
      !IsComparable(found.front())) {
    return NoDiff(name, fmt::format("of snapshot {}", number));
  }
  return SingleDiff(found.front(), top.value(), request, answers);
}

}  // namespace

void AddDiffRoutes(const ApiSurroundings& around, RouteTable& routes) {
  LargeRoutes large(around, routes);
  large.Add("GET /api/v1/jobs/{job}/diffs/latest", {"top", "format"}, &LatestDiff);
  large.Add("GET /api/v1/jobs/{job}/diffs", {"limit", "before", "top"}, &Diffs);
  large.Add("GET /api/v1/jobs/{job}/diffs/{snapshot}", {"since", "top", "format"}, &OneDiff);
}

}  // namespace sash
