// LargeRoutes: adds routes whose answers may be large. WorkLane::kLarge makes their answers, and
// they share one limit on the number streamed at a time.
//
// Thread safety: for one thread; the handlers are as thread-safe as the `answer` functions.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/http/api_surroundings.h"
#include "daemon/http/large_answer.h"
#include "daemon/http/route_table.h"

namespace sash {

class LargeRoutes {
 public:
  // `around` outlives the routes.
  LargeRoutes(const ApiSurroundings& around, RouteTable& routes)
      : around_(around), routes_(routes) {}

  // answer(const ApiSurroundings&, const LargeAnswers&, const HttpRequest&) -> HttpResponse
  template <typename Answer>
  void Add(const char* pattern, std::vector<std::string> parameters, Answer answer) {
    routes_
        .Add(pattern, std::move(parameters),
             [around = around_, answers = answers_, answer](const HttpRequest& request) {
               return answer(around, *answers, request);
             })
        .lane = WorkLane::kLarge;
  }

 private:
  const ApiSurroundings& around_;
  RouteTable& routes_;
  const std::shared_ptr<const LargeAnswers> answers_ = std::make_shared<const LargeAnswers>();
};

}  // namespace sash
