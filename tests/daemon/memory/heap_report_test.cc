// Linked with jemalloc, like sashd.
#include "daemon/memory/heap_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::HasSubstr;

TEST(HeapReportTest, TheAllocatorTellsOfItself) {
  const Result<std::string> report = AllocatorReport();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_THAT(report.value(), HasSubstr("Begin jemalloc statistics"));
  EXPECT_THAT(report.value(), HasSubstr("End jemalloc statistics"));
}

TEST(HeapReportTest, AProfileThatNobodyCountedForSaysHowToHaveIt) {
  const Result<std::string> profile = HeapProfile();
  ASSERT_FALSE(profile.ok());
  EXPECT_THAT(profile.error().message, HasSubstr("MALLOC_CONF=prof:true"));
}

}  // namespace
}  // namespace sash
