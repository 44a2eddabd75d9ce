#include "windows/jobs/groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/named_seed.h"

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

// Random sets, read page by page from a random key on.
TEST(GroupsTest, PagesOfMembersFollowEachOtherInTheOrderOfKeys) {
  const testing::NamedSeed seed;
  std::mt19937 random(seed.value());
  VertexDictionary keys(KeyKind::kString);
  std::vector<VertexId> vertices;
  std::vector<VertexId> groups;
  std::map<VertexId, std::vector<std::string>> members;
  for (int i = 0; i < 300; ++i) {
    const std::string key = std::to_string(random());
    const VertexId id = VertexDictionary::Writer(keys).Intern(key);
    if (id != groups.size()) continue;  // a key that came before
    groups.push_back(static_cast<VertexId>(random() % 3));
    vertices.push_back(id);
    members[groups[id]].push_back(key);
  }
  for (auto& [set, expected] : members) {
    std::ranges::sort(expected);
    std::optional<VertexKey> after;
    const std::size_t first = random() % expected.size();
    if (first > 0) after = expected[first - 1];
    std::vector<std::string> found;
    while (true) {
      const MembersPage page = PageOfMembers(vertices, groups, set, after, 1 + random() % 40, keys);
      ASSERT_EQ(page.size, expected.size());
      ASSERT_EQ(page.following, expected.size() - first - found.size());
      if (page.members.empty()) break;
      for (const VertexId id : page.members) found.emplace_back(keys.TextOf(id));
      after = found.back();
    }
    EXPECT_EQ(found, std::vector<std::string>(expected.begin() + static_cast<std::ptrdiff_t>(first),
                                              expected.end()));
  }
}

}  // namespace
}  // namespace sash
