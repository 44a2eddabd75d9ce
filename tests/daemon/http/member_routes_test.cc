// The members of sets: in the order of keys, page by page, in the newest and in earlier windows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"
#include "windows/slide/live_advance.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::chrono::seconds kTwoWindows{20};

class MemberRoutesTest : public ::testing::Test {
 protected:
  // Windows of 10 s: d-b-a-c and f-e; then only f-e-z.
  void Fill() {
    for (const auto& [source, target] :
         {std::pair("d", "b"), {"a", "b"}, {"c", "a"}, {"b", "a"}, {"f", "e"}}) {
      daemon_.Add(std::string(source), std::string(target), 1);
    }
    daemon_.Add(std::string("f"), std::string("e"), 11);
    daemon_.Add(std::string("z"), std::string("e"), 12);
    daemon_.EndSource();
  }

  static std::vector<std::string> Vertices(const Json& answer) {
    std::vector<std::string> vertices;
    for (const Json& member : answer.at("members")) vertices.push_back(member.at("vertex"));
    return vertices;
  }

  TinyDaemon daemon_{KeyKind::kString, {std::string("a")}, {WccParameters()}, kTwoWindows};
  const RouteAnswers api_{daemon_};
};

TEST_F(MemberRoutesTest, AnyMemberNamesTheSet) {
  Fill();
  for (const std::string target : {"members/z", "members/e", "members?key=f"}) {
    EXPECT_EQ(api_.Json("/api/v1/jobs/wcc/" + target), Json::parse(R"({
      "job": "wcc", "snapshot": 2, "window_end": "2026-01-01T00:00:20.000Z",
      "component": "e", "size": 3,
      "members": [{"vertex": "e", "out_degree": 0, "in_degree": 2},
                  {"vertex": "f", "out_degree": 1, "in_degree": 0},
                  {"vertex": "z", "out_degree": 1, "in_degree": 0}]})"))
        << target;
  }
}

// Every answer about a result of a live job says that it is not final.
TEST_F(MemberRoutesTest, AnAnswerAboutALiveResultIsNotFinal) {
  for (const auto& [name, parameters] :
       {std::pair<std::string, JobParameters>("sets", WccParameters()),
        {"degrees", DegreeParameters()}}) {
    JobSpec job;
    job.name = name;
    job.window = "now";
    job.parameters = parameters;
    job.live_every = std::chrono::hours(1);
    ASSERT_TRUE(daemon_.scheduler.AddJob(job));
  }
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.Process();
  for (const std::string job : {"sets", "degrees"}) {
    const auto window = daemon_.engine.Find("now");
    ASSERT_TRUE(
        daemon_.scheduler.TriggerJob(job, LiveAdvance(daemon_.engine, *window, daemon_.clock)));
    while (!daemon_.history.Latest(job)) std::this_thread::yield();
  }
  const std::string jobs = "/api/v1/jobs/";
  for (const std::string path : {"sets/members/a", "sets/vertices/a", "degrees/vertices/a/history",
                                 "degrees/neighbourhood", "degrees/diffs/latest"}) {
    EXPECT_FALSE(api_.Json(jobs + path).value("final", true)) << path;
  }
  for (const std::string path : {"sets/members/a", "degrees/vertices/a/history",
                                 "degrees/results/latest", "degrees/diffs/latest"}) {
    const HttpResponse rows = api_.Get(jobs + path + "?format=csv");
    EXPECT_EQ(RouteAnswers::Header(rows, "Sash-Final"), "false") << path;
  }
}

TEST_F(MemberRoutesTest, ASetIsFoundByItsOwnKey) {
  Fill();
  EXPECT_EQ(api_.Json("/api/v1/jobs/wcc/members?set=e"), api_.Json("/api/v1/jobs/wcc/members/z"));
  // The vertex z is a member, and names no set.
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/wcc/members?set=z", 404),
              HasSubstr("the result of snapshot 2 has no component \"z\""));
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/wcc/members?set=a", 404),
              HasSubstr("the result of snapshot 2 has no component \"a\""));
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/wcc/members?set=e&key=e", 400),
              HasSubstr("not both"));
}

// By propagation alone: each vertex has taken the name of the other one.
TEST(MemberRoutesOfCommunitiesTest, ACommunityMayBeNamedByAVertexOfAnother) {
  CdlpParameters once;
  once.max_iterations = 1;
  TinyDaemon daemon(KeyKind::kString, {std::string("a")}, {once});
  daemon.Add(std::string("a"), std::string("b"), 1);
  daemon.EndSource();
  const RouteAnswers api(daemon);
  const Json of_vertex = api.Json("/api/v1/jobs/cdlp/members/a");
  const Json of_set = api.Json("/api/v1/jobs/cdlp/members?set=a");
  EXPECT_EQ(of_vertex.at("community"), "b");
  EXPECT_EQ(of_vertex.at("members").at(0).at("vertex"), "a");
  EXPECT_EQ(of_set.at("community"), "a");
  EXPECT_EQ(of_set.at("members").at(0).at("vertex"), "b");
}

