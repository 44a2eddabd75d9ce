#include "daemon/generate/edge_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<GeneratedEdge> Draw(const EdgeStreamOptions& options, std::size_t count) {
  EdgeStream stream(options);
  std::vector<GeneratedEdge> edges;
  edges.reserve(count);
  while (edges.size() < count) edges.push_back(stream.Next());
  return edges;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> Pairs(
    const std::vector<GeneratedEdge>& edges) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const GeneratedEdge& edge : edges) pairs.emplace_back(edge.source, edge.target);
  return pairs;
}

double Elapsed(const GeneratedEdge& edge, const EdgeStreamOptions& options) {
  return static_cast<double>(edge.time_ms - options.start.count()) / 1000;
}

TEST(EdgeStreamTest, AnotherSeedIsAnotherStream) {
  EdgeStreamOptions options;
  const auto one = Pairs(Draw(options, 1000));
  EXPECT_EQ(one, Pairs(Draw(options, 1000)));
  options.seed = 2;
  EXPECT_NE(one, Pairs(Draw(options, 1000)));
}

TEST(EdgeStreamTest, WeightsAndDisorderLeaveTheGraphAsItIs) {
  EdgeStreamOptions options;
  options.duplicates = 0.2;
  const auto plain = Pairs(Draw(options, 5000));
  options.weights = WeightKind::kReal;
  options.disorder = seconds(2);
  EXPECT_EQ(plain, Pairs(Draw(options, 5000)));
}

TEST(EdgeStreamTest, EventTimeFollowsTheEventRate) {
  EdgeStreamOptions options;
  options.event_rate = 0.5;
  const auto slow = Draw(options, 4);
  EXPECT_EQ(slow[3].time_ms - options.start.count(), 6000);
  options.event_rate = 3'000'000;
  const auto fast = Draw(options, 6001);
  EXPECT_EQ(fast[2999].time_ms, options.start.count());
  EXPECT_EQ(fast[3000].time_ms, options.start.count() + 1);
  EXPECT_EQ(fast[6000].time_ms, options.start.count() + 2);
}

