#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "connectors/sinks/result_diff.h"
#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"
#include "windows/jobs/previous_results.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

// Windows of 10 s. The n-th has an edge from its own vertex, so every list differs.
class DiffRoutesTest : public ::testing::Test {
 protected:
  DiffRoutesTest() : daemon_(KeyKind::kString, {std::string("a")}, {WccParameters()}) {}

  void Advance(int windows) {
    for (int i = 0; i < windows; ++i) {
      const std::string own = "v" + std::to_string(advances_);
      daemon_.Add(own, std::string("a"), 10 * advances_++ + 1);
    }
    daemon_.EndSource();
  }

  TinyDaemon daemon_;
  const RouteAnswers api_{daemon_};
  int advances_ = 0;
};

TEST_F(DiffRoutesTest, TheNewestIsWhatASinkWrites) {
  const std::string latest = "/api/v1/jobs/ranks/diffs/latest";
  EXPECT_THAT(api_.ErrorMessage(latest, 404), HasSubstr("no result yet"));
  PreviousResults previous;
  std::string written;
  daemon_.on_run = [&](const RunResult& result) {
    if (result.job != "ranks") return;
    const auto now = std::make_shared<RunResult>(result);
    written = DiffJson(*now, previous.Before(now).get());
  };
  Advance(3);
  EXPECT_EQ(api_.Get(latest).body, written + "\n");
  const Json diff = api_.Json(latest);
  EXPECT_EQ(diff.at("snapshot"), 3);
  EXPECT_EQ(diff.at("since"), "2026-01-01T00:00:20.000Z");
  EXPECT_EQ(diff.at("entered")[0].at("vertex"), "v2");
  EXPECT_EQ(diff.at("left")[0].at("vertex"), "v1");
}

TEST_F(DiffRoutesTest, TheListLeadsFromTheFirstResultToTheNewest) {
  Advance(3);
  const Json diffs = api_.Json("/api/v1/jobs/ranks/diffs");
  ASSERT_EQ(diffs.size(), 3u);
  EXPECT_EQ(diffs[0], api_.Json("/api/v1/jobs/ranks/diffs/latest"));
  EXPECT_EQ(diffs[1], api_.Json("/api/v1/jobs/ranks/diffs/2"));
  EXPECT_EQ(diffs[2].at("since"), nullptr);
  EXPECT_EQ(diffs[2].at("entered").size(), 2u);
  const HttpResponse page = api_.Get("/api/v1/jobs/ranks/diffs?limit=1&before=3");
  EXPECT_EQ(Json::parse(page.body), Json::array({diffs[1]}));
  EXPECT_EQ(RouteAnswers::Header(page, "Link"),
            "</api/v1/jobs/ranks/diffs?before=2&limit=1>; rel=\"next\"");
  EXPECT_EQ(RouteAnswers::Header(api_.Get("/api/v1/jobs/ranks/diffs"), "Link"), "");
}

TEST_F(DiffRoutesTest, AnyTwoKeptResultsCanBeCompared) {
  Advance(4);
  const std::string diffs = "/api/v1/jobs/ranks/diffs/";
  const Json apart = api_.Json(diffs + "4?since=1");
  EXPECT_EQ(apart.at("snapshot"), 4);
  EXPECT_EQ(apart.at("since"), "2026-01-01T00:00:10.000Z");
  EXPECT_EQ(apart.at("entered")[0].at("vertex"), "v3");
  EXPECT_EQ(apart.at("left")[0].at("vertex"), "v0");
  EXPECT_EQ(api_.Json(diffs + "4?since=3"), api_.Json(diffs + "4"));
  EXPECT_THAT(api_.ErrorMessage(diffs + "4?since=4", 400), HasSubstr("an earlier snapshot than 4"));
  EXPECT_EQ(api_.Get(diffs + "4?since=x").status, 400);
  EXPECT_THAT(api_.ErrorMessage(diffs + "4?since=0", 404),
              HasSubstr("no diff from snapshot 0 to snapshot 4"));
}

TEST_F(DiffRoutesTest, WhatIsNotKeptAnyMoreHasNoDiff) {
  Advance(3);
  daemon_.history.Keep("ranks", 2);
  EXPECT_EQ(api_.Json("/api/v1/jobs/ranks/diffs").size(), 1u);
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/ranks/diffs/2", 404),
              HasSubstr("both must still be kept"));
  daemon_.history.Keep("ranks", 1);
  EXPECT_EQ(api_.Json("/api/v1/jobs/ranks/diffs"), Json::array());
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/ranks/diffs/latest", 404),
              HasSubstr("no diff of its newest result"));
  EXPECT_EQ(api_.Get("/api/v1/jobs/ranks/diffs/9").status, 404);
}

TEST_F(DiffRoutesTest, JobsWithoutOneListHaveNone) {
  Advance(2);
  for (const char* job : {"shape", "split"}) {
    for (const char* of : {"", "/latest", "/1"}) {
      EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/" + std::string(job) + "/diffs" + of, 404),
                  HasSubstr("has no diffs: its results are not one list"));
    }
  }
  EXPECT_EQ(api_.Json("/api/v1/jobs/reach/diffs/latest").at("changed"), Json::array());
  EXPECT_EQ(api_.Json("/api/v1/jobs/wcc/diffs/1").at("entered")[0].at("component"), "a");
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/other/diffs", 404), HasSubstr("there are: ranks"));
}

TEST_F(DiffRoutesTest, WrongPlacesAreBadRequestsAndWhatHasNotChangedIsNotSentAgain) {
  Advance(2);
  for (const char* wrong :
       {"diffs/x", "diffs/-1", "diffs?limit=1001", "diffs?before=x", "diffs/latest?top=x"}) {
    EXPECT_EQ(api_.Get("/api/v1/jobs/ranks/" + std::string(wrong)).status, 400) << wrong;
  }
  for (const char* path : {"diffs", "diffs/latest", "diffs/1"}) {
    const std::string target = "/api/v1/jobs/ranks/" + std::string(path);
    const std::string tag = RouteAnswers::Header(api_.Get(target), "ETag");
    ASSERT_FALSE(tag.empty()) << path;
    EXPECT_EQ(api_.Get(target, {{"if-none-match", tag}}).status, 304) << path;
  }
}

}  // namespace
}  // namespace sash
