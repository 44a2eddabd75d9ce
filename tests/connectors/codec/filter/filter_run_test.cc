#include "connectors/codec/filter/filter_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/connectors/codec/filter/filtering.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const FieldValues& Payment() {
  static const FieldValues kPayment = {{"/type", FilterValue::Text("TRANSFER")},
                                       {"/amount", FilterValue::Numeral("1500.25")},
                                       {"/count", FilterValue::Numeral("3")},
                                       {"/wide", FilterValue::Numeral("1e400")},
                                       {"/flag", FilterValue::Bool(true)},
                                       {"/payer/id", FilterValue::Text("häß")},
                                       {"/text", FilterValue::Text("12.5")},
                                       {"/items", FilterValue::Of(FilterValue::Kind::kArray)}};
  return kPayment;
}

TEST(FilterRunTest, ExpressionsThatAreTrue) {
  const std::vector<std::string> expressions = {
      R"(/type in ["TRANSFER", "CASH_OUT"] && double(/amount) > 1000.0)",
      "/amount > 1000",  // an int and a double
      "/amount>1000&&/count<4",
      "1 + 2 * 3 == 7 && (1 + 2) * 3 == 9",
      "7 - 2 - 1 == 4",
      "-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1",
      "10 % 4 * 2 == 4",
      "/count / 2 == 1",
      "/count /2 == 1",
      "- /count == -3 && -(/count) == -3",
      "1.5e3 == 1500.0 && .5 < 1.0 && 0x1F == 31",
      "-9223372036854775808 < 0",
      "!/flag == false",
      "/flag ? /count == 3 : false",
      "false ? 1/0 == 1 : true",
      "true || false && false",
      "1 < 2 == true",
      R"("a" < "b" && 'it' != "if" && "\u00e4\n\x41" == "ä\nA" && r"a\n" == "a\\n")",
      R"(/type.startsWith("TRANS") && /type.endsWith("FER") && /type.contains("NSF"))",
      R"(/type.matches("^T[A-Z]+$") && /type.matches("RAN") && !/type.matches("^RAN"))",
      "size(/payer/id) == 3 && /payer/id.size() == 3 && size('') == 0",
      "int(/amount) == 1500 && int(-1.9) == -1 && int('12') == 12",
      "double(/text) == 12.5 && double(3) == 3.0 && double('-.5') == -0.5",
      "string(/count) == '3' && string(1.5) == '1.5' && string(true) == 'true'",
      "string(/count) == '3' && string(1) != string(/count)",
      "bool('true') && !bool('0') && bool(/flag)",
      "has(/type) && has(/items) && !has(/nothing)",
      "/wide > 1e308",
      "`/payer/id` == 'häß'",
      "(1 == 1) == true",
      "/count in [1, 2, 3] && !(/count in []) && /count in [3.0]",
      "9007199254740993 > 9007199254740992.0",
      "/type != 3 && !(/type == 3)",  // types of a record may differ from what is expected
  };
  for (const std::string& expression : expressions) {
    EXPECT_EQ(JudgeJson(expression, Payment()), "passes") << expression;
  }
}

TEST(FilterRunTest, NullComparesFalseWithEverything) {
  for (const std::string comparison :
       {"/no == 1",          "/no != 1",      "/no < 1",           "/no <= 1",
        "/no > 1",           "/no >= 1",      "/no == null",       "/no != null",
        "null == null",      "null != null",  "/no in [1]",        "1 in [null]",
        "/no in [null]",     "int(/no) == 0", "double(/no) > 1.0", "string(/no) == ''",
        "bool(/no) == true", "/no == /other", "/items == null",    "/items != /no",
        "/type == null",     "/type != null"}) {
    EXPECT_EQ(JudgeJson(comparison, Payment()), "filtered") << comparison;
  }
}

TEST(FilterRunTest, OneSideOfALogicalOperatorMayHaveNoValue) {
  for (const std::string decided :
       {"1/0 == 1 || true", "true || 1/0 == 1", "/no || true", "!(1/0 == 1 && false)",
        "!(false && /count)", "!(/type && false)"}) {
    EXPECT_EQ(JudgeJson(decided, Payment()), "passes") << decided;
  }
  for (const std::string open : {"1/0 == 1 || false", "false || 1/0 == 1", "1/0 == 1 && true",
                                 "true && 1/0 == 1", "1/0 == 1 || 1/0 == 2"}) {
    EXPECT_THAT(JudgeJson(open, Payment()), HasSubstr("/ divides by zero")) << open;
  }
}

