#include "daemon/http/page.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "daemon/http/query_values.h"

namespace sash {
namespace {

constexpr std::uint64_t kUsualSnapshots = 10;
constexpr std::uint64_t kMostSnapshots = 1'000;
constexpr std::uint64_t kMostRowsAsked = 1'000'000;  // rows

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

std::string Encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (IsUnreserved(c)) {
      encoded.push_back(c);
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

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
  for (const std::string& segment : request.path) target += "/" + Encoded(segment);
  char separator = '?';
  for (const auto& [parameter, text] : query) {
    target += separator + Encoded(parameter) + "=" + Encoded(text);
    separator = '&';
  }
  response.headers.emplace_back("Link", fmt::format("<{}>; rel=\"next\"", target));
}

}  // namespace sash
