// Routes that inspect the process: its threads and its heap. Access allows them only with the admin
// token.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/memory/heap_report.h"
#include "daemon/memory/thread_list.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

HttpResponse Threads() {
  Json threads = Json::array();
  for (const ThreadStanding& thread : ListThreads()) {
    threads.push_back({{"id", thread.id},
                       {"name", thread.name},
                       {"state", thread.state},
                       {"user_seconds", thread.user_seconds},
                       {"system_seconds", thread.system_seconds}});
  }
  return JsonResponse({{"threads", std::move(threads)}});
}

HttpResponse Report(Result<std::string> report) {
  if (!report) return ErrorResponse(501, "not_implemented", report.error().message);
  return {200, "text/plain; charset=utf-8", std::move(report).value()};
}

}  // namespace

void AddDebugRoutes(RouteTable& routes) {
  const std::vector<std::string> none;
  const auto add = [&](const char* pattern, HttpHandler handler) {
    routes.Add(pattern, none, std::move(handler)).lane = WorkLane::kLarge;
  };
  add("GET /api/v1/debug/threads", [](const HttpRequest&) { return Threads(); });
  add("GET /api/v1/debug/heap", [](const HttpRequest&) { return Report(HeapProfile()); });
  add("GET /api/v1/debug/allocator", [](const HttpRequest&) { return Report(AllocatorReport()); });
}

}  // namespace sash
