#include "daemon/http/edge_tap.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

class EdgeTapTest : public ::testing::Test {
 protected:
  // Edges a -> b with offsets from `first` on; at offsets divisible by `every`, edges c -> d.
  static EventBatch Edges(std::int64_t first, std::int64_t count, std::int64_t every = 1'000'000) {
    EventBatch batch;
    for (std::int64_t offset = first; offset < first + count; ++offset) {
      const bool other = offset % every == 0;
      EdgeEvent& event = batch.Add();
      event.offset = offset;
      event.source = KeyRef::Text(batch.Store(other ? "c" : "a"));
      event.target = KeyRef::Text(batch.Store(other ? "d" : "b"));
    }
    return batch;
  }

  void Pass(const EventBatch& batch) { tap_.Pass(&batch); }

  static std::vector<TappedEdge> TakeAll(EdgeTap::Reader& reader) {
    std::vector<TappedEdge> edges;
    while (std::optional<TappedEdge> edge = reader.Take()) edges.push_back(*std::move(edge));
    return edges;
  }

  ManualClock clock_;
  EdgeTap tap_{KeyKind::kString, clock_};
};

TEST_F(EdgeTapTest, ASlowStreamIsSeenWhole) {
  const auto reader = tap_.Open({});
  Pass(Edges(0, 40));
  clock_.Advance(std::chrono::seconds(1));
  Pass(Edges(40, 40));
  const std::vector<TappedEdge> edges = TakeAll(*reader);
  ASSERT_EQ(edges.size(), 80u);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    EXPECT_EQ(edges[i].offset, static_cast<std::int64_t>(i));
    EXPECT_EQ(edges[i].skipped, 0u);
  }
  EXPECT_EQ(edges[1].source, VertexKey("a"));
  EXPECT_EQ(edges[1].target, VertexKey("b"));
}

TEST_F(EdgeTapTest, FilteredEventsAreNotEdges) {
  const auto reader = tap_.Open({});
  EventBatch batch = Edges(0, 2);
  batch.Add({.offset = 2, .filtered = true});
  const EventBatch more = Edges(3, 1);
  batch.AddCopy(more, 0, KeyKind::kString);
  Pass(batch);
  const std::vector<TappedEdge> edges = TakeAll(*reader);
  ASSERT_EQ(edges.size(), 3u);
  EXPECT_EQ(edges[2].offset, 3);
  EXPECT_EQ(edges[2].skipped, 0u);
}

TEST_F(EdgeTapTest, OfAFastStreamItShowsAnEvenSampleAtTheRateAndCountsTheRest) {
  const auto reader = tap_.Open({.rate = 100});
  Pass(Edges(0, 4000));
  Pass(Edges(4000, 4000));
  clock_.Advance(milliseconds(100));
  Pass(Edges(8000, 4000));
  const std::vector<TappedEdge> edges = TakeAll(*reader);
  ASSERT_EQ(edges.size(), 110u) << "a second's worth at the start, then a tenth of that";
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(edges[i].skipped, 39u) << i;
  EXPECT_EQ(edges[100].skipped, 4000u + 399u);
  std::uint64_t counted = 0;
  for (const TappedEdge& edge : edges) counted += edge.skipped + 1;
  EXPECT_EQ(counted, static_cast<std::uint64_t>(edges.back().offset) + 1);
}

TEST_F(EdgeTapTest, AReaderThatTakesNothingLosesAndIsToldHowMuch) {
  const auto slow = tap_.Open({.rate = EdgeTap::kMostRate});
  const auto quick = tap_.Open({.rate = EdgeTap::kMostRate});
  std::size_t got = 0;
  for (int i = 0; i < 30; ++i) {
    Pass(Edges(i * 100, 100));
    clock_.Advance(milliseconds(100));
    got += TakeAll(*quick).size();
  }
  EXPECT_EQ(got, 3000u);
  const std::vector<TappedEdge> kept = TakeAll(*slow);
  ASSERT_EQ(kept.size(), EdgeTap::kRing);
  Pass(Edges(3000, 100));
  const std::vector<TappedEdge> then = TakeAll(*slow);
  ASSERT_EQ(then.size(), 100u);
  std::uint64_t counted = then[0].skipped;
  for (const TappedEdge& edge : kept) counted += edge.skipped + 1;
  EXPECT_EQ(counted, 3000u);
}

