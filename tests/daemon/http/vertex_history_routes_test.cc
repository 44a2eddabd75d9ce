// The history of a vertex over the kept results of a job.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"
#include "tests/support/named_seed.h"
#include "windows/jobs/rounded_score.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

// All jobs list `top` rows from now on, and keep the vectors of `vectors` results.
void Change(TinyDaemon& daemon, std::size_t top, std::size_t vectors) {
  std::vector<JobSpec> jobs = daemon.jobs;
  for (JobSpec& job : jobs) {
    job.top = top;
    if (HasVectors(job.parameters)) job.keep_vectors = vectors;
  }
  daemon.scheduler.ChangeJobs(jobs);
}

std::vector<JobParameters> SomeKernels() {
  return {WccParameters(),    DegreeParameters(),    StrengthParameters{StrengthDirection::kNet},
          KcoreParameters(),  TrianglesParameters(), SsspParameters{.roots = {std::string("a")}},
          FanoutParameters(), LccParameters(),       HitsParameters{}};
}

std::string Key(std::uint64_t number) { return number == 0 ? "a" : "v" + std::to_string(number); }

class VertexHistoryTest : public ::testing::Test {
 protected:
  static std::string Path(const std::string& job, const std::string& key) {
    return "/api/v1/jobs/" + job + "/vertices/" + key + "/history";
  }
  Json Results(const std::string& job, const std::string& key) {
    return api_.Json(Path(job, key)).at("results");
  }

  TinyDaemon daemon_{KeyKind::kString, {std::string("a")}, SomeKernels()};
  const RouteAnswers api_{daemon_};
};

// Both daemons get the same stream. One lists everything, and the other one row.
TEST_F(VertexHistoryTest, VectorsSayWhatWholeListsSay) {
  const testing::NamedSeed seed;
  std::mt19937 random(seed.value());
  TinyDaemon listing(KeyKind::kString, {std::string("a")}, SomeKernels());
  const RouteAnswers lists(listing);
  Change(daemon_, 1, 6);
  for (int window = 0; window < 8; ++window) {
    for (int i = 0; i < 40; ++i) {
      const std::string source = Key(random() % 30);
      const std::string target = Key(random() % 30);
      const Weight weight = Weight::Integer(1 + static_cast<std::int64_t>(random() % 5));
      for (TinyDaemon* each : {&daemon_, &listing}) {
        each->Add(source, target, 10 * window + 1, weight);
      }
    }
  }
  for (TinyDaemon* each : {&daemon_, &listing}) each->EndSource();
  std::size_t compared = 0;
  std::size_t missing = 0;
  for (const char* job : {"ranks", "reach", "degree", "strength", "kcore", "triangles", "sssp",
                          "fanout", "lcc", "hits"}) {
    const std::string value = job == std::string("reach")  ? "depth"
                              : job == std::string("sssp") ? "distance"
                                                           : "score";
    // By snapshot and rounded value: the first rank that has it.
    std::map<std::pair<std::uint64_t, double>, std::uint64_t> first;
    std::map<std::pair<std::uint64_t, std::string>, Json> listed;
    for (int i = 0; i < 30; ++i) {
      if (lists.Get(Path(job, Key(i))).status != 200) continue;
      const Json whole = lists.Json(Path(job, Key(i)));
      for (const Json& row : whole.at("results")) {
        if (row.at(value).is_null()) continue;
        const std::uint64_t snapshot = row.at("snapshot");
        listed[{snapshot, Key(i)}] = row;
        const std::uint64_t rank = row.at("rank");
        std::uint64_t& least =
            first.try_emplace({snapshot, RoundedScore(row.at(value))}, rank).first->second;
        least = std::min(least, rank);
      }
    }
    for (int i = 0; i < 30; ++i) {
      // A vertex that is in no window now is not found by its id.
      if (api_.Get("/api/v1/windows/now/vertices/" + Key(i)).status != 200) continue;
      const Json results = Results(job, Key(i));
      ASSERT_EQ(results.size(), 8U);
      EXPECT_EQ(results.front().at("snapshot"), 8);
      for (const Json& row : results) {
        const std::uint64_t snapshot = row.at("snapshot");
        if (row.at("known") == false) {
          EXPECT_LE(snapshot, 2U) << "six results have vectors";
          continue;
        }
        const auto expected = listed.find({snapshot, Key(i)});
        if (row.at(value).is_null()) {
          // The vertex had no value, or it has lived again since.
          if (expected == listed.end()) ++missing;
          continue;
        }
        ASSERT_NE(expected, listed.end()) << job << " " << Key(i) << " " << row;
        EXPECT_EQ(row.at(value), expected->second.at(value)) << job << " " << Key(i) << " " << row;
        if (row.at("rank") != 1) {
          EXPECT_EQ(row.at("rank"), (first.at({snapshot, RoundedScore(row.at(value))})))
              << job << " " << Key(i) << " " << row << expected->second;
        }
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500U);
  EXPECT_GT(missing, 0U);
}

// The newest vertex gets the id of one that has left.
TEST_F(VertexHistoryTest, AnIdThatWasRecycledTellsNothingOfTheVertexBefore) {
  Change(daemon_, 1, 10);
  for (int i = 0; i < 6; ++i) {
    daemon_.Add("w" + std::to_string(i), std::string("a"), 10 * i + 1);
    daemon_.Add(std::string("b"), std::string("a"), 10 * i + 1);
    daemon_.Process();
  }
  daemon_.EndSource();
  ASSERT_LT(daemon_.keys.id_limit(), 7U) << "no id was recycled";
  const Json results = Results("degree", "w5");
  ASSERT_EQ(results.size(), 6U);
  EXPECT_EQ(results[0].at("score"), 1);
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_TRUE(results[i].at("score").is_null()) << results[i];
    EXPECT_EQ(results[i].at("known"), true);
  }
  // A vertex that was there all the time, and one that has left and is in no list.
  for (const Json& row : Results("degree", "b")) EXPECT_EQ(row.at("score"), 1) << row;
  EXPECT_THAT(api_.ErrorMessage(Path("degree", "w1"), 404), HasSubstr("neither in a window nor"));
}

TEST_F(VertexHistoryTest, AVertexOfASetHasItsSize) {
  Change(daemon_, 1, 3);
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.Add(std::string("c"), std::string("b"), 1);
  daemon_.Add(std::string("x"), std::string("y"), 1);
  daemon_.Add(std::string("x"), std::string("y"), 11);
  daemon_.EndSource();
  EXPECT_EQ(api_.Json(Path("wcc", "y")), Json::parse(R"({"job": "wcc", "vertex": "y", "results": [
    {"snapshot": 2, "window_start": "2026-01-01T00:00:10.000Z",
     "window_end": "2026-01-01T00:00:20.000Z", "size": 2, "rank": null, "known": true},
    {"snapshot": 1, "window_start": "2026-01-01T00:00:00.000Z",
     "window_end": "2026-01-01T00:00:10.000Z", "size": 2, "rank": null, "known": true}]})"));
}

