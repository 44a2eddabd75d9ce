#include "connectors/export/slices/slice_export.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/connectors/export/shared_folder.h"
#include "tests/connectors/export/slices/closed_slices.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

using testing::ClosedSlices;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::NamesIn;

// The largest file that the process may write: it stands in for a full disk.
class DiskBound {
 public:
  explicit DiskBound(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit bound{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &bound);
  }
  ~DiskBound() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

class SliceExportTest : public ::testing::Test {
 protected:
  ExportSpec Spec() const { return {.path = path_, .kind = ExportKind::kParquet, .slices = true}; }
  Result<std::unique_ptr<SliceExport>> TryOpen(const ExportSpec& spec, bool starts_over = false,
                                               std::uint64_t most_waiting = 1 << 30) {
    export_.reset();
    return SliceExport::Open(spec, {.keys = slices_.keys,
                                    .partitions = slices_.partitions,
                                    .clock = clock_,
                                    .log = log_,
                                    .pane = pane_,
                                    .mapping = "m",
                                    .starts_over = starts_over,
                                    .most_waiting = most_waiting});
  }
  SliceExport& Open(const ExportSpec& spec, bool starts_over = false,
                    std::uint64_t most_waiting = 1 << 30) {
    Result<std::unique_ptr<SliceExport>> opened = TryOpen(spec, starts_over, most_waiting);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    export_ = std::move(opened).value();
    export_->Start();
    return *export_;
  }
  SliceExport& Open() { return Open(Spec()); }
  SliceFacts Facts(std::uint64_t number) const {
    const std::string text = testing::Contents(path_ + "/" + SliceTextName(number));
    Result<SliceFacts> facts = ParseSliceText(text);
    EXPECT_TRUE(facts.ok()) << (facts.ok() ? "" : facts.error().message);
    return std::move(facts).value();
  }
  // The numbers of the slices that exist.
  std::vector<std::uint64_t> Numbers() const {
    std::vector<std::uint64_t> numbers;
    for (const std::string& name : NamesIn(path_)) {
      if (const auto number = SliceNumberIn(name, ".json")) numbers.push_back(*number);
    }
    return numbers;
  }

