// Routes of the results of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/result_diff.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/large_answer.h"
#include "daemon/http/large_routes.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/result_rows.h"

namespace sash {
namespace {

using ResultPtr = std::shared_ptr<const RunResult>;

// A single result lists as many rows as the job does, unless the request sets the number.
HttpResponse Alone(const ApiSurroundings& around, const LargeAnswers& answers,
                   const HttpRequest& request, const CompletedRun& run,
                   std::optional<std::uint64_t> top) {
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  Listing listing = AnswerListing();
  if (top) listing.top = *top;
  HttpResponse answer = choice.format == ListFormat::kJson
                            ? answers.Answer(ValueSource(around.result(run, listing)))
                            : ResultRows(run, listing, around.keys, choice.format, answers);
  answer.varies = true;
  return answer;
}

HttpResponse LatestResult(const ApiSurroundings& around, const LargeAnswers& answers,
                          const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const auto top = RequestedTop(request);
  if (!top) return BadRequest(top.error().message);
  const std::optional<CompletedRun> run = around.history.Latest(name);
  if (!run) return NoResult(name);
  return Alone(around, answers, request, *run, top.value());
}

HttpResponse Results(const ApiSurroundings& around, const LargeAnswers& answers,
                     const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const Result<SnapshotPage> page = RequestedSnapshots(request);
  if (!page) return BadRequest(page.error().message);
  const std::size_t top = page.value().top;
  const std::size_t wanted = page.value().limit;
  // One more than wanted shows whether there is a next page.
  std::vector<ResultPtr> results = around.history.Newest(name, wanted + 1, page.value().before);
  const std::size_t there = results.size();
  results.resize(std::min(there, wanted));
  // A page that lists very many rows ends early; the next page begins there.
  std::size_t rows = 0;
  for (std::size_t i = 0; i < results.size() && i < wanted; ++i) {
    rows += std::min(top, ListedRows(*results[i]));
    if (rows >= LargeAnswers::kMostRows) results.resize(i + 1);
  }
  const bool more = !results.empty() && results.size() < there;
  const std::uint64_t last = more ? results.back()->provenance.snapshot.value : 0;
  const std::size_t count = results.size();
  HttpResponse response =
      answers.Answer(ArraySource(count, [results = std::move(results), result = around.result, top](
                                            std::size_t i, std::size_t bytes) {
        Listing listing = AnswerListing();
        listing.top = top;
        listing.most_bytes = bytes;
        return result({results[i], nullptr, nullptr}, listing);
      }));
  if (more) LinkNext(response, request, "before", last);
  return response;
}

// The result of one snapshot, as long as it is kept.
HttpResponse OneResult(const ApiSurroundings& around, const LargeAnswers& answers,
                       const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const Result<SnapshotId> snapshot = NamedSnapshot(request);
  if (!snapshot) return BadRequest(snapshot.error().message);
  const auto top = RequestedTop(request);
  if (!top) return BadRequest(top.error().message);
  const auto result = around.history.Find(name, snapshot.value());
  if (result == nullptr) {
    return NotFound(fmt::format("job '{}' has no result of snapshot {}, or not any more", name,
                                snapshot.value().value));
  }
  return Alone(around, answers, request, {result, nullptr, nullptr}, top.value());
}

}  // namespace

Listing AnswerListing() {
  return {.most_bytes = LargeAnswers::kMostBytes,
          .most_rows = LargeAnswers::kMostRows,
          .tell_cut = true};
}

void AddResultRoutes(const ApiSurroundings& around, RouteTable& routes) {
  LargeRoutes large(around, routes);
  large.Add("GET /api/v1/jobs/{job}/results/latest", {"top", "format"}, &LatestResult);
  large.Add("GET /api/v1/jobs/{job}/results", {"limit", "before", "top"}, &Results);
  large.Add("GET /api/v1/jobs/{job}/results/{snapshot}", {"top", "format"}, &OneResult);
}

}  // namespace sash
