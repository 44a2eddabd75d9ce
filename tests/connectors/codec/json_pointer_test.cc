#include "connectors/codec/json_pointer.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

TEST(JsonPointerTest, PointersShareTheNodesOfTheirCommonPath) {
  PointerNode root;
  ASSERT_TRUE(AddPointer("/edge/from", 0, root).ok());
  ASSERT_TRUE(AddPointer("/edge/to", 1, root).ok());
  ASSERT_EQ(root.children.size(), 1u);
  EXPECT_EQ(root.children[0].name, "edge");
  EXPECT_EQ(root.children[0].below, 3u);
  ASSERT_EQ(root.children[0].children.size(), 2u);
  EXPECT_EQ(root.children[0].children[1].here, 2u);
}

TEST(JsonPointerTest, UnescapesTildeAndSlash) {
  PointerNode root;
  ASSERT_TRUE(AddPointer("/b~1c/~01/", 0, root).ok());
  const PointerNode& first = root.children.at(0);
  EXPECT_EQ(first.name, "b/c");
  EXPECT_EQ(first.children.at(0).name, "~1");
  EXPECT_EQ(first.children.at(0).children.at(0).name, "");
}

TEST(JsonPointerTest, IndicesHaveNoLeadingZeros) {
  PointerNode root;
  ASSERT_TRUE(AddPointer("/10/010/-/0", 0, root).ok());
  const PointerNode* node = &root.children.at(0);
  EXPECT_EQ(node->index, 10u);
  node = &node->children.at(0);
  EXPECT_EQ(node->index, std::nullopt);
  node = &node->children.at(0);
  EXPECT_EQ(node->index, std::nullopt);
  node = &node->children.at(0);
  EXPECT_EQ(node->index, 0u);
}

TEST(JsonPointerTest, KnowsAsManyFieldsAsAScannerHas) {
  PointerNode root;
  ASSERT_TRUE(AddPointer("/last", 63, root).ok());
  EXPECT_EQ(root.below, FieldSet{1} << 63);
}

TEST(JsonPointerTest, NoPointerLeadsIntoAnArrayThatIsScannedByElement) {
  PointerNode root;
  ASSERT_TRUE(AddPointer("/a/b", 0, root).ok());
  ASSERT_TRUE(AddArray("/a/l", 1, root).ok());
  EXPECT_TRUE(root.children.at(0).children.at(1).is_each);
  EXPECT_FALSE(root.children.at(0).children.at(0).is_each);
  ASSERT_TRUE(AddPointer("/b/0/c", 2, root).ok());
  EXPECT_FALSE(AddArray("/b", 3, root).ok());
  EXPECT_TRUE(AddArray("/a", 4, root).ok());  // "b" and "l" are members of objects
}

TEST(JsonPointerTest, RefusesWhatIsNoPointer) {
  for (const char* text : {"from", "a/b", "/a~", "/a~2", "~1", "/~"}) {
    PointerNode root;
    EXPECT_FALSE(AddPointer(text, 0, root).ok()) << text;
  }
}

}  // namespace
}  // namespace sash
