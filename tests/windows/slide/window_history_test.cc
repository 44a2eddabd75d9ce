// Earlier windows of a small stream: which can be read, for how long, and by other threads.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::ScriptRecord;

constexpr std::int64_t kOneSlide = 1'000'000'000;

std::vector<WindowSpec> ReadableWindows(std::int64_t retain) {
  return {{.name = "w", .length = 3 * kOneSlide, .slide = kOneSlide, .retain = retain}};
}

// Second by second: `edges` edges in each.
std::vector<ScriptRecord> EdgesOfSecond(std::int64_t second, std::int64_t edges) {
  std::vector<ScriptRecord> records;
  for (std::int64_t i = 0; i < edges; ++i) {
    ScriptRecord record;
    record.time = second * kOneSlide + i;
    record.offset = second * edges + i;
    record.source = i % 7;
    record.target = second + i % 5;
    records.push_back(record);
  }
  return records;
}

WindowStatus HistoryStatus(EngineHarness& harness) { return harness.engine().Find("w").value(); }

std::uint64_t EdgesShown(const Advance& advance) {
  return VisitView(advance.view, [](const auto& graph) { return graph.edge_count(); });
}

TEST(WindowHistoryTest, AWindowThatIsReadTwiceIsMadeOnceUntilTheWindowHasAdvancedTwice) {
  EngineHarness harness(ReadableWindows(20 * kOneSlide), {});
  harness.Start();
  for (std::int64_t second = 0; second < 5; ++second) harness.Feed(EdgesOfSecond(second, 10));
  const WindowStatus window = HistoryStatus(harness);
  const WindowHistory::Past past = window.history->Oldest().value();
  const AdvancePtr first = harness.engine().Read(window, past);
  EXPECT_EQ(first, harness.engine().Read(window, past));
  harness.Feed(EdgesOfSecond(5, 10));
  EXPECT_EQ(first, harness.engine().Read(window, past));  // and is read again
  for (std::int64_t second = 6; second < 9; ++second) harness.Feed(EdgesOfSecond(second, 10));
  const AdvancePtr again = harness.engine().Read(window, past);
  EXPECT_NE(first, again);
  EXPECT_EQ(EdgesShown(*first), EdgesShown(*again));
}

TEST(WindowHistoryTest, WithAnotherRetainTheHistoryGoesOn) {
  EngineHarness harness(ReadableWindows(2 * kOneSlide), {});
  harness.Start();
  for (std::int64_t second = 0; second < 10; ++second) harness.Feed(EdgesOfSecond(second, 10));
  EXPECT_EQ(HistoryStatus(harness).history->List().size(), 3U);
  ASSERT_TRUE(harness.PutWindows(ReadableWindows(4 * kOneSlide)).ok());
  EXPECT_EQ(HistoryStatus(harness).history->List().size(), 3U);
  for (std::int64_t second = 10; second < 15; ++second) harness.Feed(EdgesOfSecond(second, 10));
  const WindowStatus longer = HistoryStatus(harness);
  ASSERT_EQ(longer.history->List().size(), 5U);
  for (const WindowHistory::Past& past : longer.history->List()) {
    const AdvancePtr read = harness.engine().Read(longer, past);
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(EdgesShown(*read), past.provenance.edges);
  }
  EXPECT_EQ(longer.newest->provenance.snapshot.value,
            longer.history->List().back().provenance.snapshot.value);
  ASSERT_TRUE(harness.PutWindows(ReadableWindows(0)).ok());
  EXPECT_EQ(HistoryStatus(harness).history, nullptr);
}

TEST(WindowHistoryTest, SpecsThatCannotHaveAHistoryAreRefused) {
  EngineHarness harness(ReadableWindows(kOneSlide), {});
  harness.Start();
  WindowSpec forever = ReadableWindows(kOneSlide).front();
  forever.name = "forever";
  forever.length.reset();
  EXPECT_FALSE(harness.AddWindow(forever).ok());
  WindowSpec rebuilt = ReadableWindows(kOneSlide).front();
  rebuilt.name = "rebuilt";
  rebuilt.implementation = StoreKind::kRebuild;
  EXPECT_FALSE(harness.AddWindow(rebuilt).ok());
}

TEST(WindowHistoryTest, OtherThreadsReadWhileTheWindowMoves) {
  EngineHarness harness(ReadableWindows(6 * kOneSlide), {});
  harness.Start();
  harness.on_advance = [](const AdvancePtr&) {};
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> read = 0;
  std::vector<std::thread> readers;
  for (std::size_t r = 0; r < 2; ++r) {
    readers.emplace_back([&, r] {
      for (std::size_t i = r; !done; ++i) {
        const WindowStatus window = HistoryStatus(harness);
        const std::vector<WindowHistory::Past> listed = window.history->List();
        if (listed.empty()) continue;
        const WindowHistory::Past& past = listed[i % listed.size()];
        const AdvancePtr advance = harness.engine().Read(window, past);
        if (advance == nullptr) continue;  // forgotten meanwhile
        EXPECT_EQ(EdgesShown(*advance), past.provenance.edges);
        ++read;
      }
    });
  }
  for (std::int64_t second = 0; second < 60 || read < 200; ++second) {
    harness.Feed(EdgesOfSecond(second, 50));
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace sash
