#include "connectors/export/snapshots/snapshot_manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/nested_lists.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

TEST(SnapshotManifestTest, WhatIsNotAManifestIsAnErrorThatSaysWhy) {
  EXPECT_THAT(ParseSnapshotManifest(R"({"frozen": 1})").error().message,
              HasSubstr("that of a frozen snapshot"));
  EXPECT_THAT(ParseSnapshotManifest(R"({"parquet": [7]})").error().message,
              HasSubstr("its version is [7]"));
  EXPECT_THAT(
      ParseSnapshotManifest(R"({"parquet": )" + testing::NestedLists() + "}").error().message,
      HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace sash
