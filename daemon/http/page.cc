#include "daemon/http/page.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "daemon/http/query_values.h"
#include "windows/base/percent.h"

namespace sash {
namespace {

constexpr std::uint64_t kUsualSnapshots = 10;
constexpr std::uint64_t kMostSnapshots = 1'000;
constexpr std::uint64_t kMostRowsAsked = 1'000'000;  // rows

}  // namespace

Result<Page> RequestedPage(const HttpRequest& request, PageLimits limits) {
  const auto limit = NumberValue(request, "limit", {0, limits.greatest});
  if (!limit) return limit.error();
  const auto offset = NumberValue(request, "offset", {0, INT64_MAX});
  if (!offset) return offset.error();
  return Page{offset.value().value_or(0), limit.value().value_or(limits.usual)};
}

Result<std::optional<std::uint64_t>> RequestedTop(const HttpRequest& request) {
  return NumberValue(request, "top", {0, kMostRowsAsked});
}

Result<SnapshotPage> RequestedSnapshots(const HttpRequest& request) {
  const auto limit = NumberValue(request, "limit", {0, kMostSnapshots});
  if (!limit) return limit.error();
  const auto before = NumberValue(request, "before", {0, INT64_MAX});
  if (!before) return before.error();
  const auto top = RequestedTop(request);
  if (!top) return top.error();
  SnapshotPage page{.limit = limit.value().value_or(kUsualSnapshots),
                    .before = {},
                    .top = top.value().value_or(kUsualRows)};
  if (before.value()) page.before = SnapshotId{*before.value()};
  return page;
}

Result<SnapshotId> NamedSnapshot(const HttpRequest& request) {
  const Result<std::uint64_t> number =
      ParseNumber("snapshot", request.captured.at("snapshot"), {0, INT64_MAX});
  if (!number) return number.error();
  return SnapshotId{number.value()};
}

void LinkNext(HttpResponse& response, const HttpRequest& request, const std::string& name,
              std::uint64_t value) {
  LinkNext(response, request, name, std::to_string(value));
}

void LinkNext(HttpResponse& response, const HttpRequest& request, const std::string& name,
              const std::string& value) {
  std::map<std::string, std::string> query = request.query;
  query[name] = value;
  std::string target;
  for (const std::string& segment : request.path) target += "/" + PercentEncoded(segment);
  char separator = '?';
  for (const auto& [parameter, text] : query) {
    target += separator + PercentEncoded(parameter) + "=" + PercentEncoded(text);
    separator = '&';
  }
  response.headers.emplace_back("Link", fmt::format("<{}>; rel=\"next\"", target));
}

}  // namespace sash
