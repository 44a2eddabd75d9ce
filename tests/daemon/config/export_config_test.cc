// exports: what is read, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string WithExports(std::string_view exports) {
  return std::string(kGood) + "exports: " + std::string(exports) + "\n";
}

std::string ExportErrors(std::string_view exports) {
  return AllErrors(Parsed(WithExports(exports), "test.yaml"));
}

TEST(ExportConfigTest, PathAndWindowsAreEnough) {
  const Config config = ParseGood(WithExports("[{frozen: {path: /dev/shm/sash, windows: [w]}}]"));
  ASSERT_EQ(config.exports.size(), 1u);
  const ExportSpec& frozen = config.exports[0];
  EXPECT_EQ(frozen.path, "/dev/shm/sash");
  EXPECT_THAT(frozen.windows, ElementsAre("w"));
  EXPECT_EQ(frozen.every, 1u);
  EXPECT_EQ(frozen.keep, 2u);
  EXPECT_EQ(frozen.limit_bytes, std::uint64_t{4} << 30);
  EXPECT_EQ(frozen.leases, 16u);
  EXPECT_EQ(frozen.lease_ttl, std::chrono::minutes(10));
  EXPECT_EQ(frozen.lease_limit_bytes, std::uint64_t{2} << 30);
  EXPECT_TRUE(ParseGood(kGood).exports.empty());
}

TEST(ExportConfigTest, LeasesHaveBounds) {
  const Config config = ParseGood(WithExports(
      "[{frozen: {path: f, windows: [w], leases: 0, lease_ttl: 1h, lease_limit: 1MiB}}]"));
  EXPECT_EQ(config.exports[0].leases, 0u);
  EXPECT_EQ(config.exports[0].lease_ttl, std::chrono::hours(1));
  EXPECT_EQ(config.exports[0].lease_limit_bytes, std::uint64_t{1} << 20);
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [w], lease_ttl: 0s}}]"),
              HasSubstr("exports[0].frozen.lease_ttl: "));
  EXPECT_THAT(ExportErrors("[{parquet: {path: f, windows: [w], leases: 1}}]"),
              HasSubstr("exports[0].parquet.leases: unknown key"));
}

TEST(ExportConfigTest, EveryKeyIsRead) {
  const Config config = ParseGood(
      WithExports("[{frozen: {path: f, windows: [w], every: 6, keep: 3, limit: 512MiB}}]"));
  EXPECT_EQ(config.exports[0], (ExportSpec{"f", {"w"}, 6, 3, std::uint64_t{512} << 20}));
}

TEST(ExportConfigTest, ParquetHasTheSameKeys) {
  const Config config =
      ParseGood(WithExports("[{frozen: {path: f, windows: [w]}}, {parquet: {path: g, windows: [w], "
                            "every: 6, keep: 10}}]"));
  ASSERT_EQ(config.exports.size(), 2u);
  EXPECT_EQ(config.exports[0].kind, ExportKind::kFrozen);
  EXPECT_EQ(
      config.exports[1],
      (ExportSpec{
          .path = "g", .windows = {"w"}, .every = 6, .keep = 10, .kind = ExportKind::kParquet}));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [w]}}, {parquet: {path: f/g, windows: "
                           "[w]}}]"),
              HasSubstr("exports[1].parquet.path: `f/g` is in, or around, the folder of "
                        "exports[0].frozen"));
}

TEST(ExportConfigTest, SlicesNeedOnlyAPathAndAreKeptForATime) {
  const Config config = ParseGood(WithExports("[{parquet: {path: g, slices: true}}]"));
  EXPECT_EQ(config.exports[0],
            (ExportSpec{.path = "g", .kind = ExportKind::kParquet, .slices = true}));
  EXPECT_EQ(config.exports[0].keep_for, std::chrono::hours(24));
  const Config kept =
      ParseGood(WithExports("[{parquet: {keep: 90m, limit: 1GiB, slices: true, path: g}}]"));
  EXPECT_EQ(kept.exports[0].keep_for, std::chrono::minutes(90));
  EXPECT_EQ(kept.exports[0].limit_bytes, std::uint64_t{1} << 30);
  EXPECT_THAT(ExportErrors("[{parquet: {path: g, slices: true, keep: 5}}]"),
              HasSubstr("exports[0].parquet.keep: is `5`, which goes with windows; with `slices: "
                        "true` give a time, such as 24h"));
  EXPECT_THAT(ExportErrors("[{parquet: {path: g, windows: [w], keep: 5m}}]"),
              HasSubstr("exports[0].parquet.keep: is `5m`, which goes with `slices: true`; with "
                        "windows give a number of snapshots"));
  EXPECT_THAT(
      ExportErrors("[{parquet: {path: g}}]"),
      HasSubstr("exports[0].parquet.windows: is required: give a list of windows, or `slices: "
                "true`"));
  for (const char* key : {"windows: [w]", "every: 2"}) {
    EXPECT_THAT(ExportErrors("[{parquet: {path: g, slices: true, " + std::string(key) + "}}]"),
                HasSubstr("goes with windows, not with `slices: true`, which writes every slice"));
  }
  EXPECT_THAT(ExportErrors("[{frozen: {path: g, slices: true, windows: [w]}}]"),
              HasSubstr("exports[0].frozen.slices: "));
}

