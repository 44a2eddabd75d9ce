#include "tests/bench/tree_check.h"

#include <gtest/gtest.h>

#include <vector>

namespace sash::bench {
namespace {

constexpr VertexId kNone = kNoVertex;

// A square 0-1-2-3 with a tail 2-4 and a self-loop; 5 and 6 lie apart.
class TreeCheckTest : public ::testing::Test {
 protected:
  std::optional<std::string> Error() const {
    return TreeError({sources_, targets_}, {0, depths_, parents_});
  }

  std::vector<VertexId> sources_ = {0, 2, 3, 0, 4, 1, 5};
  std::vector<VertexId> targets_ = {1, 1, 2, 3, 2, 1, 6};
  std::vector<std::int32_t> depths_ = {0, 1, 2, 1, 3, -1, -1};
  std::vector<VertexId> parents_ = {kNone, 0, 1, 0, 2, kNone, kNone};
};

TEST_F(TreeCheckTest, AcceptsEitherParent) {
  EXPECT_EQ(Error(), std::nullopt);
  parents_[2] = 3;
  EXPECT_EQ(Error(), std::nullopt);
}

TEST_F(TreeCheckTest, CountsParallelEdgesAndSelfLoopsOfTheComponent) {
  EXPECT_EQ(TraversedEdges({sources_, targets_}, depths_), 6u);
}

TEST_F(TreeCheckTest, RejectsARootThatIsNone) {
  depths_[0] = 1;
  EXPECT_EQ(Error(), "vertex 0 is not a root");
}

TEST_F(TreeCheckTest, RejectsADepthWithoutAParent) {
  parents_[4] = kNone;
  EXPECT_EQ(Error(), "vertex 4 has a depth or a parent, but not both");
}

TEST_F(TreeCheckTest, RejectsACycle) {
  parents_[1] = 2;
  EXPECT_EQ(Error(), "vertex 1 is not one step from its parent 2");
}

TEST_F(TreeCheckTest, RejectsAParentWithoutAnEdge) {
  sources_[4] = 3;
  targets_[4] = 2;
  EXPECT_EQ(Error(), "no edge joins 4 with its parent 2");
}

TEST_F(TreeCheckTest, RejectsAnEdgeOverTwoLevels) {
  sources_.push_back(0);
  targets_.push_back(2);
  EXPECT_EQ(Error(), "the edge from 0 to 2 crosses more than a level");
}

TEST_F(TreeCheckTest, RejectsATreeThatLacksAVertexOfItsComponent) {
  depths_[4] = -1;
  parents_[4] = kNone;
  EXPECT_EQ(Error(), "the edge from 4 to 2 leaves the tree");
}

}  // namespace
}  // namespace sash::bench
