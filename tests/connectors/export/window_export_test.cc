#include "connectors/export/window_export.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "tests/connectors/export/frozen/frozen_reader.h"
#include "tests/connectors/export/opened_export.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::NamesIn;

TEST_F(WindowExportTest, ASnapshotStatesItsWindowAndItsArrays) {
  WindowExport& frozen = Open({});
  frozen.Start();
  Write(frozen, Advance(17));
  const std::string folder = path_ + "/last-5m/17";
  EXPECT_THAT(NamesIn(folder),
              ElementsAre("in.indices.npy", "in.indptr.npy", "in.types.npy", "in.weights.npy",
                          "keys.bytes.npy", "keys.offsets.npy", "out.indices.npy", "out.indptr.npy",
                          "out.types.npy", "out.weights.npy", "snapshot.json"));
  const auto about = testing::ReadSnapshot(folder);
  EXPECT_EQ(about.at("frozen").get<int>(), 1);
  EXPECT_EQ(about.at("window").get<std::string>(), "last-5m");
  EXPECT_EQ(about.at("snapshot").get<int>(), 17);
  EXPECT_EQ(about.at("window_end").get<std::string>(), "1970-01-01T00:05:00.000Z");
  EXPECT_EQ(about.at("edges").get<int>(), 3);
  EXPECT_EQ(about.at("duplicates").get<std::string>(), "drop");
  EXPECT_EQ(about.at("identity").get<std::string>(), "pair_and_type");
  EXPECT_EQ(about.at("types").dump(), R"(["","logged-in","paid"])");
  EXPECT_EQ(about.at("keys").dump(),
            R"({"bytes":"keys.bytes.npy","count":3,"kind":"string","offsets":"keys.offsets.npy"})");
  EXPECT_EQ(about.at("out").dump(),
            R"({"binsparse":{"data_types":{"indices_1":"int32","pointers_to_1":"int32",)"
            R"("values":"float64"},"format":"CSR","number_of_stored_values":3,"shape":[3,3],)"
            R"("version":"0.1"},"indices_1":"out.indices.npy","pointers_to_1":"out.indptr.npy",)"
            R"("types":"out.types.npy","values":"out.weights.npy"})");
  EXPECT_EQ(about.at("in").at("binsparse").at("format").get<std::string>(), "CSC");
  EXPECT_THAT(testing::ReadNpy(folder + "/out.indptr.npy").whole, ElementsAre(0, 1, 3, 3));
  EXPECT_THAT(testing::ReadNpy(folder + "/out.indices.npy").whole, ElementsAre(2, 0, 0));
  EXPECT_THAT(testing::ReadNpy(folder + "/out.weights.npy").reals, ElementsAre(0.5, -1, 3));
  EXPECT_THAT(testing::ReadNpy(folder + "/out.types.npy").whole, ElementsAre(0, 1, 2));
  EXPECT_THAT(testing::ReadNpy(folder + "/keys.offsets.npy").whole, ElementsAre(0, 1, 2, 4));
  EXPECT_GT(frozen.memory_bytes(), 0u);
  EXPECT_EQ(frozen.memory_bytes(), frozen.Counts().bytes);
  EXPECT_TRUE(Counts().last_seconds.has_value());
}

TEST_F(WindowExportTest, AnEmptyWindowHasEmptyArrays) {
  WindowExport& frozen = Open({});
  frozen.Start();
  Write(frozen, Advance(1, {}));
  const auto about = testing::ReadSnapshot(path_ + "/last-5m/1");
  EXPECT_TRUE(about.at("empty").get<bool>());
  EXPECT_FALSE(about.contains("types"));
  EXPECT_THAT(testing::ReadNpy(path_ + "/last-5m/1/out.indptr.npy").whole, ElementsAre(0));
}

TEST_F(WindowExportTest, KeepAndEveryChooseTheSnapshots) {
  WindowExport& frozen = Open({.every = 2, .keep = 2});
  frozen.Start();
  for (std::uint64_t i = 1; i <= 7; ++i) Write(frozen, Advance(i));
  EXPECT_THAT(Snapshots(), ElementsAre("4", "6"));
  EXPECT_EQ(Counts().written, 3u);
}

TEST_F(WindowExportTest, OtherWindowsAreNotWritten) {
  WindowExport& frozen = Open({});
  frozen.Start();
  auto other = std::make_shared<struct Advance>(*Advance(1));
  other->provenance.window = "other";
  Write(frozen, other);
  EXPECT_THAT(NamesIn(path_), IsEmpty());
}

TEST_F(WindowExportTest, ANewerAdvanceReplacesTheOneThatWaitsAndUnpinsIt) {
  WindowExport& frozen = Open({});
  AdvancePtr first = Advance(1);
  const std::weak_ptr<const struct Advance> pinned = first;
  frozen.Submit(first);
  first.reset();
  EXPECT_FALSE(pinned.expired());
  frozen.Submit(Advance(2));
  EXPECT_TRUE(pinned.expired());
  EXPECT_EQ(Counts().replaced, 1u);
  frozen.Start();
  frozen.Finish();
  EXPECT_THAT(Snapshots(), ElementsAre("2"));
}

TEST_F(WindowExportTest, AWrittenAdvanceIsNotPinnedAnyMore) {
  WindowExport& frozen = Open({});
  frozen.Start();
  AdvancePtr advance = Advance(1);
  const std::weak_ptr<const struct Advance> pinned = advance;
  Write(frozen, std::move(advance));
  EXPECT_TRUE(pinned.expired());
}

