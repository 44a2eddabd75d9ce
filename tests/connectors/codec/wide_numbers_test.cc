#include "connectors/codec/wide_numbers.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

TEST(WideNumbersTest, LeavesNumbersThatFitAlone) {
  std::string rewritten;
  for (const char* record : {R"({"a": 18446744073709551615, "b": -9223372036854775808})",
                             R"([1e308, 1e-400, 0.1, -0, 0e999])", R"("1e999")", ""}) {
    EXPECT_EQ(ReplaceWideNumbers(record, rewritten), std::nullopt) << record;
    EXPECT_EQ(rewritten, record);
  }
}

TEST(WideNumbersTest, ReplacesOnlyTheNumbersThatDoNotFit) {
  std::string rewritten;
  const auto stand_in = ReplaceWideNumbers(
      R"([18446744073709551616,1,-9223372036854775809, -1e309,"\"1e999",2])", rewritten);
  ASSERT_TRUE(stand_in);
  const std::string text = std::to_string(*stand_in);
  EXPECT_EQ(rewritten, std::string("[") + text + ",1," + text + ", " + text + R"(,"\"1e999",2])");
}

TEST(WideNumbersTest, LeavesWhatIsNoNumberAsWrongAsItIs) {
  std::string rewritten;
  for (const char* record : {"018446744073709551616", "1e999e9", "--1e999", "1.e999", "\"1e999"}) {
    EXPECT_EQ(ReplaceWideNumbers(record, rewritten), std::nullopt) << record;
    EXPECT_EQ(rewritten, record);
  }
}

TEST(WideNumbersTest, TheStandInOccursNowhereInTheRecord) {
  std::string rewritten;
  std::string record = "[1e999]";
  for (int round = 0; round < 100; ++round) {
    const auto stand_in = ReplaceWideNumbers(record, rewritten);
    ASSERT_TRUE(stand_in);
    EXPECT_EQ(record.find(std::to_string(*stand_in)), std::string::npos);
    record.insert(record.size() - 1, std::to_string(*stand_in).insert(0, 1, ','));
  }
}

}  // namespace
}  // namespace sash