  const testing::SharedFolder scratch_;
  const std::string path_ = scratch_.File("slices");
  ClosedSlices slices_{FilterTexts{"f"}};
  Duration pane_{ClosedSlices::kPane};
  SystemClock clock_;
  KeptLog log_;
  std::unique_ptr<SliceExport> export_;
};

TEST_F(SliceExportTest, AManifestStatesItsSliceAndItsTable) {
  SliceExport& to = Open();
  slices_.Add({.seconds = 101, .source = "a", .target = "b", .topic = "u", .id = 7, .passes = 0});
  slices_.Add({.seconds = 103, .source = "b", .target = "c", .weight = Weight::Real(0.5)});
  slices_.Add({.seconds = 105, .source = "a", .target = "b", .topic = "u", .id = 7});
  to.Add(slices_.Close());
  to.Finish();
  EXPECT_THAT(NamesIn(path_), ElementsAre("slice-0000000001.json", "slice-0000000001.parquet"));
  const SliceFacts facts = Facts(1);
  EXPECT_EQ(facts.number, 1u);
  EXPECT_FALSE(facts.previous.has_value());
  EXPECT_EQ(facts.begin, EventTime(std::chrono::seconds(100)));
  EXPECT_EQ(facts.end, EventTime(std::chrono::seconds(110)));
  EXPECT_EQ(facts.duplicates, 1u);
  EXPECT_TRUE(facts.has_on_time);
  EXPECT_EQ(facts.on_time_passes, 1u);
  EXPECT_EQ(facts.partitions,
            (std::vector<PartitionRows>{{{"t", 0, 0}, 1, 0, 0}, {{"u", 0, 0}, 2, 0, 1}}));
  EXPECT_THAT(facts.filters, ElementsAre("f"));
  EXPECT_TRUE(facts.has_reals);
  EXPECT_EQ(facts.mapping, "m");
  const std::string table = testing::Contents(path_ + "/" + facts.table.name);
  EXPECT_EQ(facts.table.rows, 3u);
  EXPECT_EQ(facts.table.bytes, table.size());
  EXPECT_EQ(facts.table.checksum, Crc32c(table));
  to.Add(slices_.Small(13));
  to.Finish();
  EXPECT_EQ(Facts(2).previous, facts.end);
  const ExportCounts counts = to.Counts();
  EXPECT_EQ(counts.snapshots, 2u);
  EXPECT_EQ(counts.windows.at(0).written, 2u);
  EXPECT_EQ(counts.slices->waiting, 0u);
  EXPECT_EQ(counts.slices->durable_until, Facts(2).end);
}

TEST_F(SliceExportTest, WhatAnEarlierRunWroteIsNotWrittenAgain) {
  const ExportedSlice first = slices_.Small(1);
  const ExportedSlice second = slices_.Small(2);
  const ExportedSlice third = slices_.Small(3);
  SliceExport& before = Open();
  before.Add(first);
  before.Add(second);
  before.Finish();
  const auto written = std::filesystem::last_write_time(path_ + "/slice-0000000002.parquet");
  SliceExport& after = Open();
  for (const ExportedSlice& slice : {first, second, third}) after.Add(slice);
  after.Finish();
  EXPECT_THAT(Numbers(), ElementsAre(1u, 2u, 3u));
  EXPECT_EQ(std::filesystem::last_write_time(path_ + "/slice-0000000002.parquet"), written);
  EXPECT_EQ(Facts(3).previous, Facts(2).end);
  EXPECT_EQ(after.Counts().windows.at(0).written, 1u);
  Open(Spec(), true);
  EXPECT_THAT(NamesIn(path_), IsEmpty()) << "a replay starts over";
}

TEST_F(SliceExportTest, TornFilesAreRemovedAtTheStartAndForeignOnesStay) {
  SliceExport& before = Open();
  before.Add(slices_.Small(1));
  before.Finish();
  export_.reset();
  for (const char* name : {"slice-0000000002.parquet", "slice-0000000003.parquet.new",
                           "slice-0000000002.json.new", "mine.parquet", "slice-x.parquet"}) {
    std::ofstream(path_ + "/" + name) << "x";
  }
  Open();
  EXPECT_THAT(NamesIn(path_), ElementsAre("mine.parquet", "slice-0000000001.json",
                                          "slice-0000000001.parquet", "slice-x.parquet"));
}

TEST_F(SliceExportTest, SlicesOfAnotherPaneAndDamagedManifestsAreRefusedWithTheirName) {
  SliceExport& before = Open();
  before.Add(slices_.Small(1));
  before.Finish();
  pane_ = std::chrono::seconds(5);
  const auto other_pane = TryOpen(Spec());
  ASSERT_FALSE(other_pane.ok());
  EXPECT_EQ(other_pane.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(other_pane.error().message, HasSubstr("its slices are of 10 s, and those of the "
                                                    "windows are of 5 s; give another path"));
  pane_ = std::chrono::seconds(10);
  EXPECT_TRUE(TryOpen(Spec()).ok());
  std::ofstream(path_ + "/slice-0000000001.json") << "{}";
  const auto damaged = TryOpen(Spec());
  ASSERT_FALSE(damaged.ok());
  EXPECT_THAT(damaged.error().message, HasSubstr("slice-0000000001.json"));
}

TEST_F(SliceExportTest, KeepRemovesWhatIsTooOldUnlessItIsLocked) {
  ExportSpec spec = Spec();
  spec.keep_for = std::chrono::seconds(30);
  SliceExport& to = Open(spec);
  const auto add = [&](std::int64_t number) {
    to.Add(slices_.Small(number));
    to.Finish();
  };
  for (std::int64_t number = 1; number <= 4; ++number) add(number);
  EXPECT_THAT(Numbers(), ElementsAre(2u, 3u, 4u));
  {
    const OwnedDescriptor lock(::open((path_ + "/slice-0000000002.json").c_str(), O_RDONLY));
    ASSERT_EQ(::flock(lock.number(), LOCK_SH), 0);
    add(5);
    EXPECT_THAT(Numbers(), ElementsAre(2u, 3u, 4u, 5u));
  }
  add(100);
  EXPECT_THAT(Numbers(), ElementsAre(6u)) << "the newest stays";
  EXPECT_EQ(to.Counts().slices->removed_early, 0u);
}

TEST_F(SliceExportTest, TheLimitRemovesTheOldestAndStopsASliceThatDoesNotFitAlone) {
  ExportSpec spec = Spec();
  SliceExport& first = Open(spec);
  first.Add(slices_.Small(1));
  first.Finish();
  spec.limit_bytes = 3 * first.Counts().bytes;
  SliceExport& to = Open(spec);
  for (std::int64_t number = 2; number <= 5; ++number) {
    to.Add(slices_.Small(number));
    to.Finish();
    EXPECT_LE(to.Counts().bytes, spec.limit_bytes);
  }
  EXPECT_THAT(Numbers(), ElementsAre(3u, 4u, 5u));
  EXPECT_EQ(to.Counts().slices->removed_early, 2u);
  for (int i = 0; i < 20'000; ++i) {
    slices_.Add({.seconds = 61 + i % 7, .source = "s" + std::to_string(i * 7919), .target = "t"});
  }
  to.Add(slices_.Close());
  to.Finish();
  ASSERT_TRUE(to.not_ready().has_value());
  EXPECT_THAT(*to.not_ready(), HasSubstr("does not fit into limit"));
  EXPECT_EQ(to.waiting(), 1u);
}

TEST_F(SliceExportTest, NothingIsDurableWhileTheDiskIsFullAndEverythingAfterwards) {
  SliceExport& to = Open(Spec(), false, 1);
  std::atomic<int> called = 0;
  {
    const DiskBound full(100);
    to.Add(slices_.Small(1));
    to.AfterDurable([&] { called = called * 10 + 1; });
    const Status durable = to.AwaitDurable();
    ASSERT_FALSE(durable.ok());
    EXPECT_THAT(durable.error().message, HasSubstr("slices are not written"));
    to.Add(slices_.Small(2));
    to.AfterDurable([&] { called = called * 10 + 2; });
    to.AfterDurable([&] { called = called * 10 + 3; });
    to.Finish();  // does not wait for what cannot be written
    EXPECT_EQ(called, 0);
    EXPECT_THAT(Numbers(), IsEmpty());
    EXPECT_EQ(to.Counts().slices->waiting, 2u);
    EXPECT_TRUE(to.Counts().is_failing);
  }
  to.AwaitRoom();  // the bound is one byte, so both are written
  while (called != 13) std::this_thread::yield();
  EXPECT_TRUE(to.AwaitDurable().ok());
  EXPECT_FALSE(to.not_ready().has_value());
  EXPECT_THAT(Numbers(), ElementsAre(1u, 2u));
  EXPECT_EQ(log_.lines().size(), 2u) << "one line when it begins, and one when it ends";
}

TEST_F(SliceExportTest, AStopWaitsForNothingAndLeavesWhatIsNotDurable) {
  SliceExport& to = Open(Spec(), false, 1);
  bool called = false;
  {
    const DiskBound full(100);
    to.Add(slices_.Small(1));
    EXPECT_FALSE(to.AwaitDurable().ok());
    std::jthread waits([&] { to.AwaitRoom(); });
    to.Stop();
  }
  to.AfterDurable([&] { called = true; });
  EXPECT_FALSE(called);
  EXPECT_FALSE(to.AwaitDurable().ok());
  EXPECT_EQ(to.waiting(), 1u);
  EXPECT_THAT(NamesIn(path_), IsEmpty());
}

TEST_F(SliceExportTest, AfterTheLastSliceWhatWaitsIsCalledAtOnce) {
  SliceExport& to = Open();
  to.Add(slices_.Small(1));
  to.Finish();
  to.Stop();
  bool called = false;
  to.AfterDurable([&] { called = true; });
  EXPECT_TRUE(called);
  EXPECT_TRUE(to.AwaitDurable().ok());
}

}  // namespace
}  // namespace sash
