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

TEST(JsonPointerTest, RefusesWhatIsNoPointer) {
  for (const char* text : {"from", "a/b", "/a~", "/a~2", "~1", "/~"}) {
    PointerNode root;
    EXPECT_FALSE(AddPointer(text, 0, root).ok()) << text;
  }
}

}  // namespace
}  // namespace sash