TEST(EdgeStreamTest, AboutTheAskedShareOfEdgesAreDuplicates) {
  EdgeStreamOptions options;
  options.graph = GraphShape::kUniform;
  options.scale = 32;  // 2^64 pairs: a fresh edge never repeats another
  options.duplicates = 0.3;
  options.recent = 500;
  const auto edges = Draw(options, 100'000);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> last;
  std::size_t duplicates = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto [at, fresh] = last.insert_or_assign({edges[i].source, edges[i].target}, i);
    duplicates += fresh ? 0 : 1;
  }
  EXPECT_NEAR(static_cast<double>(duplicates) / 100'000, 0.3, 0.01);
}

TEST(EdgeStreamTest, DuplicatesRepeatNothingOlderThanRecent) {
  EdgeStreamOptions options;
  options.graph = GraphShape::kUniform;
  options.scale = 32;
  options.duplicates = 0.3;
  options.recent = 100;
  const auto edges = Draw(options, 20'000);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> last;
  std::size_t greatest = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::pair pair(edges[i].source, edges[i].target);
    if (const auto found = last.find(pair); found != last.end()) {
      greatest = std::max(greatest, i - found->second);
    }
    last[pair] = i;
  }
  EXPECT_LE(greatest, 100u);
  EXPECT_GT(greatest, 50u);
}

TEST(EdgeStreamTest, DisorderIsBoundedAndUsed) {
  EdgeStreamOptions options;
  options.disorder = milliseconds(500);
  std::int64_t newest = options.start.count();
  std::int64_t furthest_back = 0;
  for (const GeneratedEdge& edge : Draw(options, 50'000)) {
    EXPECT_GE(edge.time_ms, options.start.count());
    furthest_back = std::max(furthest_back, newest - edge.time_ms);
    newest = std::max(newest, edge.time_ms);
  }
  EXPECT_LE(furthest_back, 500);
  EXPECT_GT(furthest_back, 450);
}

TEST(EdgeStreamTest, WithoutDisorderTimesNeverDecrease) {
  EdgeStreamOptions options;
  options.removals = 0.2;
  options.event_rate = 100'000;
  const auto edges = Draw(options, 50'000);
  EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end(),
                             [](const auto& a, const auto& b) { return a.time_ms < b.time_ms; }));
}

class RemovalTest : public ::testing::TestWithParam<double> {};

TEST_P(RemovalTest, ARemovalNamesAnEdgeEmittedBeforeWithALowerTime) {
  EdgeStreamOptions options;
  options.removals = 0.1;
  options.duplicates = 0.1;
  options.disorder = seconds(2);
  options.event_rate = GetParam();
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::int64_t> earliest;
  std::int64_t newest = 0;
  std::size_t removals = 0;
  for (const GeneratedEdge& edge : Draw(options, 100'000)) {
    const std::pair pair(edge.source, edge.target);
    if (edge.operation == Operation::kAdd) {
      const auto [at, fresh] = earliest.emplace(pair, edge.time_ms);
      at->second = std::min(at->second, edge.time_ms);
    } else {
      ++removals;
      ASSERT_TRUE(earliest.contains(pair));
      ASSERT_LT(earliest[pair], edge.time_ms);
    }
    ASSERT_GE(edge.time_ms, newest - 2000);
    newest = std::max(newest, edge.time_ms);
  }
  EXPECT_NEAR(static_cast<double>(removals) / 100'000, 0.1, 0.005);
}

INSTANTIATE_TEST_SUITE_P(AtRates, RemovalTest, ::testing::Values(10, 1000, 1'000'000));

TEST(EdgeStreamTest, NoEdgeIsRemovedTwice) {
  EdgeStreamOptions options;
  options.graph = GraphShape::kUniform;
  options.scale = 32;
  options.removals = 0.5;
  options.recent = 50;
  std::set<std::pair<std::uint64_t, std::uint64_t>> removed;
  for (const GeneratedEdge& edge : Draw(options, 20'000)) {
    if (edge.operation != Operation::kRemove) continue;
    EXPECT_TRUE(removed.emplace(edge.source, edge.target).second);
  }
  EXPECT_GT(removed.size(), 5000u);
}

TEST(EdgeStreamTest, AHubRisesAndFadesInsideItsSpanAndIsAbsentOutside) {
  EdgeStreamOptions options;
  options.duplicates = 0.2;
  options.disorder = seconds(2);
  options.episodes.hubs = {{seconds(30), seconds(60), 0.4}};
  const std::uint64_t hub = (1u << 16) + kEpisodeStride;
  std::vector<double> hits(13);
  std::vector<double> all(13);
  for (const GeneratedEdge& edge : Draw(options, 120'000)) {
    const auto bin = static_cast<std::size_t>(Elapsed(edge, options) / 10);
    all[bin] += 1;
    EXPECT_NE(edge.source, hub);
    if (edge.target == hub) hits[bin] += 1;
  }
  for (const std::size_t outside : {0, 1, 2, 9, 10, 11}) EXPECT_EQ(hits[outside], 0) << outside;
  EXPECT_NEAR(hits[3] / all[3], 0.4 / 6, 0.02);
  EXPECT_NEAR(hits[4] / all[4], 0.4 / 2, 0.02);
  EXPECT_NEAR(hits[5] / all[5], 0.4 * 5 / 6, 0.02);
  EXPECT_NEAR(hits[6] / all[6], 0.4 * 5 / 6, 0.02);
  EXPECT_NEAR(hits[8] / all[8], 0.4 / 6, 0.02);
}

TEST(EdgeStreamTest, ABurstStaysInsideItsGroupAndItsSpan) {
  EdgeStreamOptions options;
  options.episodes.bursts = {{seconds(10), seconds(20), 0.3, 12}};
  options.duplicates = 0.5;
  const std::uint64_t first = (1u << 16) + kEpisodeStride + 1;
  std::set<std::uint64_t> members;
  double hits = 0;
  for (const GeneratedEdge& edge : Draw(options, 60'000)) {
    const bool planted = edge.source >= (1u << 16);
    ASSERT_EQ(planted, edge.target >= (1u << 16));
    if (!planted) continue;
    ++hits;
    EXPECT_NE(edge.source, edge.target);
    EXPECT_GE(Elapsed(edge, options), 10);
    EXPECT_LT(Elapsed(edge, options), 30);
    members.insert(edge.source);
    members.insert(edge.target);
  }
  EXPECT_NEAR(hits / 20'000, 0.3, 0.01);
  EXPECT_EQ(members.size(), 12u);
  EXPECT_EQ(*members.begin(), first);
  EXPECT_EQ(*members.rbegin(), first + 11);
}

TEST(EdgeStreamTest, RepeatedEpisodesHaveVerticesOfTheirOwnInEveryPeriod) {
  EdgeStreamOptions options;
  options.episodes.hubs = {{seconds(0), seconds(5), 0.1}};
  options.episodes.every = seconds(10);
  std::map<std::uint64_t, std::set<int>> periods;  // the periods of each hub
  for (const GeneratedEdge& edge : Draw(options, 40'000)) {
    const std::uint64_t planted = edge.target - (1u << 16);
    if (edge.target < (1u << 16) || planted % kEpisodeStride != 0) continue;
    periods[planted / kEpisodeStride].insert(static_cast<int>(Elapsed(edge, options)) / 10);
  }
  const std::map<std::uint64_t, std::set<int>> expected = {
      {1, {0}}, {2, {0}}, {3, {1}}, {4, {2}}, {5, {3}}};
  EXPECT_EQ(periods, expected);
}

TEST(EdgeStreamTest, RefusesOptionsOutOfRangeByTheNameOnTheCommandLine) {
  const auto message = [](auto change) {
    EdgeStreamOptions options;
    change(options);
    const Status status = Validate(options);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(message([](auto&) {}), "");
  EXPECT_EQ(message([](auto& o) { o.scale = 33; }), "--scale: must be 1 to 32");
  EXPECT_EQ(message([](auto& o) { o.skew = 1; }), "--skew: must be in [0.25, 1)");
  EXPECT_EQ(message([](auto& o) { o.removals = -0.1; }), "--removals: must be a share in [0, 1]");
  EXPECT_EQ(message([](auto& o) {
              o.episodes.bursts = {{seconds(1), seconds(1), 0.5, 1}};
            }),
            "--burst: size must be 2 to 1000");
}

TEST(EdgeStreamDeathTest, AnInvalidScaleIsAProgrammersError) {
  EdgeStreamOptions options;
  options.disorder = seconds(-1);
  EXPECT_DEATH(EdgeStream stream(options), "check failed");
}

}  // namespace
}  // namespace sash
