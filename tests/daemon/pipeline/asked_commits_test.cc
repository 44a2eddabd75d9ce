#include "daemon/pipeline/asked_commits.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

RewindPoint PointAt(std::int64_t offset, std::int64_t published) {
  RewindPoint point;
  point.positions.push_back({0, offset, {}});
  point.published["w"] = published;
  return point;
}

TEST(AskedCommitsTest, KnowsUpToWhichAdvanceAnAcknowledgedCommitReaches) {
  AskedCommits asked;
  EXPECT_EQ(asked.Acknowledged(std::nullopt), 0u);
  // Offsets stay the same while the first window fills: only the published advances differ.
  for (std::int64_t i = 1; i <= 5; ++i) asked.Ask(static_cast<std::uint64_t>(i), PointAt(0, i));
  EXPECT_EQ(asked.Acknowledged(PointAt(7, 7)), 0u) << "a commit of an earlier process";
  EXPECT_EQ(asked.Acknowledged(PointAt(0, 3)), 3u);
  EXPECT_EQ(asked.Acknowledged(PointAt(0, 3)), 3u);
  asked.Ask(6, PointAt(1, 6));
  EXPECT_EQ(asked.Acknowledged(PointAt(0, 5)), 5u);
  EXPECT_EQ(asked.Acknowledged(PointAt(1, 6)), 6u);
}

}  // namespace
}  // namespace sash
