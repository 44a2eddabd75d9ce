#include "daemon/probe/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/probe/found.h"

namespace sash {
namespace {

using ::testing::ElementsAre;

TEST(FindingTest, IsALineWithGradePlaceAndRemedy) {
  testing::Found found;
  found.findings.Ok("state.path", "`state` can be written");
  found.findings.Warn("a.b", "is odd", "fix it");
  found.findings.Fail("c", "is wrong", "");
  EXPECT_THAT(found.lines, ElementsAre("ok       state.path: `state` can be written",
                                       "warning  a.b: is odd; fix it", "error    c: is wrong"));
}

TEST(FindingTest, OnlyErrorsCount) {
  testing::Found found;
  found.findings.Ok("a", "b");
  found.findings.Warn("a", "b", "c");
  EXPECT_EQ(found.findings.errors(), 0U);
  found.findings.Fail("a", "b", "c");
  EXPECT_EQ(found.findings.errors(), 1U);
}

}  // namespace
}  // namespace sash
