#include "daemon/http/api_routes.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>
#include <variant>

#include "daemon/http/query_values.h"

namespace sash {
namespace {

constexpr NumberRange kListedKeys = {0, 10'000};
constexpr std::uint64_t kUsualKeys = 100;

}  // namespace

RouteTable MakeApiRoutes(const ApiSurroundings& surroundings) {
  RouteTable routes;
  AddOpenRoutes(surroundings, routes);
  AddConsoleRoutes(routes);
  AddDaemonRoutes(surroundings, routes);
  AddWindowRoutes(surroundings, routes);
  AddVertexRoutes(surroundings, routes);
  AddHistoryRoutes(surroundings, routes);
  AddEnteredRoutes(surroundings, routes);
  AddPathRoutes(surroundings, routes);
  AddSliceRoutes(surroundings, routes);
  AddWhyRoutes(surroundings, routes);
  AddJobRoutes(surroundings, routes);
  AddVertexHistoryRoutes(surroundings, routes);
  AddMemberRoutes(surroundings, routes);
  AddKeyRoutes(surroundings, routes);
  AddLeaseRoutes(surroundings, routes);
  AddWorkRoutes(surroundings, routes);
  AddAlertRoutes(surroundings, routes);
  AddResultRoutes(surroundings, routes);
  AddDiffRoutes(surroundings, routes);
  AddChangeRoutes(surroundings, routes);
  AddNeighbourhoodRoutes(surroundings, routes);
  AddEventRoutes(surroundings, routes);
  AddTapRoutes(surroundings, routes);
  AddDebugRoutes(routes);
  return routes;
}

RouteTable MakeOpenRoutes(const ApiSurroundings& surroundings) {
  RouteTable routes;
  AddOpenRoutes(surroundings, routes);
  return routes;
}

HttpResponse TooManyReaders(std::string_view what) {
  HttpResponse refusal =
      ErrorResponse(503, "too_many_readers", fmt::format("{}; try again later", what));
  refusal.headers = {{"Retry-After", "10"}};
  return refusal;
}

Result<VertexKey> RequestedKey(const HttpRequest& request, KeyKind kind) {
  const auto in_path = request.captured.find("key");
  const auto in_query = request.query.find("key");
  if (in_path == request.captured.end() && in_query == request.query.end()) {
    return Error{ErrorCode::kInvalidArgument,
                 "the vertex key is missing; give it in the path, percent-encoded, or as ?key="};
  }
  return ParseKey("key", in_path != request.captured.end() ? in_path->second : in_query->second,
                  kind);
}

Result<VertexKey> ParseKey(std::string_view name, const std::string& text, KeyKind kind) {
  if (kind == KeyKind::kString) return VertexKey(text);
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{}: the keys of this stream are 64-bit integers, got '{}'", name, text)};
  }
  return VertexKey(integer);
}

Result<KeyRange> RequestedKeys(const HttpRequest& request, KeyKind kind) {
  KeyRange wanted;
  if (const auto after = request.query.find("after"); after != request.query.end()) {
    Result<VertexKey> key = ParseKey("after", after->second, kind);
    if (!key) return key.error();
    wanted.after = std::move(key).value();
  }
  const auto limit = NumberValue(request, "limit", kListedKeys);
  if (!limit) return limit.error();
  wanted.limit = limit.value().value_or(kUsualKeys);
  return wanted;
}

std::string TextOfKey(const VertexKey& key) {
  const auto* text = std::get_if<std::string>(&key);
  return text != nullptr ? *text : std::to_string(std::get<std::int64_t>(key));
}

}  // namespace sash
