#include "daemon/http/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sash {
namespace {

constexpr std::size_t kFar = std::numeric_limits<std::int64_t>::max();

TEST(PageTest, PagesCoverAListOnceAndTheLastHasNoNext) {
  for (std::size_t size = 0; size < 12; ++size) {
    for (std::size_t limit = 1; limit < 14; ++limit) {
      std::vector<std::size_t> seen;
      Page page{0, limit};
      for (;;) {
        for (std::size_t i = page.begin(size); i < page.end(size); ++i) seen.push_back(i);
        if (!page.has_next(size)) break;
        page.offset = page.end(size);
      }
      ASSERT_EQ(seen.size(), size) << "limit " << limit;
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(seen[i], i);
    }
  }
}

TEST(PageTest, BeyondTheEndThereIsNothing) {
  for (const Page page : {Page{5, 3}, Page{6, 3}, Page{kFar, 10}, Page{kFar, kFar}, Page{0, 0}}) {
    EXPECT_EQ(page.begin(5), page.end(5));
    EXPECT_FALSE(page.has_next(5));
  }
  EXPECT_EQ((Page{2, kFar}.end(5)), 5u);
}

TEST(PageTest, TheNextRequestIsTheSameWithAnotherPlace) {
  HttpRequest request{.method = "GET",
                      .path = {"api", "a/b ä", "x"},
                      .query = {{"key", "1+1&2"}, {"limit", "5"}, {"offset", "10"}}};
  HttpResponse response;
  LinkNext(response, request, "offset", 15);
  EXPECT_THAT(
      response.headers,
      ::testing::ElementsAre(std::pair(
          "Link", "</api/a%2Fb%20%C3%A4/x?key=1%2B1%262&limit=5&offset=15>; rel=\"next\"")));
}

TEST(PageTest, ValuesOutOfBoundsAreRefusedByName) {
  HttpRequest request{.method = "GET", .query = {{"limit", "11"}}};
  EXPECT_THAT(RequestedPage(request, {5, 10}).error().message,
              ::testing::HasSubstr("limit: must be"));
  request.query = {{"offset", "-1"}};
  EXPECT_THAT(RequestedPage(request, {5, 10}).error().message,
              ::testing::HasSubstr("offset: must be"));
  request.query = {};
  EXPECT_EQ(RequestedPage(request, {5, 10}).value().limit, 5u);
}

}  // namespace
}  // namespace sash
