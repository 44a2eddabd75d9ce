#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "tests/connectors/codec/filter/filtering.h"

namespace {

std::atomic<std::uint64_t> allocations = 0;

}  // namespace

// Counts what the program allocates. Inlined, they would seem to GCC not to belong together.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* const made = std::malloc(bytes == 0 ? 1 : bytes)) return made;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* made) noexcept { std::free(made); }
[[gnu::noinline]] void operator delete(void* made, std::size_t) noexcept { std::free(made); }

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
  const std::uint64_t before = allocations;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(filtering.run().Judge(values), FilterRun::Verdict::kPasses);
  }
  EXPECT_EQ(allocations - before, 0u);
}

}  // namespace
}  // namespace sash
