#include "connectors/export/window_export.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "connectors/export/frozen/frozen_format.h"
#include "connectors/export/parquet/parquet_format.h"
#include "tests/connectors/export/frozen/frozen_reader.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/kept_log.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::NamesIn;
using testing::SharedFolder;

const std::vector<testing::NamedEdge> kThree = {{"b", "a", Weight::Integer(3), "paid"},
                                                {"a", "ü", Weight::Real(0.5), ""},
                                                {"b", "a", Weight::Integer(-1), "logged-in"}};

class WindowExportTest : public ::testing::Test {
 protected:
  WindowExport& Open(ExportSpec spec, bool is_finite = false) {
    spec.path = path_;
    spec.windows = {"last-5m"};
    export_.reset();
    Result<std::unique_ptr<WindowExport>> opened = WindowExport::Open(
        spec, FormatOf(spec),
        {.keys = runs_.keys(),
         .clock = clock_,
         .log = log_,
         .context =
             [](const std::string&) {
               return WindowContext{
                   {.duplicates = DuplicatesPolicy::kDrop, .identity = EdgeIdentity::kPairAndType},
                   {FinishedRuns::Job("ranks", PageRankParameters())}};
             },
         .is_finite = is_finite});
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    export_ = std::move(opened).value();
    return *export_;
  }
  static std::unique_ptr<SnapshotFormat> FormatOf(const ExportSpec& spec) {
    if (spec.kind == ExportKind::kFrozen) return std::make_unique<FrozenFormat>();
    return std::make_unique<ParquetFormat>(ParquetSizes{.page = 64, .group = 256, .part = 1'024});
  }
  AdvancePtr Advance(std::uint64_t snapshot,
                     const std::vector<testing::NamedEdge>& edges = kThree) {
    auto advance = runs_.MakeAdvance(edges, testing::At(300));
    advance->provenance.snapshot = SnapshotId{snapshot};
    advance->ordinal = static_cast<std::int64_t>(snapshot);
    advance->number = snapshot;
    return advance;
  }
  static std::vector<testing::NamedEdge> Chain(std::size_t edges) {
    std::vector<testing::NamedEdge> chain;
    for (std::size_t i = 0; i < edges; ++i) {
      chain.push_back({"v" + std::to_string(i), "v" + std::to_string(i / 2),
                       Weight::Integer(static_cast<std::int64_t>(i * 0x9E3779B97F4A7C15U)), ""});
    }
    return chain;
  }
  // Writes one advance to its end.
  void Write(WindowExport& to, AdvancePtr advance) {
    to.Submit(std::move(advance));
    to.Finish();
  }
  std::optional<HeldSnapshot> Held(WindowExport& from, const AdvancePtr& advance) {
    Result<HeldSnapshot> held = from.Hold(advance, clock_.Steady() + std::chrono::minutes(1), {});
    EXPECT_TRUE(held.ok()) << (held.ok() ? "" : held.error().message);
    if (!held) return std::nullopt;
    return std::move(held).value();
  }
  std::vector<std::string> Snapshots() const { return NamesIn(path_ + "/last-5m"); }
  ExportWindowCounts Counts() const { return export_->Counts().windows.at(0); }

  const SharedFolder scratch_;
  const std::string path_ = scratch_.File("export");
  FinishedRuns runs_;
  SystemClock clock_;
  KeptLog log_;
  std::unique_ptr<WindowExport> export_;
};

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

TEST_F(WindowExportTest, AnAdvanceThatIsAskedForIsWrittenOnce) {
  using State = AskedExport::State;
  WindowExport& parquet = Open({.every = 100, .kind = ExportKind::kParquet});
  const AdvancePtr first = Advance(1);
  const AdvancePtr second = Advance(2);
  parquet.Submit(first);
  std::optional<AskedExport> asked = parquet.Ask(second);
  ASSERT_TRUE(asked.has_value());
  EXPECT_EQ(asked->name, "parquet:" + path_);
  EXPECT_EQ(asked->state, State::kWaiting);
  EXPECT_TRUE(parquet.Ask(first).has_value()) << "the newer one stays";
  EXPECT_TRUE(parquet.Ask(second).has_value());
  parquet.Start();
  parquet.Finish();
  EXPECT_THAT(Snapshots(), ElementsAre("2"));
  EXPECT_EQ(Counts().replaced, 0u);
  EXPECT_EQ(parquet.Ask(second)->state, State::kWritten);
  parquet.Finish();
  EXPECT_THAT(Snapshots(), ElementsAre("2"));
  auto other = std::make_shared<struct Advance>(*Advance(3));
  other->provenance.window = "other";
  EXPECT_FALSE(parquet.Ask(other).has_value());
  parquet.Stop();
  EXPECT_FALSE(parquet.Ask(Advance(4)).has_value());
}

TEST_F(WindowExportTest, AnAdvanceThatIsAlsoDueIsWrittenOnce) {
  WindowExport& parquet = Open({.every = 2, .kind = ExportKind::kParquet});
  const AdvancePtr due = Advance(2);
  EXPECT_TRUE(parquet.Ask(due).has_value());
  parquet.Submit(due);
  parquet.Start();
  parquet.Finish();
  EXPECT_THAT(Snapshots(), ElementsAre("2"));
  EXPECT_EQ(Counts().written, 1u);
  EXPECT_EQ(Counts().replaced, 0u);
}

TEST_F(WindowExportTest, WhatIsAskedForDoesNotReplaceWhatIsDue) {
  for (const bool is_finite : {false, true}) {
    WindowExport& parquet = Open({.every = 2, .keep = 10, .kind = ExportKind::kParquet}, is_finite);
    parquet.Submit(Advance(4));
    EXPECT_TRUE(parquet.Ask(Advance(5)).has_value());
    parquet.Start();
    parquet.Finish();
    EXPECT_THAT(Snapshots(), ElementsAre("4", "5"));
    EXPECT_EQ(Counts().replaced, 0u);
    export_->Stop();
    std::filesystem::remove_all(path_);
  }
}

TEST_F(WindowExportTest, AnAdvanceThatFailedMayBeAskedForAgain) {
  ::signal(SIGXFSZ, SIG_IGN);
  WindowExport& parquet = Open({.every = 100, .kind = ExportKind::kParquet});
  parquet.Start();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{2, before.rlim_max};
  const AdvancePtr advance = Advance(1);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_TRUE(parquet.Ask(advance).has_value());
  parquet.Finish();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(Counts().failures, 1u);
  EXPECT_EQ(parquet.Ask(advance)->state, AskedExport::State::kWaiting);
  parquet.Finish();
  EXPECT_THAT(Snapshots(), ElementsAre("1"));
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

TEST_F(WindowExportTest, AHeldSnapshotIsThatOfItsAdvanceAndStays) {
  WindowExport& frozen = Open({.every = 100, .keep = 1});
  frozen.Start();
  const AdvancePtr first = Advance(1);
  std::optional<HeldSnapshot> held = Held(frozen, first);
  EXPECT_EQ(held->folder, path_ + "/last-5m/1");
  EXPECT_EQ(testing::ReadSnapshot(held->folder).at("snapshot").get<int>(), 1);
  const std::optional<HeldSnapshot> newer = Held(frozen, Advance(2));
  EXPECT_THAT(Snapshots(), ElementsAre("1", "2")) << "`every` chooses neither";
  EXPECT_EQ(Held(frozen, first)->folder, held->folder) << "it is not written again";
  frozen.Finish();
  EXPECT_EQ(Counts().written, 2u);
  held.reset();
  Write(frozen, Advance(100));
  EXPECT_THAT(Snapshots(), ElementsAre("100", "2"));
  EXPECT_EQ(Held(frozen, first)->folder, path_ + "/last-5m/1") << "written again";
  EXPECT_EQ(frozen.FolderOf("last-5m"), path_ + "/last-5m");
}

TEST_F(WindowExportTest, AnAdvanceThatIsHeldIsWrittenBeforeThoseThatWait) {
  WindowExport& frozen = Open({});
  const AdvancePtr first = Advance(1);
  frozen.Submit(first);
  frozen.Submit(Advance(2));  // replaces it
  auto holder = std::async(std::launch::async, [&] { return Held(frozen, first); });
  while (frozen.demands() == 0) std::this_thread::yield();
  frozen.Start();
  EXPECT_EQ(holder.get()->folder, path_ + "/last-5m/1");
  frozen.Finish();
  EXPECT_THAT(Snapshots(), ElementsAre("1", "2"));
}

TEST_F(WindowExportTest, WithoutASnapshotToHoldThereIsAReason) {
  WindowExport& limited = Open({.limit_bytes = 4096});
  limited.Start();
  const auto full = limited.Hold(Advance(1), clock_.Steady() + std::chrono::hours(1), {});
  ASSERT_FALSE(full.ok());
  EXPECT_THAT(full.error().message, HasSubstr("does not fit into limit"));
  WindowExport& never = Open({});
  const auto late = never.Hold(Advance(2), clock_.Steady() + std::chrono::milliseconds(1), {});
  ASSERT_FALSE(late.ok());
  EXPECT_THAT(late.error().message, HasSubstr("snapshot 2 of window last-5m was not written in"));
  never.RequestStop();
  const auto stopped = never.Hold(Advance(3), clock_.Steady() + std::chrono::hours(1), {});
  ASSERT_FALSE(stopped.ok());
  EXPECT_THAT(stopped.error().message, HasSubstr("the process is stopping"));
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
