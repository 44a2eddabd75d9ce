// The routes of workers: what they get, and what becomes of right and wrong answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <semaphore>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "daemon/http/access.h"
#include "daemon/http/api_routes.h"
#include "tests/daemon/http/tiny_daemon.h"
#include "tests/support/nested_lists.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class WorkRoutesTest : public ::testing::Test {
 protected:
  explicit WorkRoutesTest(ExternalAnswers returns = ExternalAnswers::kScores)
      : daemon_(KeyKind::kString, {std::string("a")}, {ExternalParameters{returns}}) {
    daemon_.desk.KeepBy([](const AdvancePtr&, SteadyTime, const std::stop_token&) {
      return Result<HeldSnapshot>(HeldSnapshot{"/dev/shm/sash/now/1", nullptr});
    });
    daemon_.desk.OnOffered([this] { daemon_.waiters.Look(); });
    daemon_.waiters.Start([this] { answered_.release(); });
    routes_ = MakeApiRoutes(daemon_.surroundings());
  }
  ~WorkRoutesTest() override {
    daemon_.scheduler.RequestStop();
    if (engine_.joinable()) engine_.join();
    daemon_.waiters.Stop();
  }

  // a -> b, c -> a: the keys in order are a, b, c. The engine waits until the runs have ended.
  void Advance() {
    engine_ = std::thread([this] {
      daemon_.Add(std::string("c"), std::string("a"), 1);
      daemon_.Add(std::string("a"), std::string("b"), 2);
      daemon_.EndSource();
    });
  }

  HttpResponse Send(const std::string& method, const std::string& rest, std::string body = "",
                    std::map<std::string, std::string> query = {}) {
    HttpRequest request{.method = method,
                        .path = {"api", "v1", "jobs", "external", "work"},
                        .query = std::move(query)};
    std::string segment;
    for (std::istringstream segments(rest); std::getline(segments, segment, '/');) {
      request.path.push_back(segment);
    }
    request.has_body = !body.empty();
    request.body = std::move(body);
    request.headers["content-type"] = "application/json";
    HttpResponse response = routes_.Handle(request);
    if (response.pending == nullptr) return response;
    answered_.acquire();
    return *response.pending->Take();
  }
  std::string Take() {
    const HttpResponse work = Send("GET", "", "", {{"wait", "30"}});
    EXPECT_EQ(work.status, 200);
    return Json::parse(work.body).at("run").get<std::string>();
  }
  std::string Message(const HttpResponse& response, int status) {
    EXPECT_EQ(response.status, status) << response.body;
    return Json::parse(response.body).at("error").at("message").get<std::string>();
  }
  JobStatus Status() const { return daemon_.scheduler.Statuses().back(); }
  void AwaitEnd() { engine_.join(); }
  void AwaitFailures(std::uint64_t count) const {
    for (int i = 0; i < 3'000 && Status().failures() < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  // Gives each of these answers to a run of its own, which fails with the reason beside it. Returns
  // the run that is under way then.
  std::string FailWith(std::span<const std::pair<const char*, const char*>> wrong) {
    Advance();
    std::string run = Take();
    std::uint64_t failures = 0;
    for (const auto& [body, why] : wrong) {
      EXPECT_THAT(Message(Send("POST", run, body), 422), HasSubstr(why)) << body;
      AwaitFailures(++failures);
      EXPECT_EQ(Status().failed[static_cast<std::size_t>(RunFault::kWrongAnswer)], failures);
      EXPECT_THAT(Status().last_failure, HasSubstr(why));
      const auto newest = daemon_.engine.Find("now")->newest;
      EXPECT_TRUE(daemon_.scheduler.TriggerJob("external", newest).ok());
      run = Take();
    }
    return run;
  }

  TinyDaemon daemon_;
  RouteTable routes_;
  std::counting_semaphore<100> answered_{0};
  std::thread engine_;
};

TEST_F(WorkRoutesTest, AWaitingWorkerGetsTheWorkAndItsAnswerIsTheResult) {
  std::optional<std::vector<RankedVertex>> top;
  daemon_.on_run = [&](const RunResult& result) {
    if (result.kernel == "external") top = std::get<ScoreOutput>(result.output).top;
  };
  Advance();
  const HttpResponse answer = Send("GET", "", "", {{"wait", "30"}, {"lease", "30"}});
  ASSERT_EQ(answer.status, 200);
  const Json work = Json::parse(answer.body);
  EXPECT_EQ(work.at("job").get<std::string>(), "external");
  EXPECT_EQ(work.at("returns").get<std::string>(), "scores");
  EXPECT_EQ(work.at("window").get<std::string>(), "now");
  EXPECT_EQ(work.at("vertices").get<int>(), 3);
  EXPECT_EQ(work.at("frozen").get<std::string>(), "/dev/shm/sash/now/1");
  EXPECT_EQ(work.at("lease_seconds").get<int>(), 30);
  EXPECT_GT(work.at("seconds_left").get<double>(), 0);
  const std::string run = work.at("run").get<std::string>();
  EXPECT_EQ(Send("POST", run + "/renew", "", {{"lease", "20"}}).status, 200);
  const HttpResponse given = Send("POST", run, R"({"scores": [0.5, null, 2]})");
  ASSERT_EQ(given.status, 200) << given.body;
  EXPECT_EQ(Json::parse(given.body).at("result").get<std::string>(),
            "/api/v1/jobs/external/results/1");
  AwaitEnd();
  ASSERT_TRUE(top);
  ASSERT_EQ(top->size(), 2u);
  EXPECT_EQ(top->at(0).key, VertexKey("c"));
  EXPECT_EQ(top->at(1).score, 0.5);
  EXPECT_THAT(Message(Send("POST", run, R"({"scores": [1, 2, 3]})"), 409),
              HasSubstr("another answer to it came first"));
  EXPECT_EQ(Send("GET", "", "", {{"wait", "0"}}).status, 204);
}

TEST_F(WorkRoutesTest, ScoresMayBeGivenByKey) {
  Advance();
  const std::string run = Take();
  EXPECT_EQ(Send("POST", run, R"({"scores": {"b": 1, "c": 2, "a": 3}})").status, 200);
  AwaitEnd();
  EXPECT_EQ(Status().runs, 1u);
}

TEST_F(WorkRoutesTest, AWrongAnswerFailsTheRunAndSaysWhy) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"scores": [1, NaN, 3]})", "has a number that is NaN or infinite"},
      {R"({"scores": [1, 2]})", "it has 2 values for 3 vertices"},
      {R"({"scores": {"a": 1, "b": 2, "x": 3}})", "key 'x' is not in the window"},
      {R"({"scores": {"a": 1, "b": 2}})", "it has 2 values for 3 vertices"},
      {R"({"scores": [1, "2", 3]})", "the value of id 1 is not a number, or null"},
      {R"({"scores": [1, 1e999, 3]})", "it is not JSON: number overflow parsing"},
      {R"({"sets": [1, 1, 1]})", "it must have one member, `scores` or `error`"},
      {R"({"scores": 7})", "neither a list nor an object by key"},
      {R"([1, 2, 3])", "it is not a JSON object"},
      {"{", "it is not JSON: parse error at line 1, column 2"}};
  const std::string run = FailWith(wrong);
  EXPECT_EQ(Status().runs, 0u);
  EXPECT_EQ(Send("POST", run, R"({"error": "out of memory"})").status, 200);
  AwaitFailures(std::size(wrong) + 1);
  EXPECT_EQ(Status().last_failure, "the worker failed: out of memory");
}

