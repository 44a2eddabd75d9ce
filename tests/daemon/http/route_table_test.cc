#include "daemon/http/route_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace sash {
namespace {

using ::testing::HasSubstr;

HttpHandler Says(std::string body) {
  return [body](const HttpRequest&) { return HttpResponse{200, "text/plain", body}; };
}

HttpRequest To(std::vector<std::string> path, std::map<std::string, std::string> query = {}) {
  return {.method = "GET", .path = std::move(path), .query = std::move(query)};
}

TEST(RouteTableTest, HandsCapturedSegmentsToTheHandler) {
  RouteTable routes;
  routes.Add("GET /a/{x}/b/{y}", std::nullopt, [](const HttpRequest& request) {
    return HttpResponse{200, "", request.captured.at("x") + "-" + request.captured.at("y")};
  });
  EXPECT_EQ(routes.Handle(To({"a", "1/2", "b", ""})).body, "1/2-");
  EXPECT_EQ(routes.Handle(To({"a", "1", "c", "2"})).status, 404);
  EXPECT_EQ(routes.Handle(To({"a", "1", "b"})).status, 404);
}

TEST(RouteTableTest, TakesTheFirstRouteThatMatches) {
  RouteTable routes;
  routes.Add("GET /a/latest", std::nullopt, Says("latest"));
  routes.Add("GET /a/{x}", std::nullopt, Says("any"));
  EXPECT_EQ(routes.Handle(To({"a", "latest"})).body, "latest");
  EXPECT_EQ(routes.Handle(To({"a", "other"})).body, "any");
}

TEST(RouteTableTest, NamesTheParametersItKnows) {
  RouteTable routes;
  routes.Add("GET /a", std::vector<std::string>{"limit", "offset"}, Says("a"));
  routes.Add("GET /b", std::vector<std::string>(), Says("b"));
  routes.Add("GET /c", std::nullopt, Says("c"));
  EXPECT_EQ(routes.Handle(To({"a"}, {{"limit", "1"}})).status, 200);
  const HttpResponse refused = routes.Handle(To({"a"}, {{"limt", "1"}}));
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("unknown parameter 'limt': this path takes limit, offset"));
  EXPECT_THAT(routes.Handle(To({"b"}, {{"x", ""}})).body, HasSubstr("takes none"));
  EXPECT_EQ(routes.Handle(To({"c"}, {{"x", ""}})).status, 200);
}

TEST(RouteTableTest, AnotherMethodIsToldWhichThereAre) {
  RouteTable routes;
  routes.Add("GET /a/{x}", std::nullopt, Says("read"));
  routes.Add("POST /a/{x}", std::nullopt, Says("changed"));
  routes.Add("POST /b", std::nullopt, Says("done"));
  HttpRequest request = To({"a", "1"});
  for (const auto& [method, body] :
       {std::pair("GET", "read"), std::pair("HEAD", "read"), std::pair("POST", "changed")}) {
    request.method = method;
    EXPECT_EQ(routes.Handle(request).body, body);
  }
  request.method = "DELETE";
  const HttpResponse refused = routes.Handle(request);
  EXPECT_EQ(refused.status, 405);
  EXPECT_THAT(refused.headers, ::testing::ElementsAre(std::pair("Allow", "GET, HEAD, POST")));
  EXPECT_THAT(refused.body, HasSubstr("DELETE is not allowed here; allowed: GET, HEAD, POST"));
  EXPECT_EQ(routes.Handle(To({"b"})).status, 405);
  request.path = {"c"};
  EXPECT_EQ(routes.Handle(request).status, 404) << "an unknown path is 404 for any method";
}

TEST(RouteTableTest, ABodyIsRefusedBeforeAnythingHappens) {
  RouteTable routes;
  bool called = false;
  routes.Add("POST /a", std::nullopt, [&](const HttpRequest&) {
    called = true;
    return HttpResponse{};
  });
  HttpRequest request = To({"a"});
  request.method = "POST";
  request.has_body = true;
  EXPECT_EQ(routes.Handle(request).status, 413);
  EXPECT_FALSE(called);
  request.has_body = false;
  EXPECT_EQ(routes.Handle(request).status, 200);
  EXPECT_TRUE(called);
}

TEST(RouteTableTest, AHandlerThatThrowsIsAnInternalError) {
  RouteTable routes;
  routes.Add("GET /a", std::nullopt,
             [](const HttpRequest&) -> HttpResponse { throw std::runtime_error("broken"); });
  const HttpResponse response = routes.Handle(To({"a"}));
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "{\"error\":{\"code\":\"internal\",\"message\":\"broken\"}}\n");
}

}  // namespace
}  // namespace sash
