// Routes of leases: frozen snapshots for readers on other hosts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/change_request.h"
#include "daemon/http/json_response.h"
#include "daemon/http/lease_downloads.h"
#include "windows/base/json_nesting.h"
#include "windows/base/phase_times.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLongestSeconds = 1e9;  // more is as much as this

// The members that the lists of all leases have: without the id, which is the reader's alone.
Json LeaseSummary(const Lease& lease) {
  Json directions = Json::array();
  if (lease.directions != LeasedDirections::kIn) directions.push_back("out");
  if (lease.directions != LeasedDirections::kOut) directions.push_back("in");
  return {{"name", lease.name},
          {"window", lease.window},
          {"snapshot", lease.snapshot},
          {"client", lease.client},
          {"directions", std::move(directions)},
          {"bytes", lease.bytes},
          {"ttl_seconds", ToSeconds(lease.ttl)},
          {"seconds_left", ToSeconds(lease.left)},
          {"expires", TimeText(lease.expires)}};
}

std::string LeasePlace(const Lease& lease) {
  return fmt::format("/api/v1/windows/{}/leases/{}", lease.window, lease.id);
}

HttpResponse LeaseAnswer(int status, const Lease& lease) {
  Json json = {{"lease", lease.id}};
  json.update(LeaseSummary(lease));
  Json files = Json::array();
  for (const LeasedFile& file : lease.files) {
    files.push_back({{"name", file.name},
                     {"bytes", file.bytes},
                     {"crc32c", fmt::format("{:08x}", file.checksum)},
                     {"url", fmt::format("{}/files/{}", LeasePlace(lease), file.name)}});
  }
  json["files"] = std::move(files);
  HttpResponse response = JsonResponse(json);
  response.status = status;
  if (status == 201) response.headers = {{"Location", LeasePlace(lease)}};
  return response;
}

HttpResponse LeaseRefusal(const Error& error) {
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
      return Unprocessable(error.message, {{"ttl", error.message}});
    case ErrorCode::kOverloaded:
      return Busy(error.message);
    case ErrorCode::kUnavailable:
      return ErrorResponse(410, "gone", error.message);
    case ErrorCode::kNotFound:
      return NotFound(error.message);
    default:
      return ErrorResponse(500, "internal", error.message);
  }
}

// What a body asks for, or its refusal.
struct LeaseWish {
  LeaseRequest asked{};
  std::vector<KeyTrouble> troubles{};
};

void ReadTtl(const Json& value, LeaseWish& wish) {
  if (!value.is_number() || value.get<double>() <= 0) {
    return wish.troubles.push_back({"ttl", "must be a number of seconds above 0, such as 60"});
  }
  const std::chrono::duration<double> seconds(std::min(value.get<double>(), kLongestSeconds));
  wish.asked.ttl = std::chrono::duration_cast<std::chrono::nanoseconds>(seconds);
}

void ReadDirections(const Json& value, LeaseWish& wish) {
  bool out = false;
  bool in = false;
  bool is_wrong = !value.is_array() || value.empty();
  if (!is_wrong) {
    for (const Json& each : value) {
      const std::string word = each.is_string() ? each.get<std::string>() : std::string();
      out |= word == "out";
      in |= word == "in";
      is_wrong |= word != "out" && word != "in";
    }
  }
  if (is_wrong) {
    return wish.troubles.push_back(
        {"directions", R"(must be a list of directions: ["out"], ["in"] or ["out", "in"])"});
  }
  wish.asked.directions = out && in ? LeasedDirections::kBoth
                          : out     ? LeasedDirections::kOut
                                    : LeasedDirections::kIn;
}

// `may_choose`: whether the body may have more than `ttl`.
std::variant<LeaseRequest, HttpResponse> ReadWish(const HttpRequest& request, bool may_choose) {
  if (IsNestedTooDeeply(request.body)) {
    return BadRequest(fmt::format("the body: {}", kNestedTooDeeply));
  }
  const Json body = Json::parse(request.body, nullptr, false);
  if (!body.is_object()) return BadRequest("the body must be a JSON object, such as {\"ttl\": 60}");
  LeaseWish wish{.asked = {.window = request.captured.at("window"), .client = request.client}};
  for (const auto& [key, value] : body.items()) {
    if (key == "ttl") {
      ReadTtl(value, wish);
    } else if (key == "directions" && may_choose) {
      ReadDirections(value, wish);
    } else if (key == "snapshot" && may_choose) {
      if (value.is_number_unsigned()) {
        wish.asked.snapshot = value.get<std::uint64_t>();
      } else {
        wish.troubles.push_back({key, "must be the number of a snapshot, such as 17"});
      }
    } else {
      wish.troubles.push_back({key, may_choose ? "unknown key; keys: snapshot, ttl, directions"
                                               : "unknown key; the only key is ttl"});
    }
  }
  if (wish.troubles.empty()) return std::move(wish.asked);
  std::string message;
  for (const KeyTrouble& each : wish.troubles) {
    message += fmt::format("{}{}: {}", message.empty() ? "" : "; ", each.key, each.message);
  }
  return Unprocessable(message, wish.troubles);
}