TEST_F(WindowExportTest, AFiniteSourceWaitsSoThatNothingIsSkipped) {
  WindowExport& frozen = Open({.keep = 1'000}, true);
  frozen.Start();
  for (std::uint64_t i = 1; i <= 50; ++i) frozen.Submit(Advance(i));
  frozen.Finish();
  EXPECT_EQ(Snapshots().size(), 50u);
  EXPECT_EQ(Counts().replaced, 0u);
  Open({.keep = 1'000}, true);
  EXPECT_THAT(Snapshots(), IsEmpty()) << "a replay begins again";
}

TEST_F(WindowExportTest, ARestartKeepsWhatIsWhole) {
  WindowExport& before = Open({});
  before.Start();
  Write(before, Advance(4));
  WindowExport& after = Open({});
  EXPECT_THAT(Snapshots(), ElementsAre("4"));
  after.Start();
  Write(after, Advance(4));
  EXPECT_THAT(Snapshots(), ElementsAre("4", "4-2"));
  Write(after, Advance(5));
  EXPECT_THAT(Snapshots(), ElementsAre("4-2", "5"));
}

TEST_F(WindowExportTest, TheLimitIsAStateThatNamesTheHolders) {
  WindowExport& frozen = Open({});
  frozen.Start();
  Write(frozen, Advance(1));
  const std::uint64_t one = frozen.Counts().bytes;
  WindowExport& limited = Open({.keep = 1, .limit_bytes = 2 * one + one / 2});
  limited.Start();
  std::optional<OwnedDescriptor> lock(
      OwnedDescriptor(::open((path_ + "/last-5m/1/snapshot.json").c_str(), O_RDONLY)));
  ASSERT_EQ(::flock(lock->number(), LOCK_SH), 0);
  Write(limited, Advance(2));
  EXPECT_THAT(Snapshots(), ElementsAre("1", "2"));
  EXPECT_EQ(limited.Counts().overdue, 1u);
  for (std::uint64_t i = 3; i <= 5; ++i) Write(limited, Advance(i));
  EXPECT_THAT(Snapshots(), ElementsAre("1", "2"));
  EXPECT_TRUE(limited.Counts().is_failing);
  EXPECT_EQ(Counts().beyond_limit, 3u);
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("snapshot 3 of window last-5m needs")));
  EXPECT_THAT(log_.lines()[0], HasSubstr("(limit) are in use; snapshot last-5m/1 is locked by "
                                         "process " +
                                         std::to_string(::getpid())));
  lock.reset();
  Write(limited, Advance(6));
  EXPECT_THAT(Snapshots(), ElementsAre("6"));
  EXPECT_FALSE(limited.Counts().is_failing);
  EXPECT_THAT(log_.lines().back(), HasSubstr("snapshots are written again"));
}

TEST_F(WindowExportTest, ASnapshotIsRemovedSoonAfterItsLockIsReleased) {
  WindowExport& frozen = Open({.keep = 1});
  frozen.Start();
  Write(frozen, Advance(1));
  std::optional<OwnedDescriptor> lock(
      OwnedDescriptor(::open((path_ + "/last-5m/1/snapshot.json").c_str(), O_RDONLY)));
  ASSERT_EQ(::flock(lock->number(), LOCK_SH), 0);
  Write(frozen, Advance(2));
  EXPECT_THAT(Snapshots(), ElementsAre("1", "2"));
  lock.reset();
  for (int i = 0; i < 3'000 && Snapshots().size() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_THAT(Snapshots(), ElementsAre("2"));
}

// A limit of the process on the size of files stands in for a full disk.
TEST_F(WindowExportTest, AFailureIsAStateAndLeavesNothingBehind) {
  ::signal(SIGXFSZ, SIG_IGN);
  std::vector<testing::NamedEdge> many;
  for (int i = 0; i < 20'000; ++i) {
    many.push_back({"v" + std::to_string(i), "v" + std::to_string(i / 2), Weight::Integer(i), ""});
  }
  WindowExport& frozen = Open({});
  frozen.Start();
  Write(frozen, Advance(1));
  const AdvancePtr large = Advance(2, many);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  Write(frozen, large);
  Write(frozen, large);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_THAT(Snapshots(), ElementsAre("1"));
  EXPECT_EQ(Counts().failures, 2u);
  EXPECT_TRUE(frozen.Counts().is_failing);
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("File too large")));
  Write(frozen, large);
  EXPECT_THAT(Snapshots(), ElementsAre("1", "2"));
  EXPECT_FALSE(frozen.Counts().is_failing);
  EXPECT_THAT(log_.lines().back(), HasSubstr("snapshots are written again"));
}

TEST_F(WindowExportTest, AFolderMayChangeItsFormat) {
  WindowExport& frozen = Open({.keep = 1});
  frozen.Start();
  Write(frozen, Advance(1));
  WindowExport& parquet = Open({.keep = 1, .kind = ExportKind::kParquet});
  parquet.Start();
  Write(parquet, Advance(2));
  EXPECT_THAT(Snapshots(), ElementsAre("2"));
  WindowExport& again = Open({.keep = 1});
  again.Start();
  Write(again, Advance(3));
  EXPECT_THAT(Snapshots(), ElementsAre("3"));
}

TEST_F(WindowExportTest, AStopDoesNotWaitForWhatWaits) {
  WindowExport& frozen = Open({});
  frozen.Submit(Advance(1));
  frozen.Stop();
  frozen.Submit(Advance(2));
  frozen.Finish();
  EXPECT_THAT(NamesIn(path_), IsEmpty());
}

}  // namespace
}  // namespace sash
