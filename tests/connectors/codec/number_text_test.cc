#include "connectors/codec/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace sash {
namespace {

TEST(NumberTextTest, IntegersSpanExactly64Bits) {
  EXPECT_EQ(ParseInteger("9223372036854775807").value(), INT64_MAX);
  EXPECT_EQ(ParseInteger("-9223372036854775808").value(), INT64_MIN);
  EXPECT_FALSE(ParseInteger("9223372036854775808").ok());
  EXPECT_FALSE(ParseInteger("-9223372036854775809").ok());
}

TEST(NumberTextTest, IntegersAreDigitsWithAnOptionalMinus) {
  EXPECT_EQ(ParseInteger("-0").value(), 0);
  EXPECT_EQ(ParseInteger("007").value(), 7);
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "1_000", "--1", "a"}) {
    EXPECT_FALSE(ParseInteger(text).ok()) << text;
  }
}

TEST(NumberTextTest, WeightsWithoutPointOrExponentAreIntegers) {
  EXPECT_EQ(ParseWeight("5").value(), Weight::Integer(5));
  EXPECT_EQ(ParseWeight("-12").value(), Weight::Integer(-12));
  EXPECT_EQ(ParseWeight("9007199254740993").value(), Weight::Integer(9007199254740993));
  EXPECT_EQ(ParseWeight("5.0").value(), Weight::Real(5.0));
  EXPECT_EQ(ParseWeight("5e0").value(), Weight::Real(5.0));
  EXPECT_EQ(ParseWeight("-2.5E-1").value(), Weight::Real(-0.25));
  EXPECT_EQ(ParseWeight("1.").value(), Weight::Real(1.0));
  EXPECT_EQ(ParseWeight(".5").value(), Weight::Real(0.5));
  EXPECT_EQ(ParseWeight("9223372036854775808").value(), Weight::Real(9223372036854775808.0));
  EXPECT_EQ(ParseWeight("-9223372036854775809").value(), Weight::Real(-9223372036854775808.0));
  EXPECT_FALSE(ParseWeight(std::string(400, '9')).ok());
}

TEST(NumberTextTest, WeightsRefuseWhatIsNoFiniteDecimalNumber) {
  for (const char* text :
       {"",    "nan", "NaN", "inf",  "-inf",  "Infinity", "0x1p3",
        "1e",  "1e+", ".",   "-",    "-.",    "+1",       "1.5.2",
        "1,5", " 1",  "1 ",  "1e5x", "1e309", "-1e309",   "1.0e99999999999999999999",
        "one"}) {
    EXPECT_FALSE(ParseWeight(text).ok()) << text;
  }
}

TEST(NumberTextTest, WhatIsTooSmallForADoubleBecomesZero) {
  EXPECT_EQ(ParseReal("1e-400").value(), 0.0);
  EXPECT_TRUE(std::signbit(ParseReal("-1e-400").value()));
  EXPECT_EQ(ParseReal("0e999999999999").value(), 0.0);
  EXPECT_EQ(ParseReal("0.000e400").value(), 0.0);
  EXPECT_GT(ParseReal("1e-310").value(), 0.0);
  EXPECT_EQ(ParseReal("1" + std::string(400, '0') + "e-400").value(), 1.0);
  EXPECT_EQ(ParseReal("0." + std::string(399, '0') + "1e400").value(), 1.0);
}

TEST(NumberTextTest, JsonSpellingIsNarrower) {
  for (const char* text : {"0", "-0", "10", "1.5", "0.5e-3", "1E+2"}) {
    ASSERT_TRUE(SpellingOf(text)) << text;
    EXPECT_TRUE(SpellingOf(text)->is_json) << text;
  }
  for (const char* text : {"01", "-01", "1.", ".5", "00", "01.5"}) {
    ASSERT_TRUE(SpellingOf(text)) << text;
    EXPECT_FALSE(SpellingOf(text)->is_json) << text;
  }
}

}  // namespace
}  // namespace sash
