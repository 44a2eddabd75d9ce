#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/connectors/codec/filter/filtering.h"
#include "tests/support/counted_allocations.h"

namespace sash {
namespace {

TEST(FilterAllocationTest, JudgingARecordAllocatesNothing) {
  Filtering filtering(
      "/type in ['TRANSFER', 'CASH_OUT'] && double(/amount) > 1000.0 && "
      "string(/count) != string(/amount) && int('12') == 12 && size(/type) > 3 && "
      "/type.matches('^[A-Z_]+$') && (has(/no) ? /no == 1 : !(1/0 == 1) || true)",
      FilterFields::kPointers);
  ASSERT_EQ(filtering.error(), "");
  const std::string type = "CASH_OUT";
  std::vector<FilterValue> values;
  for (const FilterField& field : filtering.run().fields()) {
    if (field.name == "/type") values.push_back(FilterValue::Text(type));
    if (field.name == "/amount") values.push_back(FilterValue::Numeral("1500.25"));
    if (field.name == "/count") values.push_back(FilterValue::Numeral("3"));
    if (field.name == "/no") values.push_back(FilterValue::Null());
  }
  // The pattern's automaton is made when it is first needed.
  ASSERT_EQ(filtering.run().Judge(values), FilterRun::Verdict::kPasses);
  const std::uint64_t before = testing::allocations;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(filtering.run().Judge(values), FilterRun::Verdict::kPasses);
  }
  EXPECT_EQ(testing::allocations - before, 0u);
}

}  // namespace
}  // namespace sash
