// Runs of jobs on earlier windows: the result is that of the window, and only the reader gets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "connectors/sinks/result_json.h"
#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

using Past = PastDelivery::State;

constexpr std::chrono::seconds kKept{20};

class PastRunTest : public ::testing::Test {
 protected:
  // In window i of 10 s there are `a` -> `b` and i edges from `b`.
  void Fill(int windows) {
    for (int i = 1; i <= windows; ++i) {
      daemon_.Add(std::string("a"), std::string("b"), 10 * i - 9);
      for (int j = 1; j <= i; ++j) {
        daemon_.Add(std::string("b"), "w" + std::to_string(i) + std::to_string(j), 10 * i - 8);
      }
    }
    daemon_.EndSource();
  }

  // With whole results, as the daemon writes them.
  ApiSurroundings Around() {
    ApiSurroundings around = daemon_.surroundings();
    around.result = [this](const CompletedRun& run, const Listing& listing) {
      return ResultPieces(run, listing, daemon_.keys);
    };
    return around;
  }

  static Json Run(const RouteAnswers& api, const std::string& job, const std::string& query,
                  int status = 200) {
    const HttpResponse answer = api.Post("/api/v1/jobs/" + job + "/trigger?" + query);
    EXPECT_EQ(answer.status, status) << answer.body;
    return Json::parse(answer.body);
  }
  static std::string Refusal(const RouteAnswers& api, const std::string& job,
                             const std::string& query, int status) {
    return Run(api, job, query, status).at("error").at("message");
  }

  TinyDaemon daemon_{KeyKind::kString, {std::string("a")}, {NewEdgesParameters()}, kKept};
};

// The due results of the job, and those that a reader asks for later, are the same.
TEST_F(PastRunTest, AResultOnAnEarlierWindowIsTheOneThatWasDueThen) {
  Fill(5);
  const RouteAnswers api(Around());
  for (const std::string job : {"ranks", "reach", "split", "shape", "new_edges"}) {
    for (const std::string snapshot : {"4", "5"}) {
      Json due = api.Json("/api/v1/jobs/" + job + "/results/" + snapshot);
      Json asked = Run(api, job, "snapshot=" + snapshot);
      EXPECT_EQ(asked.at("past"), true);
      EXPECT_FALSE(due.contains("past"));
      asked.erase("past");
      for (Json* each : {&due, &asked}) each->erase("seconds");
      EXPECT_EQ(asked, due) << job;
    }
  }
  EXPECT_EQ(Run(api, "reach", "at=2026-01-01T00:00:35Z").at("snapshot"), 3);
}

TEST_F(PastRunTest, NobodyElseGetsIt) {
  Fill(4);
  const RouteAnswers api(Around());
  int runs = 0;
  daemon_.on_run = [&](const RunResult&) { ++runs; };
  const std::string before = api.Get("/api/v1/jobs/ranks/results").body;
  const Json job = api.Json("/api/v1/jobs/ranks");
  EXPECT_EQ(Run(api, "ranks", "snapshot=2&top=1").at("top").size(), 1U);
  EXPECT_EQ(api.Get("/api/v1/jobs/ranks/results").body, before);
  EXPECT_EQ(api.Json("/api/v1/jobs/ranks"), job);
  EXPECT_EQ(runs, 0);
}

TEST_F(PastRunTest, TheSinksGetItIfTheRequestSaysSo) {
  Fill(4);
  ApiSurroundings around = Around();
  std::vector<std::string> given;
  std::vector<PastDelivery> answer = {{.sink = "file:a.jsonl"},
                                      {.sink = "kafka:b", .state = Past::kAlreadyThere},
                                      {"file:c", Past::kLeftOut, "it gets diffs"}};
  around.deliver_past = [&](const CompletedRun& run) {
    given.push_back(ResultJson(*run.result));
    return std::optional(answer);
  };
  const RouteAnswers api(around);
  Run(api, "ranks", "snapshot=3");
  Run(api, "ranks", "snapshot=3&deliver=false");
  EXPECT_TRUE(given.empty());
  Json result = Run(api, "ranks", "snapshot=3&deliver=true");
  EXPECT_EQ(result.begin().key(), "delivered");
  EXPECT_EQ(result.at("delivered"), Json::parse(R"([{"sink":"file:a.jsonl","state":"written"},
      {"sink":"kafka:b","state":"already_there"},
      {"sink":"file:c","state":"left_out","why":"it gets diffs"}])"));
  result.erase("delivered");
  ASSERT_EQ(given.size(), 1u);
  EXPECT_EQ(Json::parse(given[0]), result);
  EXPECT_EQ(result.at("past"), true);
  // No sink takes it; one fails; the process stops.
  answer = {answer[2]};
  EXPECT_THAT(Refusal(api, "ranks", "snapshot=3&deliver=true", 409),
              HasSubstr("no sink takes this result of job 'ranks'; file:c: it gets diffs"));
  answer = {{.sink = "file:a.jsonl"}, {"kafka:b", Past::kFailed, "more than half"}};
  const Json failed = Run(api, "ranks", "snapshot=3&deliver=true", 503).at("error");
  EXPECT_EQ(failed.at("code"), "not_delivered");
  EXPECT_THAT(failed.at("message").get<std::string>(),
              HasSubstr("a sink did not get the result of job 'ranks'; kafka:b: more than half"));
  EXPECT_EQ(failed.at("delivered").size(), 2u);
  around.deliver_past = [](const CompletedRun&) { return std::nullopt; };
  EXPECT_THAT(Refusal(RouteAnswers(around), "ranks", "snapshot=3&deliver=true", 503),
              HasSubstr("sashd stops"));
}

