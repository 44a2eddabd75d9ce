// Engines without windows, each of which reads some partitions of a stream: their slices, put
// together, are those of one engine that reads all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/seed_range.h"
#include "windows/ingest/stream_shard.h"
#include "windows/slide/window_engine.h"

namespace sash {
namespace {

using std::chrono::seconds;
using testing::RefusalRecorder;

constexpr Duration kShardPane = seconds(10);
constexpr std::int32_t kPartitions = 6;

struct ShardRecord {
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::optional<std::int64_t> second{};  // of event time; empty: the record is refused
};

struct CutSlice {
  std::set<std::pair<std::int32_t, std::int64_t>> places{};  // partition, offset
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  friend bool operator==(const CutSlice&, const CutSlice&) = default;
};

// By the begin of the pane, in seconds.
using CutSlices = std::map<std::int64_t, CutSlice>;

TimePolicy ShardPolicy() {
  TimePolicy policy;
  policy.disorder = seconds(5);
  policy.idle_after = seconds(60);
  policy.late = LatePolicy::kDrop;
  policy.check_ahead = false;
  return policy;
}

std::int64_t SecondOf(Position position) { return position / Duration(seconds(1)).count(); }

class OthersSay final : public OtherPartitions {
 public:
  Standing Now() const override { return standing; }
  Standing standing{};
};

class ShardEngine final : private EngineListener {
 public:
  // Without a shard: one engine with a window, which reads everything.
  explicit ShardEngine(std::optional<StreamShard> shard) : shard_(shard) {
    EngineSurroundings around{keys_, partitions_, clock, refusals_, stats_, progress_, *this};
    std::vector<WindowSpec> windows;
    if (shard_) {
      around.alone = SlicesAlone{.pane = kShardPane};
      around.others = &others;
    } else {
      WindowSpec& window = windows.emplace_back();
      window.name = "w";
      window.length = window.slide = kShardPane.count();
    }
    engine_.emplace(windows, ShardPolicy(), std::move(around));
    EventBatch batch;
    batch.start.emplace();
    for (std::int32_t p = 0; p < kPartitions; ++p) {
      const PartitionIndex index = partitions_.Index("t", p);
      if (!shard_ || shard_->Has(p)) batch.start->partitions.push_back(index);
    }
    engine_->Process(batch);
  }

  void Read(const ShardRecord& record) {
    if (shard_ && !shard_->Has(record.partition)) return;
    const PartitionIndex index = partitions_.Index("t", record.partition);
    EventBatch batch;
    if (record.second) {
      batch.Add({.time = EventTime(seconds(*record.second)),
                 .offset = record.offset,
                 .source = KeyRef::Integer(record.partition),
                 .target = KeyRef::Integer(record.offset),
                 .partition = index});
    } else {
      batch.AddMark(Mark::Kind::kRefused, index, record.offset);
    }
    engine_->Process(batch);
  }
  void CatchUp() {
    EventBatch batch;
    for (PartitionIndex p = 0; p < partitions_.size(); ++p) {
      if (engine_->IsRead(p)) batch.AddMark(Mark::Kind::kCaughtUp, p);
    }
    engine_->Process(batch);
  }
  void End() {
    EventBatch batch;
    batch.end_of_source = true;
    engine_->Process(batch);
  }

  WindowEngine& engine() { return *engine_; }
  std::optional<EventTime> Watermark() { return engine_->progress_board().Read().watermark; }

  ManualClock clock;
  OthersSay others;
  CutSlices slices;
  std::vector<std::pair<std::int64_t, PaneCounts>> apart;  // the begin of the slice they came with

 private:
  void OnAdvance(AdvancePtr) override {}
  bool keeps_slices() const override { return true; }
  bool keeps_places() const override { return true; }
  void OnSlice(ClosedSlice closed) override {
    const std::int64_t begin = SecondOf(closed.slice->begin);
    CutSlice& slice = slices[begin];
    slice.late = closed.slice->account.late;
    slice.refused = closed.slice->account.refused;
    for (const PartitionLog& log : closed.logs->logs) {
      log.ForEachEvent([&](const BufferedEvent& event) {
        slice.places.emplace(partitions_.At(event.partition).partition, event.offset);
      });
    }
    for (const PaneCounts& each : closed.logs->apart) apart.emplace_back(begin, each);
  }

