#include "daemon/http/openapi_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "daemon/http/api_routes.h"
#include "tests/daemon/http/tiny_daemon.h"
#include "windows/jobs/kinds/kinds.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

// The parameters of a route: "in path: job", "in query: limit".
using Parameters = std::set<std::string>;
using Operations = std::map<std::string, Parameters>;  // by "GET /path"

Operations Registered() {
  TinyDaemon daemon;
  const RouteTable routes = MakeApiRoutes(daemon.surroundings());
  Operations operations;
  for (const RouteTable::Route& route : routes.routes()) {
    Parameters& parameters = operations[route.method + " " + route.path];
    for (const std::string& segment : route.segments) {
      if (!segment.starts_with('{')) continue;
      parameters.insert("in path: " + segment.substr(1, segment.size() - 2));
    }
    for (const std::string& name : route.parameters.value_or(std::vector<std::string>())) {
      parameters.insert("in query: " + name);
    }
  }
  return operations;
}

class OpenApiDocumentTest : public ::testing::Test {
 protected:
  const Json& Resolve(const Json& node) const {
    if (!node.contains("$ref")) return node;
    const std::string place = node.at("$ref");
    EXPECT_TRUE(place.starts_with("#/")) << place;
    return document_.at(Json::json_pointer(place.substr(1)));
  }

  Operations Documented() const {
    Operations operations;
    for (const auto& [path, methods] : document_.at("paths").items()) {
      for (const auto& [method, operation] : methods.items()) {
        std::string upper = method;
        std::ranges::transform(upper, upper.begin(),
                               [](unsigned char c) { return std::toupper(c); });
        Parameters& parameters = operations[upper + " " + path];
        for (const Json& each : operation.value("parameters", Json::array())) {
          const Json& parameter = Resolve(each);
          if (parameter.at("in") == "header") continue;  // routes do not list headers
          parameters.insert("in " + parameter.at("in").get<std::string>() + ": " +
                            parameter.at("name").get<std::string>());
        }
      }
    }
    return operations;
  }

  const Json document_ = Json::parse(OpenApiDocument());
};

TEST_F(OpenApiDocumentTest, HasEveryRouteWithItsParametersAndNoOther) {
  const Operations registered = Registered();
  const Operations documented = Documented();
  EXPECT_GE(registered.size(), 15u);
  for (const auto& [route, parameters] : registered) {
    ASSERT_TRUE(documented.contains(route)) << route << " is not in openapi.json";
    EXPECT_EQ(documented.at(route), parameters) << route;
  }
  for (const auto& [route, parameters] : documented) {
    EXPECT_TRUE(registered.contains(route)) << route << " is only in openapi.json";
  }
}

TEST_F(OpenApiDocumentTest, NamesEveryKernel) {
  const Json kernels(std::vector<std::string>(kKernels.begin(), kKernels.end()));
  for (const char* schema : {"NewJob", "JobSettings"}) {
    EXPECT_EQ(document_.at("components").at("schemas").at(schema).at("properties").at("kernel"),
              (Json{{"enum", kernels}}));
  }
}

TEST_F(OpenApiDocumentTest, NamesEveryOperationOnceAndSaysWhatGoesWrong) {
  std::set<std::string> names;
  for (const auto& [path, methods] : document_.at("paths").items()) {
    for (const auto& [method, operation] : methods.items()) {
      EXPECT_TRUE(names.insert(operation.at("operationId")).second) << path;
      EXPECT_FALSE(operation.at("summary").get<std::string>().empty());
      EXPECT_TRUE(operation.at("responses").contains("400")) << path;
      const bool may_add = method == "put" && !path.ends_with("/leases/{lease}");
      const bool finds = path.find('{') != std::string::npos && !may_add;
      EXPECT_EQ(operation.at("responses").contains("404"), finds) << path;
    }
  }
}

TEST_F(OpenApiDocumentTest, RefersToNothingThatIsNotThereAndLeavesNothingUnused) {
  std::set<std::string> used;
  std::vector<const Json*> open = {&document_};
  while (!open.empty()) {
    const Json& node = *open.back();
    open.pop_back();
    if (node.is_object() && node.contains("$ref")) {
      const std::string place = node.at("$ref").get<std::string>().substr(1);
      EXPECT_TRUE(document_.contains(Json::json_pointer(place))) << place;
      used.insert(place);
    }
    if (node.is_structured()) {
      for (const Json& child : node) open.push_back(&child);
    }
  }
  for (const auto& [kind, components] : document_.at("components").items()) {
    for (const auto& [name, component] : components.items()) {
      EXPECT_TRUE(used.contains("/components/" + kind + "/" + name)) << kind << " " << name;
    }
  }
}

}  // namespace
}  // namespace sash