TEST_F(WorkRoutesTest, RequestsThatMakeNoSenseAreRefused) {
  EXPECT_THAT(Message(Send("GET", "", "", {{"wait", "31"}}), 400), HasSubstr("from 0 to 30"));
  EXPECT_THAT(Message(Send("GET", "", "", {{"lease", "0"}}), 400), HasSubstr("from 1 to 3600"));
  EXPECT_THAT(Message(Send("POST", "p0-1", "{}"), 409), HasSubstr("is of an earlier process"));
  EXPECT_THAT(Message(Send("POST", "p0-1/renew"), 409), HasSubstr("is not under way"));
  EXPECT_EQ(Send("HEAD", "").status, 204);
  HttpRequest other{.method = "GET", .path = {"api", "v1", "jobs", "ranks", "work"}};
  EXPECT_THAT(Message(routes_.Handle(other), 409), HasSubstr("its kernel is pagerank"));
  other.path[3] = "none";
  EXPECT_EQ(routes_.Handle(other).status, 404);
  other.path = {"api", "v1", "jobs", "external", "work", "p-1"};
  other.method = "POST";
  EXPECT_GT(routes_.BodyBytes(other), std::size_t{64} << 20);
  other.path = {"api", "v1", "jobs"};
  EXPECT_EQ(routes_.BodyBytes(other), 0u);
}

