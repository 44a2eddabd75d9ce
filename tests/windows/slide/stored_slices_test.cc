// Slices that one engine cut are the stream of another: it publishes the same windows, with the
// same counts, although it gets no records that were late or refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::kSecond;
using testing::ListedEdge;
using testing::Script;
using testing::ScriptRecord;

// What an advance of a window shows.
struct ToldAdvance {
  std::string window{};
  std::int64_t end = 0;
  std::vector<ListedEdge> edges{};
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  bool gap = false;
  friend bool operator==(const ToldAdvance&, const ToldAdvance&) = default;
};

void ToldInto(EngineHarness& harness, std::vector<ToldAdvance>& told) {
  harness.on_advance = [&](const AdvancePtr& advance) {
    const Provenance& about = advance->provenance;
    told.push_back({about.window, advance->end, testing::ListOut(advance->view, harness.keys),
                    about.late, about.refused, about.gap});
  };
}

// The slice as a batch of another engine's source.
EventBatch Stored(const ClosedSlice& closed, const EngineHarness& from, const EngineHarness& to) {
  const SliceAccount& account = closed.slice->account;
  EventBatch batch;
  batch.filters = to.filter_set();
  batch.pane = StoredPane{.begin = EventTime(Duration(closed.slice->begin)),
                          .end = EventTime(Duration(closed.slice->end)),
                          .is_whole = true,
                          .late = account.late,
                          .refused = account.refused,
                          .gap = account.gap};
  for (const PartitionLog& log : closed.logs->logs) {
    log.ForEachEvent([&](const BufferedEvent& event) {
      const std::size_t at = batch.events().size();
      batch.Add({.time = event.time,
                 .offset = event.offset,
                 .source = to.Key(testing::NumberOf(from.keys, event.source), batch),
                 .target = to.Key(testing::NumberOf(from.keys, event.target), batch),
                 .weight = event.weight,
                 .partition = event.partition,
                 .operation = event.operation});
      if (event.type != kNoType) {
        batch.NoteType(at, batch.Store(from.keys.types().WordOf(event.type)));
      }
      if (event.id.is_set()) batch.NoteId(at, event.id);
      if (event.edges_before > 0) batch.NotePlace(at, EdgePlace{.edge = event.edges_before});
      batch.NotePasses(at, event.passes, event.passes);
    });
  }
  return batch;
}

TEST(StoredSlicesTest, AnEngineOverTheSlicesPublishesTheSameWindows) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({310'000, 300});
  std::uint64_t compared = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::ScriptWriter writer(seed);
    Script script = writer.Write();
    if (seed % 3 == 0) writer.AddFilters(script);
    if (seed % 4 < 2) writer.AddTypes(script);
    std::erase_if(script.windows,
                  [](const WindowSpec& spec) { return spec.by != WindowAxis::kEventTime; });
    if (script.windows.empty()) continue;
    // At the end, records that were left out may have moved the clock beyond the last slice.
    std::erase_if(script.records, [](const ScriptRecord& record) { return record.filtered; });
    std::mt19937_64 random(seed);
    std::vector<ClosedSlice> slices;
    std::vector<ToldAdvance> expected;
    EngineHarness cutting(
        script.windows, script.policy, script.partitions, KeyKind::kInteger,
        [&](ClosedSlice slice) { slices.push_back(std::move(slice)); }, {}, {}, true);
    ToldInto(cutting, expected);
    cutting.Start();
    cutting.Feed(testing::Interleave(script, random));
    cutting.End();

    std::vector<ToldAdvance> found;
    EngineHarness reading(script.windows, {.dedupe_within = script.policy.dedupe_within},
                          script.partitions);
    ToldInto(reading, found);
    reading.Start();
    for (const ClosedSlice& slice : slices) {
      reading.engine().Process(Stored(slice, cutting, reading));
    }
    reading.End();
    ASSERT_EQ(found, expected);
    compared += found.size();
  }
  EXPECT_GT(compared, 5 * seeds.count);
}

// Windows of 3 s that advance each second, over slices of a second with an edge each.
class StoredSliceTest : public ::testing::Test {
 protected:
  StoredSliceTest() {
    harness_.on_advance = [this](const AdvancePtr& advance) {
      told_.emplace_back(advance->end / kSecond, advance->provenance.edges,
                         advance->provenance.gap);
    };
    harness_.Start();
  }
  // The event of the slice happened `earlier` before the slice begins.
  void Take(std::int64_t second, bool gap, bool lost_before, Duration earlier = Duration(0)) {
    EventBatch batch;
    batch.filters = harness_.filter_set();
    batch.pane = StoredPane{.begin = EventTime(Duration(second * kSecond)),
                            .end = EventTime(Duration((second + 1) * kSecond)),
                            .lost_before = lost_before,
                            .is_whole = true,
                            .gap = gap};
    batch.Add({.time = batch.pane->begin - earlier,
               .offset = second,
               .source = KeyRef::Integer(second),
               .target = KeyRef::Integer(1)});
    harness_.engine().Process(batch);
  }

  using Told = std::vector<std::tuple<std::int64_t, std::uint64_t, bool>>;
  Told told_;
  EngineHarness harness_{{{.name = "w", .length = 3 * kSecond, .slide = kSecond}}, {}};
};

TEST_F(StoredSliceTest, AGapIsInTheWindowsThatShowItsSlice) {
  for (std::int64_t second = 0; second < 6; ++second) Take(second, second == 2, false);
  EXPECT_EQ(
      told_,
      (Told{
          {1, 1, false}, {2, 2, false}, {3, 3, true}, {4, 3, true}, {5, 3, true}, {6, 3, false}}));
}

TEST_F(StoredSliceTest, ALostSliceIsAGapOfTheWindowsThatWouldShowIt) {
  for (const std::int64_t second : {0, 1, 3, 4, 5, 6}) Take(second, false, second == 3);
  EXPECT_EQ(told_, (Told{{1, 1, false},
                         {2, 2, false},
                         {3, 2, true},
                         {4, 2, true},
                         {5, 2, true},
                         {6, 3, false},
                         {7, 3, false}}));
}

TEST_F(StoredSliceTest, AnEventFromBeforeItsSliceWasMovedThere) {
  Take(0, false, false);
  Take(1, false, false);
  EXPECT_EQ(harness_.stats.moved, 0u);
  Take(2, false, false, Duration(1));
  EXPECT_EQ(harness_.stats.moved, 1u);
  EXPECT_EQ(told_, (Told{{1, 1, false}, {2, 2, false}, {3, 3, false}}));
}

}  // namespace
}  // namespace sash
