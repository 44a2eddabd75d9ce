// Records that are not JSON, not UTF-8, too deep or too long.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/connectors/codec/mapped_json.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

TEST(JsonDecoderTest, RefusesWhatIsNotJson) {
  for (const char* record : {"",
                             " ",
                             "{",
                             "}",
                             "nonsense",
                             R"({"from":"a","to":"b","ts":1}})",
                             R"({"from":"a","to":"b","ts":1} x)",
                             R"({"from":"a","to":"b","ts":1}{"from":"a"})",
                             R"({"from":"a","to":"b","ts":1,})",
                             R"({"from":"a","to":"b","ts":01})",
                             R"({"from":"a","to":"b","ts":1.})",
                             R"({"from":"a","to":"b","ts":+1})",
                             R"({"from":"a","to":"b","ts":1,"x":NaN})",
                             R"({"from":"a","to":"b","ts":1,"x":tru})",
                             R"({"from":"a","to":"b","ts":1,"x":"\q"})",
                             R"({"from":"a","to":"b","ts":1,"x":"\ud800"})",
                             "{\"from\":\"a\nb\",\"to\":\"b\",\"ts\":1}",
                             R"({'from':'a','to':'b','ts':1})",
                             R"({"from":"a","to":"b","ts":1 /* c */})",
                             R"({"from" "a","to":"b","ts":1})"}) {
    EXPECT_EQ(JsonReasonFor(Json(), record), "invalid_syntax") << record;
  }
}

TEST(JsonDecoderTest, RefusesWhatIsNotUtf8WhereverItStands) {
  EXPECT_EQ(JsonReasonFor(Json(), "{\"from\":\"\xff\",\"to\":\"b\",\"ts\":1}"), "invalid_utf8");
  EXPECT_EQ(JsonReasonFor(Json(), "{\"from\":\"a\",\"to\":\"b\",\"ts\":1,\"x\":\"\xc3\"}"),
            "invalid_utf8");
  EXPECT_EQ(JsonReasonFor(Json(), "\xff\xfe{\"from\""), "invalid_utf8");
}

TEST(JsonDecoderTest, RefusesHalvesOfSurrogatePairs) {
  for (const char* half : {R"(\ud800)", R"(\udc00)", R"(\udc00\ud800)", R"(\ud83d\u0041)",
                           R"(\ud83dx)", R"(\udfff)"}) {
    const std::string record = std::string(R"({"from":"a)") + half + R"(","to":"b","ts":1})";
    EXPECT_EQ(JsonReasonFor(Json(), record), "invalid_syntax") << record;
  }
}

TEST(JsonDecoderTest, EveryTruncationOfARecordIsRefused) {
  const std::string record =
      R"({"from": "\u00e4b", "to": "ö", "w": -2.5e1, "ts": 17, "op": "add", )"
      R"("x": [true, null, {}]})";
  Decoding decoding(Json());
  ASSERT_FALSE(decoding.Decode(record).refused);
  for (std::size_t length = 0; length < record.size(); ++length) {
    EXPECT_TRUE(decoding.Decode(record.substr(0, length)).refused) << record.substr(0, length);
  }
}

TEST(JsonDecoderTest, ARecordWithAChangedByteIsRefusedExactlyWhenItIsNoLongerJson) {
  const std::string record = R"({"from":"a","to":"b","w":2,"ts":17,"op":"add","x":[1e5,{}]})";
  Decoding decoding(Json());
  for (std::size_t at = 0; at < record.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = record;
      changed[at] = static_cast<char>(byte);
      const Decoded edge = decoding.Decode(changed);
      const bool is_json = edge.refused != RefusalReason::kInvalidSyntax &&
                           edge.refused != RefusalReason::kInvalidUtf8;
      EXPECT_EQ(is_json, nlohmann::json::accept(changed)) << changed << edge.detail;
    }
  }
  EXPECT_FALSE(decoding.Decode(record).refused);
}

TEST(JsonDecoderTest, RefusesDepthThatNoRecordNeeds) {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  EXPECT_EQ(JsonReasonFor(Json(), R"({"from":"a","to":"b","ts":1,"x":)" + deep + "}"),
            "invalid_syntax");
}

TEST(JsonDecoderTest, RefusesRecordsAboveTheLimit) {
  const std::string head = R"({"from":"a","to":"b","ts":1,"x":")";
  const std::string filler(kMaxRecordBytes - head.size() - 2, 'x');
  EXPECT_EQ(JsonReasonFor(Json(), head + filler + "\"}"), "accepted");
  EXPECT_EQ(JsonReasonFor(Json(), head + filler + "x\"}"), "too_large");
}

TEST(JsonDecoderTest, SaysWhatIsProbablyMeantByWhatIsNotJson) {
  Decoding decoding(Json());
  for (const char* number : {"NaN", "Infinity", "-Infinity"}) {
    EXPECT_THAT(
        decoding.Decode(std::string(R"({"from":"a","to":"b","weight":)") + number + "}").detail,
        HasSubstr("NaN and Infinity are not JSON: let the producer write null"))
        << number;
  }
  EXPECT_THAT(decoding.Decode("\x1E{\"from\":\"a\"}").detail, HasSubstr("JSON text sequences"));
  EXPECT_THAT(decoding.Decode("{\"from\":\"a\"}\r{\"from\":\"b\"}").detail,
              HasSubstr("a line ends in LF or CRLF, not in CR alone"));
  EXPECT_THAT(decoding.Decode("{").detail,
              HasSubstr("where the record ends; in a file, each line is a record"));
}

TEST(JsonDecoderTest, SaysWhereARecordIsNotUtf8) {
  EXPECT_THAT(
      Decoding(Json()).Decode("{\"from\":\"z\xfcrich\"}").detail,
      ::testing::StartsWith("the record is not UTF-8: at byte 10, there is 0xFC; write it"));
}

}  // namespace
}  // namespace sash
