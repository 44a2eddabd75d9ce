// Large answers: a cut list says so, and a long answer is streamed.
#include "daemon/http/large_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "connectors/sinks/result_json.h"
#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

constexpr int kVertices = 6000;
const std::string kResults = "/api/v1/jobs/ranks/results";

// The whole body, sent at once or streamed. `largest` receives the size of the largest piece.
std::string BodyOf(const HttpResponse& answer, std::size_t* largest = nullptr) {
  if (!answer.stream) return answer.body;
  std::string body;
  while (const auto piece = answer.stream->Next()) {
    if (largest != nullptr) *largest = std::max(*largest, piece->size());
    body += *piece;
  }
  return body;
}

// How often `member` is in a long body. Parsing it takes half a minute under AddressSanitizer.
std::size_t CountOf(const std::string& member, const std::string& body) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = body.find('"' + member + "\":", at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

class LargeAnswerTest : public ::testing::Test {
 protected:
  LargeAnswerTest() : api_(Surroundings()) {}

  ApiSurroundings Surroundings() {
    ApiSurroundings around = daemon_.surroundings();
    around.result = [this](const CompletedRun& run, const Listing& listing) {
      return ResultPieces(run, listing, daemon_.keys);
    };
    return around;
  }

  // Publishes a window with a ring of edges.
  void Advance() {
    for (int i = 0; i < kVertices; ++i) {
      daemon_.Add("v" + std::to_string(i), "v" + std::to_string((i + 1) % kVertices), 1);
    }
    daemon_.EndSource();
  }

  // Keeps a result of a later snapshot with `rows` rows.
  void Keep(std::uint64_t snapshot, std::size_t rows) {
    const CompletedRun run = *daemon_.history.Latest("ranks");
    auto result = std::make_shared<RunResult>(*run.result);
    result->provenance.snapshot = SnapshotId{snapshot};
    auto& top = std::get<PageRankOutput>(result->output).top;
    top.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      top.push_back({.key = std::to_string(snapshot + i), .rank = i + 1, .score = 0.5});
    }
    daemon_.history.Add({std::move(result), nullptr, nullptr});
  }

  Json Parsed(const std::string& target) { return Json::parse(BodyOf(api_.Get(target))); }

  TinyDaemon daemon_;
  const RouteAnswers api_;
};

TEST_F(LargeAnswerTest, ListsOfResultsTellTwentyRowsAndHowManyThereAre) {
  Advance();
  const Json results = Parsed(kResults);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].at("top").size(), 20u);
  EXPECT_EQ(results[0].at("truncated"), true);
  EXPECT_EQ(results[0].at("rows"), 50);
  const Json whole = Parsed(kResults + "?top=50")[0];
  EXPECT_EQ(whole.at("top").size(), 50u);
  EXPECT_FALSE(whole.contains("truncated"));
  EXPECT_FALSE(whole.contains("rows"));
}

TEST_F(LargeAnswerTest, OneResultListsWhatTheJobDoesUnlessItIsAskedForMoreOrLess) {
  Advance();
  for (const char* one : {"/latest", "/1"}) {
    const Json result = Parsed(kResults + one);
    EXPECT_EQ(result.at("top").size(), 50u);
    EXPECT_FALSE(result.contains("truncated"));
    EXPECT_EQ(Parsed(kResults + one + "?top=7").at("top").size(), 7u);
    EXPECT_EQ(Parsed(kResults + one + "?top=7").at("truncated"), true);
  }
  EXPECT_EQ(Parsed(kResults + "/latest?top=7").at("rows"), kVertices);
  EXPECT_EQ(Parsed(kResults + "/1?top=7").at("rows"), 50);
  const Json all = Parsed(kResults + "/latest?top=1000000");
  EXPECT_EQ(all.at("top").size(), std::size_t{kVertices});
  EXPECT_FALSE(all.contains("truncated"));
}

TEST_F(LargeAnswerTest, PagesOfAResultFollowEachOtherUpToItsLastRow) {
  Advance();
  const Json all = Parsed(kResults + "/latest?top=1000000").at("top");
  Json joined = Json::array();
  for (std::size_t offset = 0; offset < all.size(); offset += 1500) {
    const Json page = Parsed(kResults + "/latest?top=1500&offset=" + std::to_string(offset));
    EXPECT_EQ(page.at("truncated"), true);
    EXPECT_EQ(page.at("rows"), kVertices);
    for (const Json& row : page.at("top")) joined.push_back(row);
  }
  EXPECT_EQ(joined, all);
  const Json behind = Parsed(kResults + "/latest?top=5&offset=1000000");
  EXPECT_EQ(behind.at("top"), Json::array());
  EXPECT_EQ(behind.at("rows"), kVertices);
  // Without a number of rows: as many as the job lists.
  EXPECT_EQ(Parsed(kResults + "/latest?offset=20").at("top").size(), 50u);
  EXPECT_EQ(Parsed(kResults + "/latest?offset=20").at("top")[0], all[20]);
  const Json whole = Parsed(kResults + "/latest?top=1000000&offset=0");
  EXPECT_EQ(whole.at("top"), all);
  EXPECT_FALSE(whole.contains("truncated"));
}