TEST_F(PastRunTest, WrongDeliveriesAreRefusedBeforeTheRun) {
  Fill(4);
  ApiSurroundings around = Around();
  around.deliver_past = [](const CompletedRun&) -> std::optional<std::vector<PastDelivery>> {
    ADD_FAILURE() << "delivered";
    return std::nullopt;
  };
  const RouteAnswers api(around);
  EXPECT_THAT(Refusal(api, "ranks", "snapshot=3&deliver=yes", 400), HasSubstr("true or false"));
  EXPECT_THAT(Refusal(api, "ranks", "deliver=true", 400), HasSubstr("only with snapshot or at"));
  EXPECT_EQ(api.Post("/api/v1/jobs/ranks/trigger?snapshot=3&deliver=true&format=csv").status, 406);
}

TEST_F(PastRunTest, AJobThatComparesNeedsTheWindowBefore) {
  Fill(5);
  const RouteAnswers api(Around());
  EXPECT_THAT(Refusal(api, "new_edges", "snapshot=3", 422),
              HasSubstr("job 'new_edges' compares snapshot 3 of window 'now' with the one before "
                        "it, which cannot be read any more; name a later snapshot"));
  EXPECT_EQ(Run(api, "new_edges", "snapshot=4").at("since"), "2026-01-01T00:00:30.000Z");
}

TEST_F(PastRunTest, TheFirstWindowIsComparedWithNothing) {
  Fill(2);
  const RouteAnswers api(Around());
  const Json result = Run(api, "new_edges", "snapshot=1");
  EXPECT_TRUE(result.at("since").is_null());
  EXPECT_EQ(result.at("pairs"), 2);
}

TEST_F(PastRunTest, AJobThatWasNotDueBeforeIsComparedWithNothing) {
  JobSpec third;
  third.name = "third";
  third.window = "now";
  third.parameters = NewEdgesParameters();
  third.every = 3;  // so the third window is the first on which it is due
  ASSERT_TRUE(daemon_.scheduler.AddJob(third));
  Fill(3);
  const RouteAnswers api(Around());
  EXPECT_TRUE(api.Json("/api/v1/jobs/third/results/latest").at("since").is_null());
  EXPECT_TRUE(Run(api, "third", "snapshot=3").at("since").is_null());
}

TEST_F(PastRunTest, OtherFormatsAndWrongRequests) {
  Fill(5);
  const RouteAnswers api(Around());
  const std::string trigger = "/api/v1/jobs/shape/trigger?";
  EXPECT_THAT(api.Post("/api/v1/jobs/ranks/trigger?snapshot=4&top=1&format=csv").body,
              HasSubstr("vertex,rank,score\r\n"));
  EXPECT_EQ(api.Post(trigger + "snapshot=4&format=csv").status, 406);  // it lists nothing
  EXPECT_THAT(Refusal(api, "shape", "top=3", 400), HasSubstr("only with snapshot or at"));
  EXPECT_THAT(Refusal(api, "shape", "snapshot=9", 404), HasSubstr("the newest is 5"));
  EXPECT_THAT(Refusal(api, "shape", "snapshot=1", 410), HasSubstr("cannot be read any more"));
  EXPECT_THAT(Refusal(api, "other", "snapshot=4", 404), HasSubstr("other"));
  TinyDaemon outside(KeyKind::kString, {std::string("a")}, {ExternalParameters()});
  EXPECT_THAT(Refusal(RouteAnswers(outside), "external", "snapshot=4", 409),
              HasSubstr("only the newest window"));
}

}  // namespace
}  // namespace sash