TEST_F(MemberRoutesTest, AnEarlierWindowHasTheSetsThatItHad) {
  Fill();
  const Json then = api_.Json("/api/v1/jobs/wcc/members/c?snapshot=1");
  EXPECT_EQ(then.at("component"), "a");
  EXPECT_EQ(then.at("snapshot"), 1);
  EXPECT_THAT(Vertices(then), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(then, api_.Json("/api/v1/jobs/wcc/members/b?at=2026-01-01T00:00:15Z"));
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/wcc/members/z?snapshot=1", 404),
              HasSubstr("not in the window of the result of snapshot 1"));
  EXPECT_EQ(api_.Get("/api/v1/jobs/wcc/members/z?snapshot=3").status, 404);
}

TEST_F(MemberRoutesTest, PagesFollowEachOther) {
  Fill();
  const std::string all = "/api/v1/jobs/wcc/members/a?snapshot=1";
  std::vector<std::string> seen;
  for (std::string target = all + "&limit=3"; !target.empty();) {
    const HttpResponse page = api_.Get(target);
    const Json json = Json::parse(page.body);
    for (const std::string& each : Vertices(json)) seen.push_back(each);
    EXPECT_EQ(json.at("size"), 4);
    EXPECT_EQ(json.at("truncated"), true);
    EXPECT_EQ(json.at("rows"), 4);
    const std::string link = RouteAnswers::Header(page, "Link");
    target = link.empty() ? "" : link.substr(1, link.find('>') - 1);
  }
  EXPECT_THAT(seen, ElementsAre("a", "b", "c", "d"));
  // A key that is not a member, and one behind all.
  EXPECT_THAT(Vertices(api_.Json(all + "&after=bb")), ElementsAre("c", "d"));
  EXPECT_THAT(Vertices(api_.Json(all + "&after=x")), ElementsAre());
  const HttpResponse none = api_.Get(all + "&limit=0");
  EXPECT_THAT(Vertices(Json::parse(none.body)), ElementsAre());
  EXPECT_EQ(RouteAnswers::Header(none, "Link"), "");
}

TEST_F(MemberRoutesTest, RowsAreAvailableAsCsv) {
  Fill();
  const HttpResponse answer = api_.Get("/api/v1/jobs/wcc/members/z?format=csv&limit=2");
  EXPECT_EQ(answer.body, "vertex,out_degree,in_degree\r\ne,0,2\r\nf,1,0\r\n");
  EXPECT_EQ(RouteAnswers::Header(answer, "Sash-Rows"), "3");
  EXPECT_EQ(RouteAnswers::Header(answer, "Sash-Truncated"), "true");
  EXPECT_EQ(RouteAnswers::Header(answer, "Sash-Snapshot"), "2");
}

TEST_F(MemberRoutesTest, WhatHasNoMembersSaysWhy) {
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/wcc/members/a", 404), HasSubstr("no result yet"));
  Fill();
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/ranks/members/e", 404),
              HasSubstr("(kernel pagerank) are not sets"));
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/none/members/e", 404), HasSubstr("no job 'none'"));
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/wcc/members/a", 404), HasSubstr("snapshot 2"));
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/wcc/members", 400), HasSubstr("key is missing"));
  EXPECT_EQ(api_.Get("/api/v1/jobs/wcc/members/e?limit=10001").status, 400);
  EXPECT_EQ(api_.Get("/api/v1/jobs/wcc/members/e?snapshot=x").status, 400);
}

TEST(MemberRoutesOfIntegersTest, KeysAreOrderedByNumber) {
  TinyDaemon daemon(KeyKind::kInteger, {std::int64_t{1}}, {WccParameters()});
  for (const std::int64_t target : {9, 10, 200, 3}) daemon.Add(std::int64_t{100}, target, 1);
  daemon.EndSource();
  const RouteAnswers api(daemon);
  const HttpResponse page = api.Get("/api/v1/jobs/wcc/members/3?limit=3");
  const Json answer = Json::parse(page.body);
  EXPECT_EQ(answer.at("component"), 3);
  std::vector<std::int64_t> members;
  for (const Json& member : answer.at("members")) members.push_back(member.at("vertex"));
  EXPECT_THAT(members, ElementsAre(3, 9, 10));
  EXPECT_THAT(RouteAnswers::Header(page, "Link"), HasSubstr("after=10&limit=3"));
  EXPECT_EQ(api.Json("/api/v1/jobs/wcc/members/3?after=10").at("members").size(), 2U);
  EXPECT_EQ(api.Get("/api/v1/jobs/wcc/members/3?after=x").status, 400);
}

}  // namespace
}  // namespace sash