HttpResponse TakeLease(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& window = request.captured.at("window");
  if (!around.engine.Find(window)) return NoWindow(around.engine, window);
  LeaseBook* const book = around.leases(window);
  if (book == nullptr) {
    return Conflict(
        fmt::format("no export writes frozen snapshots of window '{}'; add it to "
                    "`windows` of an item `frozen` of `exports`",
                    window));
  }
  auto wish = ReadWish(request, true);
  if (auto* const refusal = std::get_if<HttpResponse>(&wish)) return std::move(*refusal);
  const auto& asked = std::get<LeaseRequest>(wish);
  const Result<Lease> lease = book->Take(asked);
  if (lease) return LeaseAnswer(201, lease.value());
  const bool has_none = lease.error().code == ErrorCode::kNotFound && !asked.snapshot;
  return has_none ? Conflict(lease.error().message) : LeaseRefusal(lease.error());
}

// The answer to a request about the lease that its path names.
template <typename Answer>
HttpResponse OfLease(const ApiSurroundings& around, const HttpRequest& request,
                     const Answer& answer) {
  const std::string& window = request.captured.at("window");
  LeaseBook* const book = around.leases(window);
  if (book != nullptr) return answer(*book, window, request.captured.at("lease"));
  if (!around.engine.Find(window)) return NoWindow(around.engine, window);
  return NotFound(fmt::format("window '{}' has no such lease", window));
}

HttpResponse ShowLease(const ApiSurroundings& around, const HttpRequest& request) {
  return OfLease(around, request, [](LeaseBook& book, const auto& window, const auto& id) {
    const Result<Lease> lease = book.Find(window, id);
    return lease ? LeaseAnswer(200, lease.value()) : LeaseRefusal(lease.error());
  });
}

HttpResponse RenewLease(const ApiSurroundings& around, const HttpRequest& request) {
  return OfLease(around, request, [&](LeaseBook& book, const auto& window, const auto& id) {
    auto wish = ReadWish(request, false);
    if (auto* const refusal = std::get_if<HttpResponse>(&wish)) return std::move(*refusal);
    const Result<Lease> lease = book.Renew(window, id, std::get<LeaseRequest>(wish).ttl);
    return lease ? LeaseAnswer(200, lease.value()) : LeaseRefusal(lease.error());
  });
}

HttpResponse ReleaseLease(const ApiSurroundings& around, const HttpRequest& request) {
  return OfLease(around, request, [](LeaseBook& book, const auto& window, const auto& id) {
    const Status released = book.Release(window, id);
    return released ? NothingToSay() : LeaseRefusal(released.error());
  });
}

HttpResponse SendLeasedFile(const ApiSurroundings& around, const LeaseDownloads& downloads,
                            const HttpRequest& request) {
  return OfLease(around, request, [&](LeaseBook& book, const auto& window, const auto& id) {
    const Result<Lease> lease = book.Find(window, id);
    if (!lease) return LeaseRefusal(lease.error());
    const std::string& name = request.captured.at("file");
    const auto& files = lease.value().files;
    const auto file = std::ranges::find(files, name, &LeasedFile::name);
    if (file != files.end()) {
      Result<LeaseReader> reader = book.Open(window, id, name);
      if (!reader) return LeaseRefusal(reader.error());
      return downloads.Answer(std::move(reader).value(), *file, request);
    }
    std::vector<std::string> names;
    for (const LeasedFile& each : files) names.push_back(each.name);
    return NotFound(
        fmt::format("the lease has no file '{}'; files: {}", name, fmt::join(names, ", ")));
  });
}

HttpResponse ListLeases(const ApiSurroundings& around) {
  Json list = Json::array();
  for (const LeaseBook* const book : around.lease_books()) {
    for (const Lease& lease : book->List()) list.push_back(LeaseSummary(lease));
  }
  return JsonResponse(list);
}

HttpResponse RevokeLease(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("name");
  for (LeaseBook* const book : around.lease_books()) {
    if (book->Revoke(name)) return NothingToSay();
  }
  return NotFound(fmt::format("there is no lease '{}'; GET /api/v1/leases lists all", name));
}

}  // namespace

void AddLeaseRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const std::vector<std::string> none;
  routes
      .AddWithBody("POST /api/v1/windows/{window}/leases",
                   [around](const HttpRequest& request) { return TakeLease(around, request); })
      .lane = WorkLane::kLarge;  // it reads snapshot.json of each snapshot
  routes.Add("GET /api/v1/windows/{window}/leases/{lease}", none,
             [around](const HttpRequest& request) { return ShowLease(around, request); });
  routes.AddWithBody("PUT /api/v1/windows/{window}/leases/{lease}",
                     [around](const HttpRequest& request) { return RenewLease(around, request); });
  routes.Add("DELETE /api/v1/windows/{window}/leases/{lease}", none,
             [around](const HttpRequest& request) { return ReleaseLease(around, request); });
  routes.Add(
      "GET /api/v1/windows/{window}/leases/{lease}/files/{file}", none,
      [around, downloads = std::make_shared<const LeaseDownloads>()](const HttpRequest& request) {
        return SendLeasedFile(around, *downloads, request);
      });
  routes.Add("GET /api/v1/leases", none,
             [around](const HttpRequest&) { return ListLeases(around); });
  routes.Add("DELETE /api/v1/leases/{name}", none,
             [around](const HttpRequest& request) { return RevokeLease(around, request); });
}

}  // namespace sash
