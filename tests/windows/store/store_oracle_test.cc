// Random scripts on every store: after each publication the view is what the model says.
#include <gtest/gtest.h>

#include "tests/support/script_oracle.h"
#include "tests/support/store_specs.h"

namespace sash {
namespace {

class StoreOracleTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(StoreOracleTest, EveryViewOfRandomScriptsIsWhatTheModelSays) {
  testing::ExpectRandomScriptsAgree(GetParam(), testing::kSanitized ? 40 : 100);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreOracleTest, ::testing::ValuesIn(testing::AllSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
