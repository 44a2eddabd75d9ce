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
#include "daemon/http/page.h"
#include "daemon/http/single_result.h"

namespace sash {
namespace {

using ResultPtr = std::shared_ptr<const RunResult>;

HttpResponse LatestResult(const ApiSurroundings& around, const LargeAnswers& answers,
                          const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const Result<Listing> listing = RequestedListing(request);
  if (!listing) return BadRequest(listing.error().message);
  const std::optional<CompletedRun> run = around.history.Latest(name);
  if (!run) return NoResult(name);
  return SingleResult(around, answers, request, *run, listing.value());
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

// The result of one snapshot, as long as it is kept. It lists the same rows as long as it is there:
// also while it is the newest one, those that the job lists.
HttpResponse OneResult(const ApiSurroundings& around, const LargeAnswers& answers,
                       const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  if (!around.jobs.Find(name)) return NoJob(around.jobs, name);
  const Result<SnapshotId> snapshot = NamedSnapshot(request);
  if (!snapshot) return BadRequest(snapshot.error().message);
  const Result<Listing> listing = RequestedListing(request);
  if (!listing) return BadRequest(listing.error().message);
  const auto result = around.history.Find(name, snapshot.value());
  if (result == nullptr) {
    return NotFound(fmt::format("job '{}' has no result of snapshot {}, or not any more", name,
                                snapshot.value().value));
  }
  return SingleResult(around, answers, request, {result, nullptr, nullptr}, listing.value());
}

}  // namespace

void AddResultRoutes(const ApiSurroundings& around, RouteTable& routes) {
  LargeRoutes large(around, routes);
  large.Add("GET /api/v1/jobs/{job}/results/latest", {"top", "offset", "format"}, &LatestResult);
  large.Add("GET /api/v1/jobs/{job}/results", {"limit", "before", "top"}, &Results);
  large.Add("GET /api/v1/jobs/{job}/results/{snapshot}", {"top", "offset", "format"}, &OneResult);
}

}  // namespace sash
