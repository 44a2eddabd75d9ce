#include "connectors/sinks/json_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/support/named_seed.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

std::string RandomUtf8(std::mt19937& random) {
  std::string text;
  const std::size_t length = random() % 12;
  for (std::size_t i = 0; i < length; ++i) {
    const auto range = random() % 4;
    const unsigned limit = range == 0 ? 0x20 : range == 1 ? 0x80 : range == 2 ? 0xd800 : 0x10000;
    auto c = static_cast<std::uint32_t>(random() % limit);
    if (range == 3) c += 0x10000;
    if (c < 0x80) {
      text += static_cast<char>(c);
    } else if (c < 0x800) {
      text += static_cast<char>(0xc0 | c >> 6);
      text += static_cast<char>(0x80 | (c & 63));
    } else if (c < 0x10000) {
      text += static_cast<char>(0xe0 | c >> 12);
      text += static_cast<char>(0x80 | (c >> 6 & 63));
      text += static_cast<char>(0x80 | (c & 63));
    } else {
      text += static_cast<char>(0xf0 | c >> 18);
      text += static_cast<char>(0x80 | (c >> 12 & 63));
      text += static_cast<char>(0x80 | (c >> 6 & 63));
      text += static_cast<char>(0x80 | (c & 63));
    }
  }
  return text;
}

TEST(JsonTextTest, AnyTextReadsBackTheSame) {
  const testing::NamedSeed seed;
  std::mt19937 random(seed.value());
  for (int i = 0; i < 2000; ++i) {
    const std::string name = RandomUtf8(random), value = RandomUtf8(random);
    ASSERT_TRUE(IsUtf8(name));
    JsonText json;
    json.BeginObject().Key(name).BeginArray().Text(value).Integer(i).EndArray().EndObject();
    const Json read = Json::parse(json.text());
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read.begin().key(), name);
    EXPECT_EQ(read.begin().value(), (Json{value, i}));
    EXPECT_EQ(json.text().find('\n'), std::string::npos);
  }
}

TEST(JsonTextTest, TextThatEndsLikeABracketStillGetsItsComma) {
  JsonText json;
  json.BeginArray().Text("[").Text("a:").Text("{").BeginObject().EndObject().Null().EndArray();
  EXPECT_EQ(json.text(), R"(["[","a:","{",{},null])");
}

TEST(JsonTextTest, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(JsonText().Text("a\xff z").text(), "\"a\xef\xbf\xbd z\"");
}

TEST(JsonTextTest, DoublesAreShortestAndIntegersExact) {
  EXPECT_EQ(JsonText().Number(0.1).text(), "0.1");
  EXPECT_EQ(JsonText().Number(1e-6).text(), "1e-06");
  EXPECT_EQ(JsonText().Number(3).text(), "3.0");
  EXPECT_EQ(JsonText().Number(-0.0).text(), "-0.0");
  EXPECT_EQ(JsonText().Number(1e300).text(), "1e+300");
  EXPECT_EQ(JsonText().Integer(std::numeric_limits<std::int64_t>::min()).text(),
            "-9223372036854775808");
  EXPECT_EQ(JsonText().Unsigned(std::numeric_limits<std::uint64_t>::max()).text(),
            "18446744073709551615");
  EXPECT_EQ(JsonText().WeightValue(Weight::Integer(3)).text(), "3");
  EXPECT_EQ(JsonText().WeightValue(Weight::Real(3.5)).text(), "3.5");
}

TEST(JsonTextTest, RandomDoublesReadBackTheSame) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(Json::parse(JsonText().Number(value).text()).get<double>(), value);
  }
}

TEST(JsonTextTest, NumbersThatJsonDoesNotHaveAreNull) {
  EXPECT_EQ(JsonText().Number(std::numeric_limits<double>::infinity()).text(), "null");
  EXPECT_EQ(JsonText().Number(std::numeric_limits<double>::quiet_NaN()).text(), "null");
}

TEST(JsonTextTest, NumbersThatBecameNullAreCountedAndExplained) {
  const double infinity = std::numeric_limits<double>::infinity();
  JsonText sound;
  sound.BeginObject().Key("a").Number(1).ExplainLost().EndObject();
  EXPECT_EQ(sound.text(), R"({"a":1.0})");
  JsonText lost;
  lost.BeginObject().Key("a").Number(infinity).Key("b").WeightValue(Weight::Real(-infinity));
  EXPECT_EQ(lost.lost_numbers(), 2u);
  lost.ExplainLost().EndObject();
  EXPECT_EQ(lost.text(),
            R"({"a":null,"b":null,"error":"2 numbers are beyond the range of a double )"
            R"((1.8e308) and read null"})");
}

TEST(JsonTextTest, Base64PadsToFours) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Base64("\xff\xfe\xfd"), "//79");
}

TEST(JsonTextTest, TellsUtf8FromOtherBytes) {
  EXPECT_TRUE(IsUtf8("grün \xf0\x9f\x8c\x8d"));
  EXPECT_FALSE(IsUtf8("\xc3"));              // cut
  EXPECT_FALSE(IsUtf8("\xc0\xaf"));          // overlong
  EXPECT_FALSE(IsUtf8("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(IsUtf8("\xf4\x90\x80\x80"));  // beyond Unicode
}

}  // namespace
}  // namespace sash
