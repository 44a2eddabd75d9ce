#include "daemon/http/request_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::vector<std::string> PathOf(std::string_view target) {
  Result<RequestTarget> parsed = ParseTarget(target);
  return parsed ? parsed.value().path
                : std::vector<std::string>{"error: " + parsed.error().message};
}

TEST(RequestTargetTest, DecodesSegmentsAfterSplitting) {
  EXPECT_THAT(PathOf("/a%2Fb/c%20d/%22"), ElementsAre("a/b", "c d", "\""));
  EXPECT_THAT(PathOf("/a%3Fb"), ElementsAre("a?b"));
  EXPECT_THAT(PathOf("/"), ElementsAre(""));
  EXPECT_THAT(PathOf("/x//y/"), ElementsAre("x", "", "y", ""));
}

TEST(RequestTargetTest, TakesEncodedAndRawUtf8) {
  EXPECT_THAT(PathOf("/%C3%A9/\xC3\xA9/%F0%9F%A6%8A"), ElementsAre("é", "é", "🦊"));
}

TEST(RequestTargetTest, PlusIsASpaceInTheQueryOnly) {
  const Result<RequestTarget> parsed = ParseTarget("/a+b?key=c+d%2Be");
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed.value().path, ElementsAre("a+b"));
  EXPECT_THAT(parsed.value().query, ElementsAre(Pair("key", "c d+e")));
}

TEST(RequestTargetTest, SplitsTheQuery) {
  const Result<RequestTarget> parsed = ParseTarget("/a?x=1&y=&z&&w=a%26b=c?/");
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed.value().query,
              ElementsAre(Pair("w", "a&b=c?/"), Pair("x", "1"), Pair("y", ""), Pair("z", "")));
}

TEST(RequestTargetTest, AcceptsAbsoluteForm) {
  EXPECT_THAT(PathOf("http://localhost:9640/a/b?c=d"), ElementsAre("a", "b"));
  EXPECT_THAT(PathOf("http://localhost"), ElementsAre(""));
  EXPECT_THAT(PathOf("HTTPS://localhost/a"), ElementsAre("a"));
}

TEST(RequestTargetTest, TheAuthorityEndsAtAQuestionMarkToo) {
  for (const char* target : {"http://localhost?x=/y", "http://localhost/?x=/y"}) {
    const Result<RequestTarget> parsed = ParseTarget(target);
    ASSERT_TRUE(parsed) << target;
    EXPECT_THAT(parsed.value().path, ElementsAre("")) << target;
    EXPECT_THAT(parsed.value().query, ElementsAre(Pair("x", "/y"))) << target;
  }
}

TEST(RequestTargetTest, KeepsDotSegmentsAndNulAsTheyAre) {
  EXPECT_THAT(PathOf("/../a"), ElementsAre("..", "a"));
  EXPECT_THAT(PathOf("/a%00b"), ElementsAre(std::string("a\0b", 3)));
}

class InvalidTargetTest : public ::testing::TestWithParam<const char*> {};

TEST_P(InvalidTargetTest, IsRefused) {
  const Result<RequestTarget> parsed = ParseTarget(GetParam());
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Targets, InvalidTargetTest,
                         ::testing::Values("", "*", "a/b", "/%", "/%4", "/%zz", "/%+1", "/a?%x=1",
                                           "/a?b=%", "/%FF", "/%C3", "/%ED%A0%80", "/%C0%AF",
                                           "/%F5%80%80%80", "/a?b=%E2%28%A1", "/a?b=1&b=2", "?a=b",
                                           "http://localhost#/a"));

TEST(RequestTargetTest, SaysWhatWouldBeRight) {
  EXPECT_THAT(ParseTarget("/100%").error().message, HasSubstr("%25"));
  EXPECT_THAT(ParseTarget("/a?b=1&b=2").error().message, HasSubstr("give it once"));
}

}  // namespace
}  // namespace sash
