#include "windows/store/lists/list_page.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sash {
namespace {

TEST(ListPageTest, APartOfAnyRangeEndsWithItsPageOrWithTheRange) {
  EXPECT_EQ(ListPage::EndOnPage(0, 1000), 256u);
  EXPECT_EQ(ListPage::EndOnPage(255, 1000), 256u);
  EXPECT_EQ(ListPage::EndOnPage(256, 1000), 512u);
  EXPECT_EQ(ListPage::EndOnPage(900, 1000), 1000u);
  EXPECT_EQ(ListPage::EndOnPage(900, 1024), 1024u);
}

TEST(ListPageTest, TheLastPageOfAllIdsEndsWithTheRange) {
  constexpr VertexId kLastPage = 0xFFFF'FF00;
  EXPECT_EQ(ListPage::EndOnPage(kLastPage - 1, kNoVertex), kLastPage);
  EXPECT_EQ(ListPage::EndOnPage(kLastPage, kNoVertex), kNoVertex);
  EXPECT_EQ(ListPage::EndOnPage(kNoVertex - 1, kNoVertex), kNoVertex);
}

}  // namespace
}  // namespace sash
