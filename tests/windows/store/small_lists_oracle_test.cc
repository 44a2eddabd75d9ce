// As store_oracle_test.cc, on lists that change their shape all the time.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/support/script_oracle.h"
#include "tests/support/store_specs.h"
#include "windows/store/multiversioned_store.h"

namespace sash {
namespace {

// Lists of a handful of edges are long, chunks hold four to eight, index segments half a dozen.
constexpr ListSizes kSmall = {.most_short = 6,
                              .fewest_long = 3,
                              .fewest_indexed = 8,
                              .least_spare = 2,
                              .slot_bits = 3,
                              .least_slots = 2,
                              .segment_entries = 6,
                              .segment_capacity = 4};

std::vector<StoreSpec> MultiversionedSpecs() {
  std::vector<StoreSpec> specs = testing::AllSpecs();
  std::erase_if(specs,
                [](const StoreSpec& spec) { return spec.kind != StoreKind::kMultiversioned; });
  return specs;
}

class SmallListsOracleTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(SmallListsOracleTest, EveryViewIsWhatTheModelSaysWhateverTheShapeOfLists) {
  testing::ExpectRandomScriptsAgree(
      GetParam(), testing::kSanitized ? 40 : 100,
      [](const StoreSpec& spec) { return std::make_shared<MultiversionedStore>(spec, kSmall); });
}

INSTANTIATE_TEST_SUITE_P(Stores, SmallListsOracleTest, ::testing::ValuesIn(MultiversionedSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
