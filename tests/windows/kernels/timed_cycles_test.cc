#include "windows/kernels/timed_cycles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/seed_range.h"

namespace sash {
namespace {

using Cycle = std::vector<VertexId>;  // without its first vertex at the end

// All that the definition needs: the dates of each pair.
using DatesOfPairs = std::map<std::pair<VertexId, VertexId>, std::set<Date>>;

DatedPairs Dated(const DatesOfPairs& pairs, VertexId ids) {
  DatedPairs dated{.id_limit = ids};
  for (const auto& [pair, dates] : pairs) {
    for (const Date date : dates) dated.Append({pair.first, pair.second}, date);
  }
  return dated;
}

// Every simple cycle of at most `longest` edges, from its least vertex.
std::set<Cycle> AllDatedCycles(const DatesOfPairs& pairs, std::size_t longest) {
  std::set<Cycle> cycles;
  Cycle path;
  const std::function<void(VertexId)> extend = [&](VertexId v) {
    path.push_back(v);
    for (const auto& [pair, dates] : pairs) {
      if (pair.first != v) continue;
      if (pair.second == path.front() && path.size() > 1) cycles.insert(path);
      if (pair.second <= path.front() || path.size() == longest) continue;
      if (std::ranges::find(path, pair.second) == path.end()) extend(pair.second);
    }
    path.pop_back();
  };
  std::set<VertexId> sources;
  for (const auto& [pair, dates] : pairs) sources.insert(pair.first);
  for (const VertexId v : sources) extend(v);
  return cycles;
}

// Whether dates can be chosen that do not fall along the cycle, and of which the last is not before
// `since`: every choice is tried.
bool IsInOrder(const DatesOfPairs& pairs, const Cycle& cycle, Date since) {
  const std::function<bool(std::size_t, Date)> choose = [&](std::size_t i, Date from) {
    const bool is_last = i + 1 == cycle.size();
    for (const Date date : pairs.at({cycle[i], cycle[(i + 1) % cycle.size()]})) {
      if (date < from || (is_last && date < since)) continue;
      if (is_last || choose(i + 1, date)) return true;
    }
    return false;
  };
  return choose(0, 0);
}

// The cycle such that its last pair is the first one that closes it.
std::optional<Cycle> InOrder(const DatesOfPairs& pairs, Cycle cycle, Date since) {
  std::optional<Cycle> found;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    std::ranges::rotate(cycle, cycle.begin() + 1);
    const std::pair closing(cycle.back(), cycle.front());
    if (!IsInOrder(pairs, cycle, since)) continue;
    if (!found || closing < std::pair(found->back(), found->front())) found = cycle;
  }
  return found;
}

struct Expected {
  std::set<Cycle> cycles;
  std::map<std::size_t, std::uint64_t> by_length;
};

Expected Expect(const DatesOfPairs& pairs, Date since, std::size_t longest,
                const std::vector<VertexId>& passes) {
  Expected expected;
  for (const Cycle& cycle : AllDatedCycles(pairs, longest)) {
    const bool passes_all = std::ranges::all_of(
        passes, [&](VertexId v) { return std::ranges::find(cycle, v) != cycle.end(); });
    const std::optional<Cycle> found = InOrder(pairs, cycle, since);
    if (!found || !passes_all) continue;
    expected.cycles.insert(*found);
    ++expected.by_length[found->size()];
  }
  return expected;
}

DatesOfPairs RandomDates(std::uint64_t seed, VertexId ids, Date dates) {
  constexpr std::size_t kEdges[] = {8, 16, 26, 40};
  std::mt19937_64 random(seed);
  DatesOfPairs pairs;
  for (std::size_t i = 0; i < kEdges[seed % 4]; ++i) {
    const auto source = static_cast<VertexId>(random() % ids);
    const auto target = static_cast<VertexId>(random() % ids);
    if (source != target) pairs[{source, target}].insert(static_cast<Date>(random() % dates));
  }
  return pairs;
}

TEST(TimedCyclesTest, AreThoseOfTheDefinition) {
  std::uint64_t several = 0;
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 400});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto ids = static_cast<VertexId>(4 + seed % 5);
    const auto dates = static_cast<Date>(1 + seed % 7);
    const DatesOfPairs pairs = RandomDates(seed, ids, dates);
    const Date since = static_cast<Date>(seed / 3 % (dates + 1));
    const std::size_t longest = 2 + seed % 7;
    std::vector<VertexId> passes;
    if (seed % 5 == 0) passes.push_back(static_cast<VertexId>(seed % ids));
    const Expected expected = Expect(pairs, since, longest, passes);
    const CyclesResult found = TimedCycles(Dated(pairs, ids), since,
                                           {.longest = static_cast<int>(longest),
                                            .passes = passes,
                                            .most_steps = 1'000'000'000,
                                            .listed = 1'000'000});
    EXPECT_FALSE(found.truncated);
    EXPECT_EQ(found.cycles, expected.cycles.size());
    EXPECT_EQ(std::set(found.first.begin(), found.first.end()), expected.cycles);
    EXPECT_EQ(found.first.size(), expected.cycles.size());  // each once
    for (const auto& [length, cycles] : expected.by_length) {
      EXPECT_EQ(found.by_length[length], cycles) << length;
    }
    several += expected.cycles.size() > 3 ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(several, seeds.count / 10);
}

TEST(TimedCyclesTest, AnEdgeIsNotOlderThanTheOneBeforeIt) {
  const DatesOfPairs round{{{0, 1}, {1}}, {{1, 2}, {2}}, {{2, 0}, {3}}};
  const CyclesResult found = TimedCycles(Dated(round, 3), 3);
  EXPECT_EQ(found.first, std::vector<Cycle>({{0, 1, 2}}));
  EXPECT_EQ(found.entered, 1u);
  const DatesOfPairs against{{{0, 1}, {2}}, {{1, 2}, {1}}, {{2, 0}, {3}}};
  EXPECT_EQ(TimedCycles(Dated(against, 3), 3).cycles, 0u);
}

TEST(TimedCyclesTest, AnEdgeThatComesAgainClosesTheCycleAgain) {
  const DatesOfPairs pairs{{{0, 1}, {1, 4}}, {{1, 2}, {2}}, {{2, 0}, {3}}};
  EXPECT_EQ(TimedCycles(Dated(pairs, 3), 4).first, std::vector<Cycle>({{1, 2, 0}}));
}

TEST(TimedCyclesTest, StepsAreUsedUpAtTheSameCycleWithAnyNumberOfThreads) {
  const DatesOfPairs pairs = RandomDates(7, 8, 3);
  const DatedPairs dated = Dated(pairs, 8);
  const std::uint64_t all = TimedCycles(dated, 0, {.longest = 8}).steps;
  ASSERT_GT(all, 50u);
  for (std::uint64_t most = 1; most < all; most += 7) {
    const CyclesResult one =
        TimedCycles(dated, 0, {.longest = 8, .most_steps = most, .threads = 1});
    const CyclesResult four =
        TimedCycles(dated, 0, {.longest = 8, .most_steps = most, .threads = 4});
    EXPECT_TRUE(one.truncated);
    EXPECT_EQ(one.steps, most);
    EXPECT_EQ(one.first, four.first) << most;
    EXPECT_EQ(one.cycles, four.cycles) << most;
  }
}

}  // namespace
}  // namespace sash
