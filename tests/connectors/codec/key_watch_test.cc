#include "connectors/codec/key_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Pairs = std::vector<std::pair<std::string, std::string>>;

void AddEdge(EventBatch& batch, const std::string& source, const std::string& target) {
  const TextRef payload = batch.Store(source + "," + target);
  const KeyRef from = KeyRef::Text(batch.Store(source));
  const KeyRef to = KeyRef::Text(batch.Store(target));
  EdgeEvent& event = batch.Add();
  event.offset = static_cast<std::int64_t>(batch.events().size()) - 1;
  event.source = from;
  event.target = to;
  event.payload = payload;
}

std::vector<std::string> WarningsOf(const Pairs& pairs) {
  EventBatch batch;
  for (const auto& [source, target] : pairs) AddEdge(batch, source, target);
  batch.end_of_source = true;
  KeyWatch watch(KeyKind::kString);
  watch.Look(batch);
  EXPECT_TRUE(watch.IsDone());
  return watch.Warnings();
}

// Edges; `share` percent of them end at `key`.
Pairs With(const std::string& key, std::size_t edges, std::size_t share) {
  Pairs pairs;
  for (std::size_t i = 0; i < edges; ++i) {
    const bool marked = (i * share) / 100 != ((i + 1) * share) / 100;
    pairs.emplace_back("a" + std::to_string(i), marked ? key : "b" + std::to_string(i));
  }
  return pairs;
}

TEST(KeyWatchTest, PlaceholdersAreReported) {
  for (const char* key : {"NULL", "null", "-", "N/A", "\\N", "nan", "None", " ", "undefined",
                          "0x0000000000000000000000000000000000000000"}) {
    EXPECT_THAT(WarningsOf(With(key, 200, 5)),
                ElementsAre(AllOf(HasSubstr("is in 10 of the first 200 edges"), HasSubstr(key))));
  }
  EXPECT_THAT(WarningsOf(With("NULL", 60, 66)), ElementsAre(HasSubstr("\"NULL\"")));
  EXPECT_THAT(WarningsOf(With("NULL", 1000, 1)), IsEmpty());
  EXPECT_THAT(WarningsOf({{"a", "-"}, {"b", "-"}, {"c", "d"}}), IsEmpty());
}

TEST(KeyWatchTest, FilteredRecordsAreNotCounted) {
  EventBatch batch;
  for (std::size_t i = 0; i < 2 * KeyWatch::kRecords; ++i) batch.Add({.filtered = true});
  KeyWatch watch(KeyKind::kString);
  watch.Look(batch);
  EXPECT_FALSE(watch.IsDone());
  EventBatch edges;
  for (const auto& [source, target] : With("NULL", 200, 5)) AddEdge(edges, source, target);
  edges.end_of_source = true;
  watch.Look(edges);
  EXPECT_THAT(watch.Warnings(), ElementsAre(HasSubstr("is in 10 of the first 200 edges")));
}

TEST(KeyWatchTest, ZeroMayBeAVertex) {
  EXPECT_THAT(WarningsOf(With("0", 100, 20)), IsEmpty());
  EXPECT_THAT(WarningsOf(With("0", 100, 40)), ElementsAre(HasSubstr("\"0\"")));
  EXPECT_THAT(WarningsOf({{"0", "1"}, {"0", "2"}, {"2", "0"}, {"3", "2"}}), IsEmpty());
}

TEST(KeyWatchTest, ARealHubIsNotReported) {
  EXPECT_THAT(WarningsOf(With("hub-1", 1000, 60)), IsEmpty());
  EXPECT_THAT(WarningsOf(With("hub-1", 1000, 89)), IsEmpty());
  EXPECT_THAT(WarningsOf(With("hub-1", 40, 100)), IsEmpty());
}

TEST(KeyWatchTest, OneKeyInNearlyAllEdgesIsReported) {
  EXPECT_THAT(WarningsOf(With("TRANSFER", 1000, 100)),
              ElementsAre(AllOf(HasSubstr("\"TRANSFER\" is in 1000 of the first 1000 edges"),
                                HasSubstr("source.format"))));
}

TEST(KeyWatchTest, KeysThatNameFieldsLookLikeAHeader) {
  for (const auto& [source, target] :
       Pairs{{"from", "to"}, {"Source", "Target"}, {"# FromNodeId", "ToNodeId"}, {"src", "dst"}}) {
    Pairs pairs = With("x", 20, 0);
    pairs.insert(pairs.begin() + 7, {source, target});
    const auto warnings = WarningsOf(pairs);
    ASSERT_FALSE(warnings.empty()) << source;
    EXPECT_THAT(warnings[0], AllOf(HasSubstr("looks like a header"), HasSubstr(source),
                                   HasSubstr("at offset 7")));
  }
  EXPECT_THAT(
      WarningsOf({{"Alpha", "Beta"}, {"1", "2"}, {"2", "3"}, {"3", "4"}, {"4", "5"}, {"5", "6"}}),
      ElementsAre(HasSubstr("\"Alpha\" -> \"Beta\" at offset 0 looks like a header")));
  EXPECT_THAT(WarningsOf({{"alice", "bob"},
                          {"bob", "carol"},
                          {"1", "2"},
                          {"2", "3"},
                          {"3", "4"},
                          {"4", "5"},
                          {"5", "6"}}),
              IsEmpty());
}

TEST(KeyWatchTest, RowsThatBeginLikeCommentsAreReported) {
  EXPECT_THAT(WarningsOf({{"# Nodes", "4 Edges"}, {"0", "1"}, {"0", "2"}, {"2", "0"}, {"3", "2"}}),
              ElementsAre(HasSubstr("1 of the first 5 edges are rows that begin like comments")));
  Pairs tags;
  for (int i = 0; i < 30; ++i) tags.emplace_back("#tag" + std::to_string(i), "#more");
  tags.resize(30);
  EXPECT_THAT(WarningsOf(tags), IsEmpty());
}

TEST(KeyWatchTest, ItLooksAwayAfterTheFirstRecords) {
  KeyWatch watch(KeyKind::kString);
  EventBatch first;
  for (int i = 0; i < 600; ++i) AddEdge(first, "a" + std::to_string(i), "b");
  for (int i = 0; i < 399; ++i) first.AddMark(Mark::Kind::kRefused, 0, 600 + i);
  watch.Look(first);
  EXPECT_FALSE(watch.IsDone());
  EventBatch second;
  for (int i = 0; i < 500; ++i) AddEdge(second, "NULL", "c" + std::to_string(i));
  watch.Look(second);
  EXPECT_TRUE(watch.IsDone());
  EXPECT_THAT(watch.Warnings(), ElementsAre(HasSubstr("\"b\" is in 600 of the first 601 edges")));
}

TEST(KeyWatchTest, LongKeysAreNotKept) {
  EXPECT_THAT(WarningsOf(With(std::string(1 << 20, 'x'), 60, 100)), IsEmpty());
}

}  // namespace
}  // namespace sash
