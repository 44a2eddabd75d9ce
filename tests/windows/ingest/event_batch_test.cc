#include "windows/ingest/event_batch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sash {
namespace {

// What the adds of the batch pass, and kPassesAll for removals.
std::vector<FilterBits> PassesIn(const EventBatch& batch) {
  std::vector<FilterBits> passes;
  for (const EdgeEvent& event : batch.events()) passes.push_back(batch.PassesOf(event));
  return passes;
}

void AddTo(EventBatch& batch, std::int64_t offset, Operation operation = Operation::kAdd) {
  batch.Add({.offset = offset, .operation = operation});
}

TEST(EventBatchTest, WithoutANoteAnEventPassesEveryFilterAndARemovalAlwaysDoes) {
  EventBatch batch;
  AddTo(batch, 0);
  const std::size_t plain = batch.bytes();
  EXPECT_EQ(PassesIn(batch), (std::vector<FilterBits>{kPassesAll}));
  AddTo(batch, 1);
  AddTo(batch, 1, Operation::kRemove);
  AddTo(batch, 1);
  batch.NotePasses(1, 5);
  AddTo(batch, 2);
  EXPECT_EQ(PassesIn(batch), (std::vector<FilterBits>{kPassesAll, 5, kPassesAll, 5, kPassesAll}));
  EXPECT_EQ(batch.bytes(), 5 * plain + 4 * sizeof(FilterBits));
}

TEST(EventBatchTest, WhatIsDroppedIsForgottenAndCopiesPassTheSame) {
  EventBatch batch;
  for (const std::int64_t offset : {0, 1, 2}) {
    AddTo(batch, offset);
    batch.NotePasses(batch.events().size() - 1, static_cast<FilterBits>(offset));
  }
  batch.DropAfter(1, 0);
  AddTo(batch, 7);
  AddTo(batch, 8);
  batch.NotePasses(2, 9);
  EXPECT_EQ(PassesIn(batch), (std::vector<FilterBits>{0, kPassesAll, 9}));
  EventBatch copy;
  AddTo(copy, 0);
  for (const std::size_t i : {0, 1, 2}) copy.AddCopy(batch, i, KeyKind::kInteger);
  EXPECT_EQ(PassesIn(copy), (std::vector<FilterBits>{kPassesAll, 0, kPassesAll, 9}));
}

FilterSetPtr SetOf(std::uint64_t generation, FilterTexts texts) {
  return std::make_shared<const FilterSet>(FilterSet{generation, std::move(texts)});
}

TEST(EventBatchTest, BetweenSetsOfFiltersBitsAreTranslatedByTheirTexts) {
  const FilterSetPtr first = SetOf(1, {"a", "b"});
  const FilterSetPtr second = SetOf(2, {"c", "b"});
  EventBatch batch;
  batch.filters = first;
  AddTo(batch, 0);
  AddTo(batch, 1, Operation::kRemove);
  batch.NotePasses(0, ~FilterBits{1}, ~FilterBits{3});
  AddTo(batch, 2);
  batch.NumberAs(second);
  EXPECT_EQ(PassesIn(batch),
            (std::vector<FilterBits>{~FilterBits{1}, ~FilterBits{2}, ~FilterBits{1}}))
      << "c did not judge, so removals pass it";
  EXPECT_EQ(batch.unjudged, 1u);
  EventBatch none;
  none.NumberAs(second);
  EXPECT_EQ(none.unjudged, 0u);
  EXPECT_EQ(none.filters, second);
}

TEST(EventBatchTest, ANewFilterOfTypesAloneJudgesTheEventsThatAreThere) {
  const FilterSetPtr set = SetOf(1, {R"(types: "x")", R"(types: "x", "y")", R"(types: "y"; /a)"});
  EventBatch batch;
  const auto add = [&](Operation operation, std::string_view type) {
    AddTo(batch, static_cast<std::int64_t>(batch.events().size()), operation);
    batch.NoteType(batch.events().size() - 1, batch.Store(type));
  };
  for (const char* type : {"x", "y", "z", ""}) add(Operation::kAdd, type);
  for (const char* type : {"y", "z", ""}) add(Operation::kRemove, type);
  add(Operation::kRemoveVertex, "z");
  EventBatch copy;
  copy.filters = set;
  for (std::size_t i = 0; i < batch.events().size(); ++i) {
    copy.AddCopy(batch, i, KeyKind::kInteger);
  }
  batch.NumberAs(set);
  for (const EventBatch* one : {&batch, &copy}) {
    std::vector<FilterBits> passes = PassesIn(*one);
    for (FilterBits& bits : passes) bits &= 7;
    EXPECT_EQ(passes, (std::vector<FilterBits>{3, 2, 0, 0, 6, 4, 7, 7}))
        << "an add passes no filter that needs its record; a removal does";
    EXPECT_EQ(one->unjudged, 4u);
  }
}

TEST(EventBatchTest, ACopyIntoABatchOfAnotherSetMakesItOneOfTheNewerSet) {
  const FilterSetPtr first = SetOf(0, {"a"});
  const FilterSetPtr second = SetOf(1, {"b"});
  const auto of = [](const FilterSetPtr& set, std::int64_t offset, FilterBits passes) {
    EventBatch batch;
    batch.filters = set;
    AddTo(batch, offset);
    batch.NotePasses(0, passes);
    return batch;
  };
  for (const bool older_first : {true, false}) {
    const EventBatch older = of(first, 0, ~FilterBits{0});
    const EventBatch newer = of(second, 1, ~FilterBits{0});
    EventBatch both;
    both.AddCopy(older_first ? older : newer, 0, KeyKind::kInteger);
    EXPECT_EQ(both.unjudged, 0u);
    both.AddCopy(older_first ? newer : older, 0, KeyKind::kInteger);
    EXPECT_EQ(both.filters, second);
    EXPECT_EQ(both.unjudged, 1u);
    EXPECT_EQ(both.PassesOf(both.events()[older_first ? 0 : 1]) & 1, 0u);
    EXPECT_EQ(both.PassesOf(both.events()[older_first ? 1 : 0]) & 1, 1u);
  }
  EventBatch more;
  more.filters = second;
  more.AddCopy(of(nullptr, 3, kPassesAll), 0, KeyKind::kInteger);
  EXPECT_EQ(more.unjudged, 1u) << "a batch that says nothing was judged by nothing";
  EXPECT_EQ(EventBatch::AsLargeAs(more).filters, second);
  more = EventBatch();
  EXPECT_TRUE(more.empty());
  more.begins_filters = true;
  EXPECT_FALSE(more.empty());
}

TEST(EventBatchTest, OnlyEventsWithANoteHaveAnIdAndCopiesHaveTheSame) {
  const auto ids_in = [](const EventBatch& batch) {
    std::vector<std::uint64_t> ids;
    for (const EdgeEvent& event : batch.events()) ids.push_back(batch.IdOf(event).low);
    return ids;
  };
  EventBatch batch;
  AddTo(batch, 0);
  const std::size_t plain = batch.bytes();
  EXPECT_FALSE(batch.IdOf(batch.events().front()).is_set());
  AddTo(batch, 1);
  AddTo(batch, 1);
  batch.NoteId(1, {.high = 1, .low = 5});
  AddTo(batch, 2);
  EXPECT_EQ(ids_in(batch), (std::vector<std::uint64_t>{0, 5, 5, 0}));
  EXPECT_EQ(batch.bytes(), 4 * plain + 3 * sizeof(EdgeId));  // of the first three
  AddTo(batch, 3);
  batch.NoteId(4, {.high = 0, .low = 7});
  batch.DropAfter(2, 0);
  AddTo(batch, 4);
  batch.NoteId(2, {.high = 0, .low = 9});
  EXPECT_EQ(ids_in(batch), (std::vector<std::uint64_t>{0, 5, 9}));
  EventBatch copy;
  AddTo(copy, 0);
  for (const std::size_t i : {0, 1, 2}) copy.AddCopy(batch, i, KeyKind::kInteger);
  EXPECT_EQ(ids_in(copy), (std::vector<std::uint64_t>{0, 0, 5, 9}));
}

TEST(EventBatchTest, ARemovalOfAnEdgeMayHaveBitsOfItsOwn) {
  EventBatch batch;
  for (const Operation operation :
       {Operation::kAdd, Operation::kRemove, Operation::kRemoveVertex}) {
    AddTo(batch, 0, operation);
  }
  batch.NotePasses(0, 1, 2);
  EXPECT_EQ(PassesIn(batch), (std::vector<FilterBits>{1, 2, kPassesAll}));
  EventBatch copy;
  for (const std::size_t i : {0, 1, 2}) copy.AddCopy(batch, i, KeyKind::kInteger);
  EXPECT_EQ(PassesIn(copy), PassesIn(batch));
}

std::vector<std::string> TypesIn(const EventBatch& batch) {
  std::vector<std::string> types;
  for (const EdgeEvent& event : batch.events()) types.emplace_back(batch.Text(batch.TypeOf(event)));
  return types;
}

TEST(EventBatchTest, EventsKeepTheirTypesWhenOthersAreDroppedOrCopied) {
  EventBatch batch;
  const std::size_t text_bytes = batch.text_bytes();
  AddTo(batch, 0);
  AddTo(batch, 1);
  AddTo(batch, 1);
  batch.NoteType(1, batch.Store("paid"));
  AddTo(batch, 2);
  EXPECT_EQ(TypesIn(batch), (std::vector<std::string>{"", "paid", "paid", ""}));
  EXPECT_EQ(batch.bytes(), 4 * sizeof(EdgeEvent) + 3 * sizeof(TextRef) + 4);
  EventBatch copy;
  copy.Store("other text");
  for (const std::size_t i : {0, 2, 3}) copy.AddCopy(batch, i, KeyKind::kInteger);
  EXPECT_EQ(TypesIn(copy), (std::vector<std::string>{"", "paid", ""}));
  batch.DropAfter(1, text_bytes);
  AddTo(batch, 5);
  EXPECT_EQ(TypesIn(batch), (std::vector<std::string>{"", ""}));
}

TEST(EventBatchTest, EventsKeepTheirPlacesWhenOthersAreDroppedOrCopied) {
  const auto places_in = [](const EventBatch& batch) {
    std::vector<std::string> places;
    for (const EdgeEvent& event : batch.events()) {
      const MappedPlace place{.mapping = "", .at = batch.PlaceOf(event)};
      places.push_back(MappedPlacesText({&place, 1}));
    }
    return places;
  };
  EventBatch batch;
  AddTo(batch, 0);
  AddTo(batch, 1);
  AddTo(batch, 1);
  batch.NotePlace(1, {2, 3});
  AddTo(batch, 2);
  EXPECT_EQ(places_in(batch), (std::vector<std::string>{"", "2/3", "2/3", ""}));
  EXPECT_EQ(batch.bytes(), 4 * sizeof(EdgeEvent) + 3 * sizeof(EdgePlace));
  EventBatch copy;
  for (const std::size_t i : {0, 2, 3}) copy.AddCopy(batch, i, KeyKind::kInteger);
  EXPECT_EQ(places_in(copy), (std::vector<std::string>{"", "2/3", ""}));
  batch.DropAfter(1, 0);
  AddTo(batch, 5);
  EXPECT_EQ(places_in(batch), (std::vector<std::string>{"", ""}));
}

TEST(EventBatchTest, TypesOfAJoinedRecordAreFoundInItsFirstCopy) {
  EventBatch batch;
  const auto add = [&](std::string_view type) {
    const std::size_t first = batch.events().size();
    const TextRef payload = batch.Store("{kind:paid}");
    batch.Add({.payload = payload});
    batch.NoteType(first, type.empty() ? TextRef{payload.begin + 6, 4} : batch.Store(type));
  };
  add("");
  add("");
  batch.JoinRecord(1, KeyKind::kInteger);
  add("login");
  batch.JoinRecord(2, KeyKind::kInteger);
  EXPECT_EQ(TypesIn(batch), (std::vector<std::string>{"paid", "paid", "login"}));
  EXPECT_EQ(batch.text_bytes(), 11u + 5u);
}

}  // namespace
}  // namespace sash
