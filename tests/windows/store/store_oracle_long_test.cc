// The test of store_oracle_test.cc with 10,000 scripts in all; under a sanitizer 1,000.
#include <gtest/gtest.h>

#include "tests/support/script_oracle.h"
#include "tests/support/store_specs.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

class StoreOracleLongTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(StoreOracleLongTest, EveryViewOfManyRandomScriptsIsWhatTheModelSays) {
  constexpr std::uint64_t kScripts = kSanitized ? 1'000 : 10'000;
  testing::ExpectRandomScriptsAgree(GetParam(), kScripts / testing::AllSpecs().size() + 1);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreOracleLongTest, ::testing::ValuesIn(testing::AllSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