TEST(FilterRunTest, AFailureSaysWhereAndWhy) {
  const std::vector<std::pair<std::string, std::string>> failures = {
      {"/type > 5", "line 1, column 7: > does not take a string and an int; convert"},
      {"/count > 1 &&\n  /no.startsWith('a')",
       "line 2, column 7: startsWith() does not take null, and /no is missing; guard the field, as "
       "in has(/no) && ..."},
      {"'ab'.contains(/no)", "contains() does not take null, and /no is missing"},
      {"/no + 1 > 0", "line 1, column 5: + does not take null, and /no is missing"},
      {"1 + /no > 0", "+ does not take null, and /no is missing"},
      {"/no", "line 1, column 1: the expression is null, and it must be true or false"},
      {"/type", "the expression is a string, and it must be true or false"},
      {"!/type", "line 1, column 1: ! does not take a string"},
      {"!/no", "! does not take null, and /no is missing"},
      {"/type && true", "&& does not take a string and a bool"},
      {"/no ? true : false", "? : does not take null, and /no is missing"},
      {"/type ? true : false", "? : does not take a string"},
      {"int(/type) == 1",
       "line 1, column 1: int() cannot read \"TRANSFER\"; leave such texts out before it, as in"},
      {"int(/text) == 12", "int() cannot read \"12.5\""},
      {"double('1,5') > 1.0", "double() cannot read \"1,5\""},
      {"double('inf') > 1.0", "double() cannot read \"inf\""},
      {"bool('yes')", "bool() cannot read \"yes\""},
      {"int(/wide) == 1", "the result of int() does not fit a 64-bit int"},
      {"9223372036854775807 + /count > 0", "the result of + does not fit a 64-bit int"},
      {"-(/count - 3 - 9223372036854775807 - 1) > 0", "the result of - does not fit"},
      {"(-9223372036854775807 - 1) / -1 > 0", "the result of / does not fit"},
      {"(-9223372036854775807 - 1) % -1 > 0", "the result of % does not fit"},
      {"/count % 0 == 1", "% divides by zero"},
      {"/count + 1.0 > 0.0", "+ does not take an int and a double"},
      {"/amount % 2 == 1", "% does not take a double and an int"},
      {"/items == 1", "== does not take an array and an int"},
      {"size(/items) == 1", "size() does not take an array"},
      {"/count.matches('1')", "matches() does not take an int"},
      {"/count in [1, 1/0]", "/ divides by zero"},
  };
  for (const auto& [expression, why] : failures) {
    EXPECT_THAT(JudgeJson(expression, Payment()), HasSubstr(why)) << expression;
  }
}

TEST(FilterRunTest, NotANumberHasNoOrder) {
  const FieldValues record = {{"/n", FilterValue::Real(std::numeric_limits<double>::quiet_NaN())}};
  EXPECT_EQ(JudgeJson("/n < 1.0 || /n >= 1.0 || /n == /n || /n < 1 || /n > 1", record), "filtered");
  EXPECT_EQ(JudgeJson("/n != /n && /n != 1", record), "passes");
}

TEST(FilterRunTest, IntAndDoubleCompareExactly) {
  const std::vector<std::string> expressions = {
      "9223372036854775807 < 9223372036854775808.0",
      "-9223372036854775808 == -9223372036854775808.0",
      "-9223372036854775808 > -1e19",
      "9223372036854775807 < 1e19",
      "3 < 3.5 && 4 > 3.5 && -3 > -3.5 && -4 < -3.5",
      "3.5 > 3 && 3.5 < 4 && 3.0 == 3 && 3.0 >= 3",
      "9007199254740993 != 9007199254740992.0",
  };
  for (const std::string& expression : expressions) {
    EXPECT_EQ(JudgeJson(expression), "passes") << expression;
  }
}

TEST(FilterRunTest, ALongFailureTextIsCut) {
  const std::string text(100, 'x');
  EXPECT_THAT(JudgeJson("int(/t) == 1", {{"/t", FilterValue::Text(text)}}),
              HasSubstr("\"" + std::string(60, 'x') + "...\""));
}

TEST(FilterRunTest, ARunJudgesManyRecords) {
  Filtering filtering("string(/a) == string(/b)", FilterFields::kPointers);
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(i);
    const FilterValue a = FilterValue::Numeral(number);
    EXPECT_EQ(filtering.Judge({{"/a", a}, {"/b", a}}), "passes");
    EXPECT_EQ(filtering.Judge({{"/a", a}, {"/b", FilterValue::Integer(i + 1)}}), "filtered");
    EXPECT_THAT(filtering.Judge({{"/a", FilterValue::Of(FilterValue::Kind::kObject)}}),
                StartsWith("line 1, column 1: string() does not take an object"));
  }
}

}  // namespace
}  // namespace sash
