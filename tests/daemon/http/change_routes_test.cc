// The change requests that the routes hand over, and the requests that they refuse themselves.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "daemon/http/api_routes.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Kind = ChangeRequest::Kind;

class ChangeRoutesTest : public ::testing::Test {
 protected:
  ChangeRoutesTest() {
    ApiSurroundings around = daemon_.surroundings();
    around.change = [this](ChangeRequest request) {
      asked_.push_back(std::move(request));
      return std::make_shared<PendingAnswer>();
    };
    routes_ = MakeApiRoutes(around);
  }

  HttpResponse Send(std::string method, std::vector<std::string> path, std::string body = "",
                    std::string type = "application/json") {
    path.insert(path.begin(), {"api", "v1"});
    HttpRequest request{.method = std::move(method), .path = std::move(path)};
    request.has_body = !body.empty();
    request.body = std::move(body);
    if (request.has_body) request.headers["content-type"] = std::move(type);
    request.client = "10.0.0.1";
    return routes_.Handle(request);
  }

  TinyDaemon daemon_;
  RouteTable routes_;
  std::vector<ChangeRequest> asked_;
};

TEST_F(ChangeRoutesTest, EachHandsOverWhatIsAskedAndByWhom) {
  EXPECT_NE(Send("POST", {"jobs"}, "{}").pending, nullptr);
  EXPECT_NE(Send("PUT", {"jobs", "j"}, "{}", "Application/JSON; charset=utf-8").pending, nullptr);
  EXPECT_NE(Send("DELETE", {"jobs", "j"}).pending, nullptr);
  EXPECT_NE(Send("POST", {"jobs", "j", "pause"}).pending, nullptr);
  EXPECT_NE(Send("POST", {"jobs", "j", "resume"}).pending, nullptr);
  EXPECT_NE(Send("POST", {"jobs", "j", "trigger"}).pending, nullptr);
  EXPECT_NE(Send("POST", {"windows"}, "{}").pending, nullptr);
  EXPECT_NE(Send("PUT", {"windows", "w"}, "{}").pending, nullptr);
  EXPECT_NE(Send("DELETE", {"windows", "w"}).pending, nullptr);
  EXPECT_NE(Send("POST", {"reload"}).pending, nullptr);
  EXPECT_NE(Send("POST", {"windows", "w", "exports"}).pending, nullptr);
  const std::vector<Kind> kinds = {Kind::kAddJob,    Kind::kPutJob,      Kind::kRemoveJob,
                                   Kind::kPauseJob,  Kind::kResumeJob,   Kind::kTriggerJob,
                                   Kind::kAddWindow, Kind::kPutWindow,   Kind::kRemoveWindow,
                                   Kind::kReload,    Kind::kExportWindow};
  ASSERT_EQ(asked_.size(), kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(asked_[i].kind, kinds[i]) << i;
    EXPECT_EQ(asked_[i].client, "10.0.0.1");
  }
  EXPECT_EQ(asked_[0].body, "{}");
  EXPECT_EQ(asked_[1].name, "j");
  EXPECT_EQ(asked_[7].name, "w");
  EXPECT_EQ(asked_[8].name, "w");
  EXPECT_EQ(asked_[10].name, "w");
}

TEST_F(ChangeRoutesTest, BodiesAreJsonWhereOneBelongsAndNowhereElse) {
  EXPECT_EQ(Send("POST", {"jobs"}, "name: j", "text/plain").status, 415);
  EXPECT_EQ(Send("POST", {"jobs"}).status, 415) << "no Content-Type at all";
  EXPECT_EQ(Send("POST", {"jobs", "j", "pause"}, "{}").status, 413);
  EXPECT_EQ(Send("GET", {"jobs"}, "{}").status, 413);
  const HttpResponse refusal = Send("PATCH", {"jobs", "j"});
  EXPECT_EQ(refusal.status, 405);
  ASSERT_EQ(refusal.headers.size(), 1u);
  EXPECT_EQ(refusal.headers[0].second, "GET, HEAD, PUT, DELETE");
  EXPECT_TRUE(asked_.empty());
  const auto takes = [&](std::string method, std::vector<std::string> path) {
    return routes_.TakesBody({.method = std::move(method), .path = std::move(path)});
  };
  EXPECT_TRUE(takes("PUT", {"api", "v1", "jobs", "j"}));
  EXPECT_FALSE(takes("DELETE", {"api", "v1", "jobs", "j"}));
  EXPECT_FALSE(takes("POST", {"api", "v1", "nothing"}));
}

TEST_F(ChangeRoutesTest, TheResultOfASnapshotIsThereAsLongAsItIsKept) {
  daemon_.Add("a", "b", 1);
  daemon_.Add("b", "c", 11);
  daemon_.Process();
  const auto latest = daemon_.history.Latest("ranks");
  ASSERT_TRUE(latest.has_value());
  const std::string snapshot = std::to_string(latest->result->provenance.snapshot.value);
  const HttpResponse found = Send("GET", {"jobs", "ranks", "results", snapshot});
  EXPECT_EQ(found.status, 200);
  EXPECT_EQ(nlohmann::json::parse(found.body).at("snapshot"),
            latest->result->provenance.snapshot.value);
  EXPECT_EQ(Send("GET", {"jobs", "ranks", "results", "12345"}).status, 404);
  EXPECT_EQ(Send("GET", {"jobs", "ranks", "results", "first"}).status, 400);
  EXPECT_EQ(Send("GET", {"jobs", "nobody", "results", snapshot}).status, 404);
}

}  // namespace
}  // namespace sash