TEST_F(WorkRoutesTest, TooManyThatWaitAreRefusedAndAllAreAnsweredAtTheEnd) {
  std::vector<std::shared_ptr<PendingAnswer>> waiting;
  for (std::size_t i = 0; i < WorkWaiters::kMost; ++i) {
    waiting.push_back(daemon_.waiters.Ask("external", std::chrono::hours(1), std::nullopt));
    ASSERT_NE(waiting.back(), nullptr);
  }
  EXPECT_EQ(Send("GET", "").status, 503);
  daemon_.waiters.Stop();
  for (const auto& each : waiting) EXPECT_EQ(each->Take().value().status, 204);
}

class SetRoutesTest : public WorkRoutesTest {
 protected:
  SetRoutesTest() : WorkRoutesTest(ExternalAnswers::kSets) {}
};

TEST_F(SetRoutesTest, SetsAreNumbersOrTexts) {
  std::optional<GroupsOutput> sets;
  daemon_.on_run = [&](const RunResult& result) {
    if (result.kernel == "external") sets = std::get<GroupsOutput>(result.output);
  };
  Advance();
  const std::string run = Take();
  EXPECT_EQ(Send("POST", run, R"({"sets": {"b": "x", "c": 7, "a": "x"}})").status, 200);
  AwaitEnd();
  ASSERT_TRUE(sets);
  EXPECT_EQ(sets->groups, 2u);
  EXPECT_EQ(sets->top.at(0).key, VertexKey("a"));
  EXPECT_EQ(sets->top.at(0).count, 2u);
}

class RowRoutesTest : public WorkRoutesTest {
 protected:
  RowRoutesTest() : WorkRoutesTest(ExternalAnswers::kRows) {}

  // Gives `body` to the first run; the result of that.
  ChangesOutput Given(const std::string& body) {
    std::optional<ChangesOutput> rows;
    daemon_.on_run = [&](const RunResult& result) {
      if (result.kernel == "external") rows = std::get<ChangesOutput>(result.output);
    };
    Advance();
    const HttpResponse given = Send("POST", Take(), body);
    EXPECT_EQ(given.status, 200) << given.body;
    AwaitEnd();
    return rows.value_or(ChangesOutput());
  }
};

TEST_F(RowRoutesTest, RowsAreColumnsOfIds) {
  const ChangesOutput rows =
      Given(R"({"rows": {"sources": [0, 2], "targets": [1, 0], "scores": [-1, 3.5]}})");
  EXPECT_EQ(rows.pairs, 2u);
  ASSERT_EQ(rows.first.size(), 2u);
  EXPECT_EQ(rows.first[0].source, VertexKey("c"));
  EXPECT_EQ(rows.first[0].target, VertexKey("a"));
  EXPECT_EQ(rows.first[0].score, 3.5);
  EXPECT_EQ(rows.first[1].score, -1);
}

TEST_F(RowRoutesTest, OrObjectsByKeyWithoutScores) {
  const ChangesOutput rows =
      Given(R"({"rows": [{"source": "c", "target": "b"}, {"target": "c", "source": "b"}]})");
  ASSERT_EQ(rows.first.size(), 2u);
  EXPECT_EQ(rows.first[0].source, VertexKey("b"));
  EXPECT_FALSE(rows.first[0].score);
}

TEST_F(RowRoutesTest, NoRowsAreAnAnswerToo) { EXPECT_EQ(Given(R"({"rows": []})").pairs, 0u); }

TEST_F(RowRoutesTest, NestingIsBounded) {
  const std::string endless =
      R"({"rows": {"sources": [)" + testing::NestedLists() + R"(], "targets": [0]}})";
  const std::pair<const char*, const char*> wrong[] = {
      {endless.c_str(), "nested too deeply"},
      {R"({"rows": {"sources": [[0]], "targets": [0]}})", "of row 0 is not an id: a list"},
      {R"({"rows": {"sources": [0], "targets": [{}]}})", "of row 0 is not an id: an object"}};
  const std::string run = FailWith(wrong);
  EXPECT_EQ(Send("POST", run, R"({"rows": []})").status, 200);
  AwaitEnd();
}

