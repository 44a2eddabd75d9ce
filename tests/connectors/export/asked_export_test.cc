// Advances that are asked for, or held, beside those that are due.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "tests/connectors/export/frozen/frozen_reader.h"
#include "tests/connectors/export/opened_export.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace sash
