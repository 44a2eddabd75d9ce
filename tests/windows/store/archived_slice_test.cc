#include "windows/store/archived_slice.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/support/store_script.h"
#include "windows/store/visible_edges.h"

namespace sash {
namespace {

using testing::Add;
using testing::MakeSlice;
using testing::Remove;

// The adds of a slice, as text.
std::vector<std::string> AddsOf(const Slice& slice) {
  std::vector<std::string> adds;
  for (std::size_t i = 0; i < slice.size(); ++i) {
    if (slice.operation(i) != Operation::kAdd) continue;
    const Weight weight = slice.weights[i];
    adds.push_back(std::to_string(slice.sources[i]) + ">" + std::to_string(slice.targets[i]) +
                   (weight.is_integer() ? "=" : "~") + std::to_string(weight.AsDouble()));
  }
  return adds;
}

ArchivedSlice Archived(const std::vector<testing::StoreOperation>& operations) {
  return ArchivedSlice(MakeSlice(1, operations), DuplicatesPolicy::kWeigh, EdgeIdentity::kPair);
}

// The copies of an edge whose sum is not exact are kept, because later windows need them.
TEST(ArchivedSliceTest, WhatEnteredHasNoEdgesThatTheSliceEndedAlsoWhereSumsAreNotExact) {
  const ArchivedSlice archived = Archived({Add(1, 2, Weight::Real(0.25)), Add(3, 4), Remove(3, 4),
                                           Add(1, 2, Weight::Real(0.5)), Add(5, 6)});
  EXPECT_EQ(AddsOf(*archived.Unpack()),
            (std::vector<std::string>{"1>2~0.250000", "1>2~0.500000", "5>6=1.000000"}));
  EXPECT_EQ(AddsOf(*archived.UnpackEntered(EdgeIdentity::kPair)),
            (std::vector<std::string>{"1>2~0.750000", "5>6=1.000000"}));
  EXPECT_EQ(archived.edges(), 2u);
}

TEST(ArchivedSliceTest, IntegersOfAnEdgeAreOneAddBeforeItsOtherWeightsInTheirOrder) {
  const ArchivedSlice archived =
      Archived({Add(1, 2, Weight::Real(0.5)), Add(1, 2, Weight::Integer(3)),
                Add(1, 2, Weight::Real(0.25)), Add(1, 2, Weight::Integer(-1))});
  EXPECT_EQ(AddsOf(*archived.Unpack()),
            (std::vector<std::string>{"1>2=2.000000", "1>2~0.500000", "1>2~0.250000"}));
  EXPECT_EQ(archived.edges(), 1u);
}

TEST(ArchivedSliceTest, IntegersBeyond64BitsAreSeveralAddsWithTheSameSum) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t weight : {kMost, kLeast}) {
    const Weight each = Weight::Integer(weight);
    const auto slice = Archived({Add(1, 2, each), Add(1, 2, each), Add(1, 2, each)}).Unpack();
    WeightSum sum;
    WeightSum expected;
    for (std::size_t i = 0; i < slice->size(); ++i) sum.Add(slice->weights[i]);
    for (int i = 0; i < 3; ++i) expected.Add(each);
    EXPECT_EQ(slice->size(), 3u);
    EXPECT_EQ(sum.Total(), expected.Total());
  }
}

testing::SliceOperations RandomOperations(std::mt19937_64& random) {
  testing::SliceOperations operations;
  for (std::uint64_t left = 1 + random() % 60; left > 0; --left) {
    const auto source = static_cast<VertexId>(random() % 4);
    const auto target = static_cast<VertexId>(random() % 4);
    Weight weight = Weight::Real(static_cast<double>(random() % 1000) / 10.0 - 30.0);
    if (random() % 3 == 0) weight = Weight::Integer(static_cast<std::int64_t>(random() % 9));
    if (random() % 9 == 0) weight = Weight::Integer(static_cast<std::int64_t>(random()));
    testing::StoreOperation operation = Add(source, target, weight);
    if (random() % 12 == 0) operation = Remove(source, target);
    if (random() % 30 == 0) operation = testing::RemoveVertex(source);
    if (operation.operation != Operation::kRemoveVertex) {
      operation.type = static_cast<TypeNumber>(random() % 3);
    }
    operations.push_back(operation);
  }
  return operations;
}

// Bit by bit: no sum is rounded before that of the window is.
TEST(ArchivedSliceTest, AWindowOfArchivedSlicesIsThatOfTheSlices) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 400; ++round) {
    const auto identity = round % 2 == 0 ? EdgeIdentity::kPair : EdgeIdentity::kPairAndType;
    std::vector<std::shared_ptr<const Slice>> slices;
    std::vector<std::shared_ptr<const Slice>> unpacked;
    for (std::uint64_t id = 1 + random() % 6; id > 0; --id) {
      slices.push_back(MakeSlice(slices.size(), RandomOperations(random)));
      const ArchivedSlice archived(slices.back(), DuplicatesPolicy::kWeigh, identity);
      unpacked.push_back(archived.Unpack());
      EXPECT_EQ(AddsOf(*archived.UnpackEntered(identity)).size(), archived.edges());
    }
    const EdgeList expected = VisibleEdges(slices, DuplicatesPolicy::kWeigh, 4, identity);
    const EdgeList made = VisibleEdges(unpacked, DuplicatesPolicy::kWeigh, 4, identity);
    ASSERT_EQ(made.sources, expected.sources) << round;
    ASSERT_EQ(made.targets, expected.targets) << round;
    for (std::size_t i = 0; i < made.size(); ++i) {
      ASSERT_EQ(made.weights[i], expected.weights[i]) << round;
      ASSERT_EQ(made.types[i], expected.types[i]) << round;
    }
  }
}

// One edge whose sum is not exact does not make the others larger.
TEST(ArchivedSliceTest, OnlyTheEdgesWhoseSumsAreNotExactTakeTheirCopies) {
  std::vector<testing::StoreOperation> operations;
  for (int copy = 0; copy < 50; ++copy) {
    for (std::int64_t target = 1; target <= 200; ++target) {
      operations.push_back(Add(0, static_cast<VertexId>(target), Weight::Integer(target)));
    }
  }
  const std::size_t exact = Archived(operations).bytes();
  for (int copy = 0; copy < 2; ++copy) operations.push_back(Add(0, 1, Weight::Real(0.5)));
  const ArchivedSlice archived = Archived(operations);
  EXPECT_EQ(archived.edges(), 200u);
  EXPECT_EQ(archived.Unpack()->size(), 202u);
  EXPECT_LT(archived.bytes(), exact + 400);
}

TEST(ArchivedSliceTest, WhatEnteredIsWhatIsKeptWhereSumsAreExact) {
  const ArchivedSlice archived =
      Archived({Add(1, 2, Weight::Integer(3)), Add(3, 4), Remove(3, 4), Add(1, 2)});
  EXPECT_EQ(AddsOf(*archived.Unpack()), (std::vector<std::string>{"1>2=4.000000"}));
  EXPECT_EQ(AddsOf(*archived.UnpackEntered(EdgeIdentity::kPair)), AddsOf(*archived.Unpack()));
  EXPECT_EQ(archived.edges(), 1u);
}

}  // namespace
}  // namespace sash
