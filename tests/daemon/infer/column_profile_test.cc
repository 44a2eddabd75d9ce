#include "daemon/infer/column_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/infer/json_fields.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

ColumnProfile ProfileOf(const std::vector<SampledValue>& values, bool is_json) {
  SampleTable table{.is_json = is_json, .records = values.size()};
  table.fields.push_back({.name = "x", .reference = "x", .values = values, .label = "x"});
  ColumnProfile profile = ProfileColumns(table, {"(none)"}).front();
  profile.distinct.clear();  // it refers to the table
  return profile;
}

ColumnProfile Csv(const std::vector<std::string>& texts) {
  std::vector<SampledValue> values;
  for (const std::string& text : texts) values.push_back({SampledKind::kText, text});
  return ProfileOf(values, false);
}

TEST(ColumnProfileTest, WordsForNoValueAreCountedApart) {
  const ColumnProfile profile = Csv({"a", "NULL", "", "(none)", "-", "b", "NULL"});
  EXPECT_EQ(profile.present, 2U);
  EXPECT_EQ(profile.records, 7U);
  EXPECT_THAT(profile.nulls, UnorderedElementsAre("NULL", "(none)", "-"));
  EXPECT_FALSE(IsNullWord("Nobody"));
}

TEST(ColumnProfileTest, IntegersAreKeysUnlessTextWouldBeLost) {
  EXPECT_TRUE(Csv({"1", "-2", "0"}).are_integers());
  EXPECT_FALSE(Csv({"1", "007"}).are_integers());
  EXPECT_FALSE(Csv({"1", "99999999999999999999"}).are_integers());
  EXPECT_FALSE(Csv({"1", "1.5"}).are_integers());
  EXPECT_FALSE(ProfileOf({{SampledKind::kText, "1"}}, true).are_integers());
  EXPECT_TRUE(ProfileOf({{SampledKind::kInteger, "1"}}, true).are_integers());
}

TEST(ColumnProfileTest, NumbersOfEverySpellingAreCounted) {
  const ColumnProfile profile = Csv({"1", "-2.5", "1e3", "12,50", "x"});
  EXPECT_EQ(profile.numerals, 4U);
  EXPECT_EQ(profile.fractions, 2U);
  EXPECT_EQ(profile.negatives, 1U);
  EXPECT_EQ(Csv({"add", "remove", "x"}).operations, 2U);
}

TEST(JsonFieldsTest, EachFieldHasItsPointerAndItsTextAsWritten) {
  const auto fields = ReadJsonFields(
      R"({"a":{"b/c":1,"d~":[1,{"e":2}]},"n":33066915805160912602,"t":true,"z":null,"s":"x\ny"})");
  ASSERT_TRUE(fields);
  std::vector<std::string> seen;
  for (const JsonField& field : *fields) {
    seen.push_back(field.pointer + "=" + field.value.text);
  }
  EXPECT_THAT(seen, ElementsAre("/a/b~1c=1", "/a/d~0=", "/n=33066915805160912602", "/t=true",
                                "/z=", "/s=x\ny"));
  EXPECT_EQ((*fields)[1].value.kind, SampledKind::kList);
  EXPECT_EQ((*fields)[2].value.kind, SampledKind::kInteger);
  EXPECT_EQ((*fields)[4].value.kind, SampledKind::kAbsent);
}

TEST(JsonFieldsTest, OnlyObjectsAreRecords) {
  for (const char* text :
       {"", "[]", "[{\"a\":1}]", "1", "\"a\"", "{\"a\":1", "{\"a\":1} x", "{a:1}"}) {
    EXPECT_FALSE(ReadJsonFields(text)) << text;
  }
  EXPECT_TRUE(ReadJsonFields("{}"));
}

TEST(JsonFieldsTest, DeepAndManyFieldsAreBounded) {
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "{\"a\":";
  deep += "1" + std::string(200, '}');
  const auto fields = ReadJsonFields(deep);
  ASSERT_TRUE(fields);
  EXPECT_TRUE(fields->empty());
  std::string deeper;
  for (int i = 0; i < 20'000; ++i) deeper += "{\"a\":";
  EXPECT_FALSE(ReadJsonFields(deeper + "1" + std::string(20'000, '}')));
  std::string wide = "{\"f\":0";
  for (int i = 0; i < 1000; ++i) wide += ",\"f" + std::to_string(i) + "\":0";
  const auto many = ReadJsonFields(wide + "}");
  ASSERT_TRUE(many);
  EXPECT_EQ(many->size(), kMostSampleFields);
}

}  // namespace
}  // namespace sash