TEST(ExportConfigTest, SlicesAreExportedOnceAndAreThoseOfEventTime) {
  EXPECT_THAT(
      ExportErrors("[{parquet: {path: g, slices: true}}, {parquet: {path: h, slices: true}}]"),
      HasSubstr("exports[1].parquet.slices: is true in another export too"));
  std::string by_events = WithExports("[{parquet: {path: g, slices: true}}]");
  const std::string in_time = "    length: 5m\n    slide: 10s\n";
  by_events.replace(by_events.find(in_time), in_time.size(),
                    "    by: events\n    length: 4\n    slide: 2\n");
  EXPECT_THAT(AllErrors(Parsed(by_events, "test.yaml")),
              HasSubstr("exports[0].parquet.slices: needs a window by event time"));
}

TEST(ExportConfigTest, WindowsExistAndAreNamedOnce) {
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [v]}}]"),
              HasSubstr("exports[0].frozen.windows[0]: there is no window `v`"));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [w, w]}}]"),
              HasSubstr("exports[0].frozen.windows[1]: window `w` is listed twice; keep one"));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: []}}]"),
              HasSubstr("exports[0].frozen.windows: is empty; give a list of names of windows"));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f}}]"),
              HasSubstr("exports[0].frozen.windows: is required"));
}

TEST(ExportConfigTest, EachHasAFolderOfItsOwn) {
  const auto errors = [](const std::string& other) {
    return ExportErrors("[{frozen: {path: a/b, windows: [w]}}, {frozen: {path: " + other +
                        ", windows: [w]}}]");
  };
  EXPECT_THAT(errors("a/../a/b"), HasSubstr("exports[1].frozen.path: `a/../a/b` is also the folder "
                                            "of exports[0].frozen; give each export"));
  EXPECT_THAT(errors("a/b/c"), HasSubstr("`a/b/c` is in, or around, the folder of exports[0]"));
  EXPECT_THAT(errors("a"), HasSubstr("`a` is in, or around, the folder of exports[0]"));
  EXPECT_EQ(errors("a/bc"), "");
}

TEST(ExportConfigTest, AnExternalJobReadsTheSnapshotsOfItsWindow) {
  constexpr std::string_view kJob =
      "jobs: [{name: model, kernel: external, window: w, deadline: 20s, "
      "parameters: {returns: sets}}]\n";
  std::string text(kGood);
  const std::size_t at = text.find("jobs:");
  ASSERT_NE(at, std::string::npos);
  text = text.substr(0, at) + std::string(kJob);
  EXPECT_THAT(AllErrors(Parsed(text, "test.yaml")),
              HasSubstr("jobs[0].window: is `w`, which has no frozen snapshots; the "
                        "workers of an external job read them: add {frozen: {path: "
                        "/dev/shm/sash, windows: [w]}} to exports"));
  const Config config = ParseGood(text + "exports: [{frozen: {path: f, windows: [w]}}]\n");
  EXPECT_EQ(std::get<ExternalParameters>(config.jobs.at(0).parameters).returns,
            ExternalAnswers::kSets);
  EXPECT_EQ(config.jobs[0].deadline, std::chrono::seconds(20));
}

TEST(ExportConfigTest, EachHasExactlyOneKindAndKnownKeys) {
  EXPECT_THAT(ExportErrors("[{}]"), HasSubstr("exports[0]: "));
  EXPECT_THAT(ExportErrors("[{parket: {path: f}}]"), HasSubstr("exports[0].parket: unknown key"));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [w]}, parquet: {path: g, windows: [w]}}]"),
              HasSubstr("exports[0].parquet: is given together with `frozen`"));
  EXPECT_THAT(ExportErrors("[{parquet: {path: f}}]"),
              HasSubstr("exports[0].parquet.windows: is required"));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [w], keeps: 3}}]"),
              HasSubstr("exports[0].frozen.keeps: unknown key; did you mean `keep`?"));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [w], keep: 0}}]"),
              HasSubstr("exports[0].frozen.keep: "));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [w], every: 0}}]"),
              HasSubstr("exports[0].frozen.every: "));
  EXPECT_THAT(ExportErrors("[{frozen: {path: f, windows: [w], limit: 1KiB}}]"),
              HasSubstr("exports[0].frozen.limit: "));
}

}  // namespace
}  // namespace sash
