#include "daemon/infer/shape_remarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/infer/proposed.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Repeated(const std::string& record) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += record + "\n";
  return text;
}

TEST(ShapeRemarksTest, ListsAndJsonInStringsAreNamedIfAnEdgeIsMissing) {
  const testing::Proposed list(Repeated(R"({"author": "a", "mentions": ["b", "c"]})"));
  EXPECT_NE(list.trouble(), "");
  EXPECT_THAT(list.said(), HasSubstr("give `each: /mentions` in source.format.json"));
  const testing::Proposed text(Repeated(R"({"message": "{\"src\": 1, \"dst\": 2}"})"));
  EXPECT_THAT(text.said(), HasSubstr("With `text_at: /message` in source.format.json"));
  const testing::Proposed edge(Repeated(R"({"from": "a", "to": "b", "tags": ["x"]})"));
  EXPECT_THAT(edge.said(), Not(HasSubstr("each: /tags")));
}

TEST(ShapeRemarksTest, WeightsWithCommasAreReadAsTheyAreWritten) {
  const auto csv = [](const std::string& amount) {
    std::string text = "from;to;amount\n";
    for (int i = 0; i < 60; ++i) text += "a" + std::to_string(i % 7) + ";b;" + amount + "\n";
    return testing::Proposed(text).csv();
  };
  EXPECT_THAT(csv("97,25"), HasSubstr("weight: {from: amount, decimal: \",\"}"));
  EXPECT_THAT(csv("1.234,50"), HasSubstr("{from: amount, decimal: \",\", group: \".\"}"));
  EXPECT_THAT(csv("2,492"), HasSubstr("{from: amount, group: \",\"}"));
  EXPECT_THAT(csv("97.25"), HasSubstr("weight: amount"));
  EXPECT_THAT(csv("1,234,567.80"), HasSubstr("{from: amount, group: \",\"}"));
}

}  // namespace
}  // namespace sash