  const std::optional<StreamShard> shard_;
  VertexDictionary keys_{KeyKind::kInteger};
  PartitionTable partitions_;
  RefusalRecorder refusals_;
  EngineStats stats_;
  StreamProgress progress_;
  std::optional<WindowEngine> engine_;
};

// A count belongs to the slice of its pane, or else to the next slice; without a pane, to the
// first.
void Place(const PaneCounts& counts, CutSlices& slices) {
  const auto at = counts.begin
                      ? slices.lower_bound(SecondOf(counts.begin->time_since_epoch().count()))
                      : slices.begin();
  if (at == slices.end()) return;
  at->second.late += counts.late;
  at->second.refused += counts.refused;
}

CutSlices Union(const std::vector<std::unique_ptr<ShardEngine>>& shards) {
  CutSlices all;
  for (const auto& shard : shards) {
    for (const auto& [begin, slice] : shard->slices) {
      CutSlice& sum = all[begin];
      sum.places.insert(slice.places.begin(), slice.places.end());
      sum.late += slice.late;
      sum.refused += slice.refused;
    }
  }
  for (const auto& shard : shards) {
    for (const auto& [begin, counts] : shard->apart) Place(counts, all);
    for (const PaneCounts& counts : shard->engine().StandingOfSlices().counts) Place(counts, all);
  }
  return all;
}

// Each partition goes on at its own pace; some records are late, and some are refused.
std::vector<ShardRecord> RandomRecords(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t most) { return random() % most; };
  std::vector<std::int64_t> clocks;
  std::vector<std::int64_t> offsets(kPartitions, 0);
  std::vector<std::uint64_t> steps;
  for (std::int32_t p = 0; p < kPartitions; ++p) {
    clocks.push_back(static_cast<std::int64_t>(below(300)));
    steps.push_back(1 + below(40));
  }
  std::vector<ShardRecord> records;
  for (int i = 0; i < 400; ++i) {
    const auto p = static_cast<std::size_t>(below(kPartitions));
    ShardRecord record{.partition = static_cast<std::int32_t>(p), .offset = offsets[p]++};
    if (below(5) != 0) {
      clocks[p] += static_cast<std::int64_t>(below(steps[p]));
      const auto back = static_cast<std::int64_t>(below(3) == 0 ? below(30) : 0);
      record.second = std::max<std::int64_t>(0, clocks[p] - back);
    }
    records.push_back(record);
  }
  return records;
}

TEST(ShardsTest, TheUnionOfTheirSlicesIsThatOfOneEngine) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({.first = 1, .count = 300});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::vector<ShardRecord> records = RandomRecords(random);
    ShardEngine whole({});
    std::vector<std::unique_ptr<ShardEngine>> shards;
    const std::int32_t of = 1 + static_cast<std::int32_t>(random() % 4);
    for (std::int32_t number = 1; number <= of; ++number) {
      shards.push_back(std::make_unique<ShardEngine>(StreamShard{number, of}));
    }
    for (const ShardRecord& record : records) {
      whole.Read(record);
      for (const auto& shard : shards) shard->Read(record);
    }
    whole.End();
    for (const auto& shard : shards) shard->End();
    ASSERT_EQ(Union(shards), whole.slices);
  }
}

TEST(ShardsTest, ClosedSlicesAreReadAgainNoMore) {
  ShardEngine shard(StreamShard{1, 6});  // partition 0
  shard.Read({0, 0, 3});
  shard.Read({0, 1, 14});
  shard.Read({0, 2, {}});
  EXPECT_EQ(shard.engine().Rewind().positions.at(0).offset, 0) << "nothing has closed";
  shard.Read({0, 3, 17});
  ASSERT_EQ(shard.slices.size(), 1u);
  EXPECT_EQ(shard.engine().Rewind().positions.at(0).offset, 1) << "the first of the open slice";
  EXPECT_EQ(shard.engine().StandingOfSlices().closed_until, EventTime(seconds(10)));
}

TEST(ShardsTest, CountsOfPanesWithoutEventsAreToldUntilASliceHasThem) {
  ShardEngine shard(StreamShard{1, 1});
  for (std::int32_t p = 1; p < kPartitions; ++p) shard.Read({p, 0, 500});
  shard.Read({0, 0, {}});
  shard.Read({0, 1, 3});
  shard.Read({0, 2, {}});
  const auto standing = [&] { return shard.engine().StandingOfSlices(); };
  EXPECT_THAT(standing().counts,
              ::testing::ElementsAre(PaneCounts{{}, 0, 1}, PaneCounts{EventTime(), 0, 1}));
  shard.Read({0, 3, 500});
  EXPECT_TRUE(standing().counts.empty());
  ASSERT_EQ(shard.apart.size(), 1u);
  EXPECT_EQ(shard.apart[0].first, 0);
  EXPECT_EQ(shard.apart[0].second, (PaneCounts{{}, 0, 1}));
  EXPECT_EQ(shard.slices.at(0).refused, 1u);
}

TEST(ShardsTest, AnIdleShardFollowsTheOthers) {
  ShardEngine shard(StreamShard{1, 6});
  shard.Read({0, 0, 3});
  shard.CatchUp();
  shard.others.standing.until = EventTime(seconds(25));
  shard.engine().Tick();
  EXPECT_TRUE(shard.slices.empty()) << "its partition is not idle yet";
  shard.clock.Advance(seconds(61));
  shard.others.standing.until.reset();
  shard.engine().Tick();
  EXPECT_TRUE(shard.slices.empty()) << "it is not known how far the others are";
  shard.others.standing.until = EventTime(seconds(25));
  shard.engine().Tick();
  EXPECT_EQ(shard.slices.size(), 1u);
  EXPECT_EQ(shard.Watermark(), EventTime(seconds(25)));
  EXPECT_EQ(shard.engine().StandingOfSlices().closed_until, EventTime(seconds(20)));
  shard.others.standing.until = EventTime(seconds(22));
  shard.engine().Tick();
  EXPECT_EQ(shard.Watermark(), EventTime(seconds(25))) << "it never falls";
}

TEST(ShardsTest, WindowsCannotJoin) {
  ShardEngine shard(StreamShard{1, 2});
  WindowSpec window;
  window.name = "w";
  window.length = window.slide = kShardPane.count();
  PendingCommand joined = shard.engine().PutWindows({window});
  shard.engine().Tick();
  EXPECT_EQ(joined.get().error().message, "this process has no windows");
}

}  // namespace
}  // namespace sash
