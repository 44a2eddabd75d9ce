#include "windows/base/sort_distinct.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// Few and many: the ids of long lists are sorted in another way.
TEST(SortDistinctTest, MakesASetOfIds) {
  for (const std::size_t count : {0, 1, 2, 40, 1023, 1024, 5000}) {
    std::mt19937_64 random(count);
    std::vector<VertexId> ids;
    for (std::size_t i = 0; i < count; ++i) {
      ids.push_back(static_cast<VertexId>(random() % (2 * count)));
    }
    const std::set<VertexId> expected(ids.begin(), ids.end());
    SortDistinct(ids);
    EXPECT_THAT(ids, ElementsAreArray(expected)) << count;
    SortDistinct(ids);  // now in order
    EXPECT_THAT(ids, ElementsAreArray(expected)) << count;
  }
}

TEST(SortDistinctTest, MakesASetOfTexts) {
  std::vector<std::string> texts = {"b", "a", "b", "c", "a"};
  SortDistinct(texts);
  EXPECT_THAT(texts, ElementsAre("a", "b", "c"));
}

TEST(SortDistinctTest, RemovesCopiesOfValuesThatAreInOrder) {
  std::vector<double> scores = {-1, -1, 0, 2.5, 2.5};
  SortDistinct(scores);
  EXPECT_THAT(scores, ElementsAre(-1, 0, 2.5));
}

}  // namespace
}  // namespace sash