TEST_F(RowRoutesTest, WrongRowsFailTheRunAndSayWhy) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"rows": 7})", "the rows are neither an object"},
      {R"({"rows": {"sources": [0], "target": [1]}})", "the rows are neither an object"},
      {R"({"rows": {"sources": [0], "targets": [1], "more": []}})", "are neither an object"},
      {R"({"rows": {"sources": 0, "targets": [1]}})", "the rows are neither an object"},
      {R"({"rows": {"sources": [0, 1], "targets": [1]}})", "it has 2 sources and 1 targets"},
      {R"({"rows": {"sources": [0], "targets": [3]}})", "row 0 names the id 3"},
      {R"({"rows": {"sources": [0], "targets": [-1]}})", "the target of row 0 is not an id: -1"},
      {R"({"rows": {"sources": ["a"], "targets": [0]}})", "source of row 0 is not an id: \"a\""},
      {R"({"rows": {"sources": [4294967296], "targets": [0]}})", "source of row 0 is not an id"},
      {R"({"rows": {"sources": [0.5], "targets": [0]}})", "the source of row 0 is not an id: 0.5"},
      {R"({"rows": {"sources": [0], "targets": [1], "scores": []}})", "it has no scores"},
      {R"({"rows": {"sources": [0], "targets": [1], "scores": [1, 2]}})", "2 scores for 1 rows"},
      {R"({"rows": {"sources": [0], "targets": [1], "scores": [null]}})", "is not a number"},
      {R"({"rows": {"sources": [0], "targets": [1], "scores": [NaN]}})", "that is NaN or infinite"},
      {R"({"rows": {"sources": [0, 0], "targets": [1, 1]}})", "row 1 has a pair that an earlier"},
      {R"({"rows": [7]})", "the rows are neither an object"},
      {R"({"rows": [{"source": "a"}]})", "row 0: `target` is not a key"},
      {R"({"rows": [{"source": "a", "target": ["b"]}]})", "row 0: `target` is not a key"},
      {R"({"rows": [{"source": "a", "target": "x"}]})", "row 0: key 'x' is not in the window"},
      {R"({"rows": [{"source": 7, "target": "a"}]})", "row 0: key '7' is not in the window"},
      {R"({"rows": [{"source": "a", "target": "b", "weight": 1}]})", "row 0 has another member"},
      {R"({"rows": [{"source": "a", "target": "b", "score": "1"}]})", "row 0 is not a number"},
      {R"({"rows": [{"source": "a", "target": "b", "score": 1}, {"source": "b", "target": "a"}]})",
       "row 1 does not have a score"},
      {R"({"rows": [{"source": "a", "target": "b"}, {"source": "b", "target": "a", "score": 1}]})",
       "row 1 has a score"},
      {R"({"scores": [1, 2, 3]})", "it must have one member, `rows` or `error`"}};
  const std::string run = FailWith(wrong);
  std::string many = R"({"rows": {"sources": [0)";
  for (std::size_t i = 0; i < ExternalAnswer::kMostRows; ++i) many += ",0";
  std::string targets = many.substr(many.find('['));
  many += R"(], "targets": )" + targets + "]}}";
  EXPECT_THAT(Message(Send("POST", run, many), 422), HasSubstr("1000001 rows; 1000000 is the"));
  AwaitFailures(std::size(wrong) + 1);
  EXPECT_EQ(Status().runs, 0u);
}

TEST(WorkAccessTest, WorkNeedsTheTokenForChanges) {
  const SystemClock clock;
  Access access(AccessTokens{"reader-reader-reader", "admin-admin-admin-a"}, clock);
  HttpRequest request{.method = "GET", .path = {"api", "v1", "jobs", "j", "work"}};
  request.headers["authorization"] = "Bearer reader-reader-reader";
  request.client = "127.0.0.1";
  ASSERT_TRUE(access.Admit(request));
  EXPECT_EQ(access.Admit(request)->status, 403);
  request.headers["authorization"] = "Bearer admin-admin-admin-a";
  EXPECT_FALSE(access.Admit(request));
}

}  // namespace
}  // namespace sash