TEST_F(VertexHistoryTest, WithoutVectorsListsAreWhatIsKnown) {
  for (int i = 0; i < 3; ++i) daemon_.Add(std::string("a"), Key(7 + i), 10 * i + 1);
  daemon_.EndSource();
  const Json all = Results("ranks", "v7");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].at("known"), false);
  EXPECT_EQ(all[2].at("known"), true);
  EXPECT_EQ(all[2].at("rank"), 1);
  const HttpResponse page = api_.Get(Path("ranks", "a") + "?limit=1&format=csv");
  EXPECT_THAT(page.body, HasSubstr("snapshot,window_start,window_end,score,rank,known\r\n3,"));
  EXPECT_THAT(RouteAnswers::Header(page, "Link"), HasSubstr("before=3"));
  EXPECT_EQ(api_.Json(Path("ranks", "a") + "?before=2").at("results").size(), 1U);
}

TEST_F(VertexHistoryTest, WhatHasNoHistorySaysWhy) {
  EXPECT_THAT(api_.ErrorMessage(Path("ranks", "a"), 404), HasSubstr("no result yet"));
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.EndSource();
  EXPECT_THAT(api_.ErrorMessage(Path("ranks", "zz"), 404), HasSubstr("neither in a window nor"));
  EXPECT_THAT(api_.ErrorMessage(Path("split", "a"), 404), HasSubstr("not one list of vertices"));
  EXPECT_THAT(api_.ErrorMessage(Path("shape", "a"), 404), HasSubstr("not one list of vertices"));
  EXPECT_EQ(api_.Get(Path("ranks", "a") + "?limit=1001").status, 400);
  EXPECT_THAT(api_.ErrorMessage("/api/v1/jobs/ranks/history", 400), HasSubstr("key is missing"));
  EXPECT_EQ(api_.Get("/api/v1/jobs/ranks/history?key=a").status, 200);
}

}  // namespace
}  // namespace sash
