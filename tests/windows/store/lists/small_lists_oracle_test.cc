// The test of store_oracle_test.cc on lists that change their shape all the time.
#include <gtest/gtest.h>

#include <memory>

#include "tests/support/script_oracle.h"
#include "tests/support/small_lists.h"
#include "tests/support/store_specs.h"
#include "windows/store/multiversioned_store.h"

namespace sash {
namespace {

class SmallListsOracleTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(SmallListsOracleTest, EveryViewIsWhatTheModelSaysWhateverTheShapeOfLists) {
  testing::ExpectRandomScriptsAgree(GetParam(), 100, [](const StoreSpec& spec) {
    return std::make_shared<MultiversionedStore>(spec, testing::kSmallLists);
  });
}

INSTANTIATE_TEST_SUITE_P(Stores, SmallListsOracleTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

}  // namespace
}  // namespace sash
