#include "windows/jobs/groups.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

TEST(GroupsTest, AreNamedByTheirLeastKeyWhateverTheIds) {
  VertexDictionary keys(KeyKind::kString);
  for (const char* key : {"z", "m", "gone", "a", "n"}) VertexDictionary::Writer(keys).Intern(key);
  const std::vector<VertexId> vertices = {0, 1, 3, 4};
  std::vector<VertexId> groups = {0, 1, kNoVertex, 0, 1};  // {z, a} and {m, n}
  NameByLeastKey(vertices, keys, groups);
  EXPECT_EQ(groups, (std::vector<VertexId>{3, 1, kNoVertex, 3, 1}));
}

TEST(GroupsTest, AGroupCanGoByAVertexThatIsInAnother) {
  const std::vector<VertexId> vertices = {0, 1, 3};
  const GroupSizes counted = CountMembers(vertices, {1, 0, kNoVertex, 0});
  EXPECT_EQ(counted.groups, (std::vector<VertexId>{0, 1}));
  EXPECT_EQ(counted.sizes, (std::vector<std::uint64_t>{2, 1, 0, 0}));
}

}  // namespace
}  // namespace sash
