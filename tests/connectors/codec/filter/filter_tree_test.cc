#include "connectors/codec/filter/filter_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/connectors/codec/filter/filtering.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;
using From = FilterField::From;

std::vector<FilterField> FieldsOf(std::string_view text, FilterFields fields) {
  Result<FilterTree> tree = FilterTree::Parse(text, fields);
  EXPECT_TRUE(tree.ok()) << (tree.ok() ? "" : tree.error().message);
  return tree.ok() ? tree.value().fields : std::vector<FilterField>();
}

TEST(FilterTreeTest, FieldsAreFound) {
  EXPECT_THAT(
      FieldsOf("/a/0/b~1c == 1 && /a/0/b~1c < 3 || has(`/x-y z`)", FilterFields::kPointers),
      ElementsAre(FilterField{From::kPointer, "/a/0/b~1c"}, FilterField{From::kPointer, "/x-y z"}));
  EXPECT_THAT(FieldsOf("amount == '1' || `Amount Paid` == amount", FilterFields::kColumnNames),
              ElementsAre(FilterField{From::kColumnName, "amount"},
                          FilterField{From::kColumnName, "Amount Paid"}));
  EXPECT_THAT(FieldsOf("$3 == '1' || $12 == ''", FilterFields::kColumnNumbers),
              ElementsAre(FilterField{From::kColumnNumber, "", 3},
                          FilterField{From::kColumnNumber, "", 12}));
  EXPECT_THAT(
      FieldsOf("$key == 'a' && $topic == 'b' && $partition == 1 && $timestamp > 0 && "
               "$header.source == 'c' && $header.`x-id`.contains('d')",
               FilterFields::kPointers),
      ElementsAre(FilterField{From::kKey}, FilterField{From::kTopic}, FilterField{From::kPartition},
                  FilterField{From::kTimestamp}, FilterField{From::kHeader, "source"},
                  FilterField{From::kHeader, "x-id"}));
}

TEST(FilterTreeTest, ErrorsSayWhereAndWhatWouldBeRight) {
  const std::vector<std::pair<std::string, std::string>> errors = {
      {"", "line 1, column 1: the expression ends here; a value is expected"},
      {"/a ==", "line 1, column 6: the expression ends here; a value is expected"},
      {"/a = 1", "line 1, column 4: '=' compares nothing; write =="},
      {"/a & /b", "line 1, column 4: '&' is not an operator; write &&"},
      {"/a | /b", "line 1, column 4: '|' is not an operator; write ||"},
      {"/a == 1 2", "line 1, column 9: `2` is not possible here; an operator, like && or =="},
      {"/a == ä", "line 1, column 7: this character has no meaning here; a string needs quotes"},
      {"'ä' == ;", "line 1, column 8: this character has no meaning here"},
      {"/a ==\n 'x", "line 2, column 2: this string has no end; close it with '"},
      {R"("\q" == /a)", "line 1, column 2: this escape is not known; write"},
      {R"("\ud800" == /a)", "line 1, column 2: this escape is not known"},
      {"5x == /a", "line 1, column 2: a number ends here, and a letter follows"},
      {"99999999999999999999 == /a", "line 1, column 1: this number does not fit a 64-bit int"},
      {"1e999 == /a", "line 1, column 1: this number is beyond the range of a double"},
      {"/ == 1", "line 1, column 1: a JSON pointer is expected, like /payer/id"},
      {"`/a == 1", "line 1, column 1: this field has no end; close it with a backquote"},
      {"type == 1",
       "line 1, column 1: `type` is not a field; fields of JSON are pointers, like "
       "/type"},
      {"/a.b == 1", "line 1, column 4: `b` is not a method; a member of an object is written"},
      {"/a.lower() == 'x'",
       "line 1, column 4: the method lower is not known; there are startsWith"},
      {"upper(/a) == 'x'", "line 1, column 1: the function upper is not known; there are int,"},
      {"(/a == 1", "line 1, column 9: the expression ends here; close the parenthesis with )"},
      {"int(/a == 1", "line 1, column 12: the expression ends here; close the argument with )"},
      {"/a in (1, 2)", "line 1, column 7: `(` is not possible here; a list is expected after in"},
      {"/a in [1 2]",
       "line 1, column 10: `2` is not possible here; elements are separated by commas"},
      {"/a in [1,", "line 1, column 10: the expression ends here; a value is expected"},
      {"[1] == /a", "line 1, column 1: a list is possible only after in"},
      {"/a ? 1", "line 1, column 7: the expression ends here; a condition is written a ? b : c"},
      {"has(1)", "line 1, column 1: the argument of has() must be a field"},
      {"/a.matches(/b)", "line 1, column 12: the pattern of matches() must be a string"},
      {"/a.matches('(')", "line 1, column 12: this pattern cannot be used: missing ): ("},
      {"$nothing == 1", "line 1, column 1: there are $key, $header.NAME, $topic, $partition"},
      {"$3 == 1", "line 1, column 1: there are $key"},
      {"has($record/user)", "line 1, column 5: a filter always reads the record; leave out "},
      {"$header == 'a'", "line 1, column 1: a header is written $header.source"},
      // Types.
      {"5", "line 1, column 1: the expression is an int, and it must be true or false"},
      {"/a + 1", "line 1, column 4: the expression is an int"},
      {"null", "line 1, column 1: the expression is null"},
      {"1 == 'a'", "line 1, column 3: == cannot compare an int with a string; convert one"},
      {"1 < 2 < 3", "line 1, column 7: < cannot compare a bool with an int"},
      {"1 in ['a']", "line 1, column 3: in looks for an int, and the list holds a string"},
      {"1 && /a", "line 1, column 3: && does not take an int; write a comparison there"},
      {"!5 == true", "line 1, column 1: ! does not take an int"},
      {"-'a' == /a", "line 1, column 1: - does not take a string; convert it"},
      {"1 + 1.0 > /a", "line 1, column 3: + takes numbers of one type, not an int and a double"},
      {"'a' + /a == 'b'", "line 1, column 5: + does not take a string; convert the string"},
      {"5.0 % 2.0 == /a", "line 1, column 5: % does not take a double; convert it with int()"},
      {"size(5) == 1", "line 1, column 1: size() does not take an int; convert it with string()"},
      {"/a.startsWith(5)", "line 1, column 4: startsWith() does not take an int; its argument is"},
      {"$partition.matches('5')", "line 1, column 12: matches() does not take an int"},
      {"$partition == 'a'", "line 1, column 12: == cannot compare an int with a string"},
      {"int(1 == 1) == 1", "line 1, column 1: int() does not take a bool; write a condition"},
      {"bool(1)", "line 1, column 1: bool() does not take an int; compare the number"},
      {"(/a ? 1 : 'b') == 1",
       "line 1, column 5: both sides of the : must have one type, not an "
       "int and a string"},
      {"(5 ? 1 : 2) == 1", "line 1, column 4: ? : does not take an int; write a comparison"},
  };
  for (const auto& [expression, error] : errors) {
    EXPECT_THAT(ParseError(expression), StartsWith(error)) << expression;
  }
}