TEST_F(EdgeTapTest, AReaderThatWantsAVertexGetsItsEdgesAlone) {
  const auto from = tap_.Open({.key = VertexKey("c"), .rate = 10});
  const auto to = tap_.Open({.key = VertexKey("d")});
  const auto none = tap_.Open({.key = VertexKey("cc")});
  Pass(Edges(1, 200, 50));  // 50, 100, 150, 200
  EXPECT_EQ(TakeAll(*from).size(), 4u);
  EXPECT_EQ(TakeAll(*to).size(), 4u);
  EXPECT_TRUE(TakeAll(*none).empty());
  Pass(Edges(300, 100, 10));  // 10 match, but the rate allows 6
  const std::vector<TappedEdge> edges = TakeAll(*from);
  ASSERT_EQ(edges.size(), 6u);
  std::uint64_t counted = 0;
  for (const TappedEdge& edge : edges) counted += edge.skipped + 1;
  EXPECT_EQ(counted, 10u);
}

TEST_F(EdgeTapTest, ARemovedVertexHasNoTargetThatCouldBeWanted) {
  EventBatch batch;
  EdgeEvent& event = batch.Add();
  event.source = KeyRef::Text(batch.Store("x"));
  event.target = KeyRef::Text(TextRef{0, 1});
  event.operation = Operation::kRemoveVertex;
  const auto all = tap_.Open({});
  const auto of_x = tap_.Open({.key = VertexKey("x")});
  Pass(batch);
  EXPECT_EQ(TakeAll(*all).at(0).operation, Operation::kRemoveVertex);
  EXPECT_EQ(TakeAll(*of_x).at(0).source, VertexKey("x"));
}

TEST_F(EdgeTapTest, IntegerKeysAreIntegers) {
  EdgeTap tap(KeyKind::kInteger, clock_);
  const auto reader = tap.Open({.key = VertexKey(std::int64_t{-5})});
  EventBatch batch;
  for (const std::int64_t source : {-5, 5}) {
    EdgeEvent& event = batch.Add();
    event.source = KeyRef::Integer(source);
    event.target = KeyRef::Integer(7);
  }
  tap.Pass(&batch);
  const std::vector<TappedEdge> edges = TakeAll(*reader);
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_EQ(edges[0].source, VertexKey(std::int64_t{-5}));
}

TEST_F(EdgeTapTest, ReadersAreFewAndWhoLeavesMakesRoom) {
  std::vector<std::unique_ptr<EdgeTap::Reader>> readers;
  for (std::size_t i = 0; i < EdgeTap::kMostReaders; ++i) readers.push_back(tap_.Open({}));
  EXPECT_NE(readers.back(), nullptr);
  EXPECT_EQ(tap_.Open({}), nullptr);
  readers.pop_back();
  const auto next = tap_.Open({});
  ASSERT_NE(next, nullptr);
  Pass(Edges(0, 3));
  EXPECT_EQ(TakeAll(*next).size(), 3u);
}

TEST_F(EdgeTapTest, ItSaysThatThereIsSomethingSoonButNotForEachBatch) {
  int calls = 0;
  tap_.OnFilled([&] { ++calls; });
  Pass(Edges(0, 1));
  EXPECT_EQ(calls, 0) << "no readers";
  const auto reader = tap_.Open({});
  for (int i = 0; i < 10; ++i) Pass(Edges(i, 1));
  EXPECT_EQ(calls, 1);
  clock_.Advance(milliseconds(60));
  tap_.Pass(nullptr);
  EXPECT_EQ(calls, 2) << "edges since the last call are passed without a new batch";
  clock_.Advance(milliseconds(60));
  tap_.Pass(nullptr);
  EXPECT_EQ(calls, 2);
}

TEST_F(EdgeTapTest, ReadersComeTakeAndGoWhileBatchesPass) {
  std::jthread engine([this](const std::stop_token& stop) {
    const EventBatch batch = Edges(0, 100);
    while (!stop.stop_requested()) {
      clock_.Advance(milliseconds(10));
      Pass(batch);
    }
  });
  for (int i = 0; i < 30; ++i) {
    const auto reader = tap_.Open({.rate = EdgeTap::kMostRate});
    ASSERT_NE(reader, nullptr);
    for (int taken = 0; taken < 20;) {
      const std::optional<TappedEdge> edge = reader->Take();
      if (!edge) {
        std::this_thread::yield();
        continue;
      }
      ASSERT_EQ(edge->target, VertexKey(edge->offset == 0 ? "d" : "b"));
      ++taken;
    }
  }
}

}  // namespace
}  // namespace sash
