#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/http/route_answers.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

class DebugRoutesTest : public ::testing::Test {
 protected:
  TinyDaemon daemon_;
  const RouteAnswers answers_{daemon_};
};

TEST_F(DebugRoutesTest, ThreadsHaveNumbersNamesAndTimes) {
  const auto threads = answers_.Json("/api/v1/debug/threads").at("threads");
  ASSERT_FALSE(threads.empty());
  for (const auto& thread : threads) {
    EXPECT_GT(thread.at("id").get<int>(), 0);
    EXPECT_FALSE(thread.at("name").get<std::string>().empty());
    EXPECT_GE(thread.at("user_seconds").get<double>(), 0);
    EXPECT_GE(thread.at("system_seconds").get<double>(), 0);
  }
}

TEST_F(DebugRoutesTest, WhatTheAllocatorDoesNotTellIsNotImplementedAndSaysWhy) {
  for (const char* path : {"/api/v1/debug/heap", "/api/v1/debug/allocator"}) {
    EXPECT_THAT(answers_.Json(path, 501).at("error").at("message").get<std::string>(),
                HasSubstr("without jemalloc"));
  }
}

}  // namespace
}  // namespace sash