TEST_F(LargeAnswerTest, AnOlderResultHasPagesOfTheRowsThatItKept) {
  Advance();
  Keep(101, 60);
  const Json page = Parsed(kResults + "/101?top=50&offset=40");
  EXPECT_EQ(page.at("top").size(), 20u);
  const Json whole = Parsed(kResults + "/101?top=60");
  EXPECT_EQ(page.at("top")[0], whole.at("top")[40]);
  EXPECT_EQ(page.at("rows"), 60);
  const HttpResponse rows = api_.Get(kResults + "/101?top=50&offset=40&format=jsonl");
  EXPECT_EQ(RouteAnswers::Header(rows, "Sash-Rows"), "60");
  EXPECT_EQ(RouteAnswers::Header(rows, "Sash-Truncated"), "true");
  EXPECT_EQ(CountOf("vertex", BodyOf(rows)), 20u);
  EXPECT_EQ(api_.Get(kResults + "/latest?offset=1000001").status, 400);
  EXPECT_EQ(api_.Get(kResults + "/latest?offset=-1").status, 400);
}

TEST_F(LargeAnswerTest, ALongAnswerIsStreamedInPiecesAndHasNoTag) {
  Advance();
  const HttpResponse answer = api_.Get(kResults + "/latest?top=6000");
  ASSERT_NE(answer.stream, nullptr);
  EXPECT_EQ(RouteAnswers::Header(answer, "ETag"), "");
  std::size_t largest = 0;
  const std::string body = BodyOf(answer, &largest);
  EXPECT_LE(largest, LargeAnswers::kWhole + 1000);
  EXPECT_GT(body.size(), LargeAnswers::kWhole);
  EXPECT_EQ(body, ResultJson(*daemon_.history.Latest("ranks"), {.top = 6000}, daemon_.keys) + "\n");
}

TEST_F(LargeAnswerTest, APageOfManyRowsEndsEarlyAndTheLinkLeadsOn) {
  Advance();
  for (const std::uint64_t snapshot : {101, 102, 103}) Keep(snapshot, 60'000);
  const HttpResponse page = api_.Get(kResults + "?limit=60&top=100000");
  const std::string results = BodyOf(page);
  EXPECT_EQ(CountOf("snapshot", results), 2u);
  EXPECT_THAT(results, HasSubstr("\"snapshot\":103"));
  EXPECT_THAT(results, HasSubstr("\"snapshot\":102"));
  EXPECT_EQ(CountOf("vertex", results), 2 * 60'000u);
  EXPECT_EQ(RouteAnswers::Header(page, "Link"),
            "<" + kResults + "?before=102&limit=60&top=100000>; rel=\"next\"");
  const std::string rest = BodyOf(api_.Get(kResults + "?limit=60&top=100000&before=102"));
  EXPECT_EQ(CountOf("snapshot", rest), 2u);
}

TEST_F(LargeAnswerTest, AnAnswerEndsAtItsBoundsAndSaysSo) {
  Advance();
  Keep(101, 150'000);
  const std::string result = BodyOf(api_.Get(kResults + "/101"));
  EXPECT_EQ(CountOf("vertex", result), LargeAnswers::kMostRows);
  EXPECT_THAT(result, HasSubstr("\"truncated\":true"));
  EXPECT_THAT(result, HasSubstr("\"rows\":150000"));
}

TEST_F(LargeAnswerTest, OnlySoManyAreStreamedAtATime) {
  Advance();
  std::vector<HttpResponse> answers;
  for (int i = 0; i < LargeAnswers::kMostStreamed; ++i) {
    answers.push_back(api_.Get(kResults + "/latest?top=6000"));
    EXPECT_EQ(answers.back().status, 200);
  }
  const HttpResponse refused = api_.Get(kResults + "/latest?top=6000");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(RouteAnswers::Header(refused, "Retry-After"), "10");
  EXPECT_EQ(api_.Get(kResults + "/latest").status, 200) << "short answers are not limited";
  answers.pop_back();
  EXPECT_EQ(api_.Get(kResults + "/latest?top=6000").status, 200);
}

TEST_F(LargeAnswerTest, DiffsTellTwentyRowsOfEachListAndHowManyThereAre) {
  Advance();
  Keep(2, 300);
  const Json diff = Parsed("/api/v1/jobs/ranks/diffs")[0];
  EXPECT_EQ(diff.at("entered").size(), 20u);
  EXPECT_EQ(diff.at("left").size(), 20u);
  EXPECT_EQ(diff.at("truncated"), true);
  EXPECT_EQ(diff.at("rows"), Json::parse(R"({"entered":300,"left":50,"changed":0})"));
  const Json latest = Parsed("/api/v1/jobs/ranks/diffs/latest");
  EXPECT_EQ(latest.at("entered").size(), 300u);
  EXPECT_FALSE(latest.contains("truncated"));
  EXPECT_EQ(Parsed("/api/v1/jobs/ranks/diffs/2?top=1").at("left").size(), 1u);
}

}  // namespace
}  // namespace sash
