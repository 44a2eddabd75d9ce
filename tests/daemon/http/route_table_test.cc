#include "daemon/http/route_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace sash {
namespace {

using testing::HasSubstr;

HttpHandler Says(std::string body) {
  return [body](const HttpRequest&) { return HttpResponse{200, "text/plain", body}; };
}

HttpRequest To(std::vector<std::string> path, std::map<std::string, std::string> query = {}) {
  return {"GET", std::move(path), std::move(query), {}};
}

TEST(RouteTableTest, HandsCapturedSegmentsToTheHandler) {
  RouteTable routes;
  routes.Add("/a/{x}/b/{y}", std::nullopt, [](const HttpRequest& request) {
    return HttpResponse{200, "", request.captured.at("x") + "-" + request.captured.at("y")};
  });
  EXPECT_EQ(routes.Handle(To({"a", "1/2", "b", ""})).body, "1/2-");
  EXPECT_EQ(routes.Handle(To({"a", "1", "c", "2"})).status, 404);
  EXPECT_EQ(routes.Handle(To({"a", "1", "b"})).status, 404);
}

TEST(RouteTableTest, TakesTheFirstRouteThatMatches) {
  RouteTable routes;
  routes.Add("/a/latest", std::nullopt, Says("latest"));
  routes.Add("/a/{x}", std::nullopt, Says("any"));
  EXPECT_EQ(routes.Handle(To({"a", "latest"})).body, "latest");
  EXPECT_EQ(routes.Handle(To({"a", "other"})).body, "any");
}

TEST(RouteTableTest, NamesTheParametersItKnows) {
  RouteTable routes;
  routes.Add("/a", std::vector<std::string>{"limit", "offset"}, Says("a"));
  routes.Add("/b", std::vector<std::string>(), Says("b"));
  routes.Add("/c", std::nullopt, Says("c"));
  EXPECT_EQ(routes.Handle(To({"a"}, {{"limit", "1"}})).status, 200);
  const HttpResponse refused = routes.Handle(To({"a"}, {{"limt", "1"}}));
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("unknown parameter 'limt': this path takes limit, offset"));
  EXPECT_THAT(routes.Handle(To({"b"}, {{"x", ""}})).body, HasSubstr("takes none"));
  EXPECT_EQ(routes.Handle(To({"c"}, {{"x", ""}})).status, 200);
}

TEST(RouteTableTest, AHandlerThatThrowsIsAnInternalError) {
  RouteTable routes;
  routes.Add("/a", std::nullopt,
             [](const HttpRequest&) -> HttpResponse { throw std::runtime_error("broken"); });
  const HttpResponse response = routes.Handle(To({"a"}));
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "{\"error\":{\"code\":\"internal\",\"message\":\"broken\"}}\n");
}

}  // namespace
}  // namespace sash
