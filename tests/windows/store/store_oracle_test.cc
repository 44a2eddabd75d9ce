// Random scripts on every store: after each publication, the view equals the model.
#include <gtest/gtest.h>

#include "tests/support/script_oracle.h"
#include "tests/support/slots_elsewhere.h"
#include "tests/support/store_specs.h"

namespace sash {
namespace {

class StoreOracleTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(StoreOracleTest, EveryViewOfRandomScriptsIsWhatTheModelSays) {
  testing::ExpectRandomScriptsAgree(GetParam(), 100);
}

TEST(StoreElsewhereTest, EdgesThatLieElsewhereAreTheSame) {
  testing::SlotsElsewhere slots;
  for (const StoreSpec& spec : testing::AllSpecs()) {
    if (spec.kind != StoreKind::kMultiversioned) continue;
    StoreSpec elsewhere = spec;
    elsewhere.slots = &slots;
    testing::ExpectRandomScriptsAgree(elsewhere, 30);
    EXPECT_EQ(slots.bytes(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreOracleTest, ::testing::ValuesIn(testing::AllSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
