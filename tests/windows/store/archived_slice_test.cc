#include "windows/store/archived_slice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/store_script.h"

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

// Such a slice is kept whole, because later windows need the copies.
TEST(ArchivedSliceTest, WhatEnteredHasNoEdgesThatTheSliceEndedAlsoWhereSumsAreNotExact) {
  const ArchivedSlice archived = Archived({Add(1, 2, Weight::Real(0.25)), Add(3, 4), Remove(3, 4),
                                           Add(1, 2, Weight::Real(0.5)), Add(5, 6)});
  EXPECT_EQ(AddsOf(*archived.Unpack()).size(), 4u);
  EXPECT_EQ(AddsOf(*archived.UnpackEntered(EdgeIdentity::kPair)),
            (std::vector<std::string>{"1>2~0.750000", "5>6=1.000000"}));
  EXPECT_EQ(archived.edges(), 2u);
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
