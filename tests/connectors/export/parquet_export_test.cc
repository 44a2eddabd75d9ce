// Exports of windows as Parquet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <vector>

#include "tests/connectors/export/frozen/frozen_reader.h"
#include "tests/connectors/export/opened_export.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::NamesIn;

TEST_F(WindowExportTest, ASnapshotInParquetStatesItsWindowAndItsTables) {
  WindowExport& parquet = Open({.kind = ExportKind::kParquet});
  parquet.Start();
  Write(parquet, Advance(17));
  const std::string folder = path_ + "/last-5m/17";
  EXPECT_THAT(NamesIn(folder),
              ElementsAre("edges-00000.parquet", "snapshot.json", "vertices.parquet"));
  const auto about = testing::ReadManifest(folder);
  EXPECT_EQ(about.at("parquet").get<int>(), 1);
  EXPECT_EQ(about.at("window").get<std::string>(), "last-5m");
  EXPECT_EQ(about.at("edges").get<int>(), 3);
  EXPECT_EQ(about.at("duplicates").get<std::string>(), "drop");
  EXPECT_EQ(about.at("keys").dump(), R"({"count":3,"kind":"string"})");
  EXPECT_EQ(about.at("weights").get<std::string>(), "float64");
  EXPECT_TRUE(about.at("types").get<bool>());
  EXPECT_EQ(about.at("jobs").at(0).at("name").get<std::string>(), "ranks");
  EXPECT_EQ(about.at("jobs").at(0).at("parameters").at("damping").get<double>(), 0.85);
  EXPECT_EQ(about.at("files").at("edges-00000.parquet").at("rows").get<int>(), 3);
  EXPECT_EQ(about.at("files").at("vertices.parquet").at("rows").get<int>(), 3);
  EXPECT_EQ(parquet.Counts().name, "parquet:" + path_);
  EXPECT_EQ(parquet.Counts().bytes, 3u * 4'096);
}

TEST_F(WindowExportTest, EdgesInParquetAreInFilesOfLimitedLength) {
  WindowExport& parquet = Open({.kind = ExportKind::kParquet});
  parquet.Start();
  const std::vector<std::pair<std::size_t, std::vector<int>>> cases = {
      {0, {0}}, {1'024, {1'024}}, {1'025, {1'024, 1}}, {3'000, {1'024, 1'024, 952}}};
  for (const auto& [edges, rows] : cases) {
    Write(parquet, Advance(1 + edges, Chain(edges)));
    const auto files =
        testing::ReadManifest(path_ + "/last-5m/" + std::to_string(1 + edges)).at("files");
    EXPECT_EQ(files.size(), 1 + rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(files.at("edges-0000" + std::to_string(i) + ".parquet").at("rows").get<int>(),
                rows[i]);
    }
  }
}

TEST_F(WindowExportTest, ParquetThatCannotBeWrittenLeavesNothingBehind) {
  ::signal(SIGXFSZ, SIG_IGN);
  WindowExport& parquet = Open({.kind = ExportKind::kParquet});
  parquet.Start();
  Write(parquet, Advance(1));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const AdvancePtr large = Advance(2, Chain(20'000));
  for (const rlim_t most : {2, 5'000, 30'000}) {
    const rlimit small{most, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    Write(parquet, large);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_THAT(Snapshots(), ElementsAre("1")) << most;
  }
  EXPECT_EQ(Counts().failures, 3u);
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("File too large")));
  Write(parquet, large);
  EXPECT_THAT(Snapshots(), ElementsAre("1", "2"));
  EXPECT_FALSE(parquet.Counts().is_failing);
}

TEST_F(WindowExportTest, ParquetIsGivenUpAtTheLimit) {
  WindowExport& parquet = Open({.limit_bytes = 64 << 10, .kind = ExportKind::kParquet});
  parquet.Start();
  Write(parquet, Advance(1));
  Write(parquet, Advance(2, Chain(20'000)));
  EXPECT_THAT(Snapshots(), ElementsAre("1"));
  EXPECT_EQ(Counts().beyond_limit, 1u);
  EXPECT_EQ(Counts().failures, 0u);
  EXPECT_LE(parquet.Counts().bytes, 64u << 10);
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("(limit) are in use")));
  Write(parquet, Advance(3));
  EXPECT_THAT(Snapshots(), ElementsAre("1", "3"));
  EXPECT_FALSE(parquet.Counts().is_failing);
}

}  // namespace
}  // namespace sash