TEST(FilterTreeTest, ColumnsAreTexts) {
  EXPECT_THAT(ParseError("amount > 5", FilterFields::kColumnNames),
              StartsWith("line 1, column 8: > cannot compare a string with an int; convert one"));
  EXPECT_THAT(ParseError("/amount == '5'", FilterFields::kColumnNames),
              StartsWith("line 1, column 1: `/amount` is a JSON pointer; write the name of a"));
  EXPECT_THAT(ParseError("id.orig_h == '5'", FilterFields::kColumnNames),
              StartsWith("line 1, column 4: `orig_h` is not a method; a column whose name has a "
                         "point needs backquotes"));
  EXPECT_THAT(ParseError("amount == '5'", FilterFields::kColumnNumbers),
              StartsWith("line 1, column 1: the columns have no names; write a column by its"));
  EXPECT_THAT(ParseError("$0 == '5'", FilterFields::kColumnNumbers),
              StartsWith("line 1, column 1: there are $key, $header.NAME, $topic, $partition, "
                         "$timestamp, and columns by number from $1"));
}

TEST(FilterTreeTest, SizeAndDepthHaveLimits) {
  const auto repeated = [](std::string_view text, std::size_t times) {
    std::string whole;
    for (std::size_t i = 0; i < times; ++i) whole += text;
    return whole;
  };
  EXPECT_EQ(ParseError(repeated("(", 50) + "true" + repeated(")", 50)), "");
  EXPECT_THAT(ParseError(repeated("(", 100) + "true" + repeated(")", 100)),
              StartsWith("line 1, column 65: the expression is nested more than 64 levels deep"));
  EXPECT_THAT(ParseError(repeated("!", 100) + "true"),
              StartsWith("line 1, column 64: there are too many signs in a row"));
  EXPECT_EQ(ParseError("true" + repeated(" || true", 400)), "");
  EXPECT_EQ(JudgeJson("false" + repeated(" || false", 400) + " || true"), "passes");
  EXPECT_THAT(ParseError("true" + repeated(" || true", 600)),
              StartsWith("line 1, column 3998: the expression has more than 1000 values and"));
  EXPECT_THAT(ParseError("'" + std::string(FilterTree::kMostText, 'x') + "' == /a"),
              StartsWith("line 1, column 1: the expression has more than 16384 bytes"));
  std::string fields = "/a0 == 1";
  for (std::size_t i = 1; i < FilterTree::kMostFields; ++i) {
    fields += " || /a" + std::to_string(i) + " == 1";
  }
  EXPECT_EQ(ParseError(fields), "");
  EXPECT_THAT(ParseError(fields + " || /b == 1"),
              StartsWith("line 1, column " + std::to_string(fields.size() + 5) +
                         ": the expression has more than 24 different fields"));
}

}  // namespace
}  // namespace sash
