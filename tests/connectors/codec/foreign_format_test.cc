#include "connectors/codec/foreign_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using namespace std::string_view_literals;
using ::testing::HasSubstr;

TEST(ForeignFormatTest, CompressedFilesAreNamedWithTheCommandThatReadsThem) {
  const std::pair<std::string_view, const char*> kinds[] = {
      {"\x1F\x8B\x08\0\0\0\0\0\0\x03"sv, "gzip -dc"},
      {"\x28\xB5\x2F\xFD\x04"sv, "zstd -dc"},
      {"\x5A\x2A\x4D\x18\x04"sv, "zstd -dc"},
      {"\xFD"
       "7zXZ\0\0"sv,
       "xz -dc"},
      {"BZh91AY&SY"sv, "bzip2 -dc"},
      {"\x04\x22\x4D\x18"sv, "lz4 -dc"},
      {"PK\x03\x04"sv, "unzip -p"},
      {"\xFF\xFE"
       "a\0"sv,
       "iconv -f UTF-16 "},
      {"\xFF\xFE\0\0a\0\0\0"sv, "iconv -f UTF-32 "},
      {"\0\0\xFE\xFF\0\0\0a"sv, "iconv -f UTF-32 "},
      {"t\0i\0m\0e\0,\0"sv, "iconv -f UTF-16LE"}};
  for (const auto& [head, command] : kinds) {
    const auto why = WhyForeignFile(head);
    ASSERT_TRUE(why) << command;
    EXPECT_THAT(*why, HasSubstr(command));
    EXPECT_THAT(*why, HasSubstr("path: \"-\""));
  }
  EXPECT_THAT(WhyForeignFile("PAR1\x15\0"sv).value_or(""), HasSubstr("a Parquet file; export it"));
}

TEST(ForeignFormatTest, LinesThatEndWithACarriageReturnAloneAreNamed) {
  const auto why = WhyForeignLines("a,b\rx,y\rz,u\r"sv).value_or("");
  EXPECT_THAT(why, HasSubstr("lines end with a carriage return alone"));
  EXPECT_THAT(why, HasSubstr("run `mac2unix < FILE | sashd"));
  for (const std::string_view text :
       {""sv, "a,b"sv, "a,b\r"sv, "a\rb"sv, "a\rb\r"sv, "a,b\r\nx,y\r\n"sv, "a\rb\rc\rd\n"sv}) {
    EXPECT_EQ(WhyForeignLines(text), std::nullopt) << text;
  }
}

TEST(ForeignFormatTest, TextIsNotForeign) {
  for (const std::string_view head :
       {""sv, "from,to\n"sv, "{\"a\":1}"sv, "BZh,to"sv, "PAR1,to"sv, "PKs,to"sv,
        "\xEF\xBB\xBF"
        "a"sv,
        "\x1F"sv, "#"sv, "("sv, "a\0b\0c"sv, "a,b\0c\0d\0e\0"sv}) {
    EXPECT_EQ(WhyForeignFile(head), std::nullopt) << head;
    EXPECT_EQ(WhyForeignRecord(head), std::nullopt) << head;
  }
}

TEST(ForeignFormatTest, FramedRecordsAreNamedWithTheirSchema) {
  EXPECT_TRUE(IsFramed("\0\0\x01\x86\xA1{}"sv));
  EXPECT_THAT(
      WhyForeignRecord("\0\0\x01\x86\xA1{}"sv).value_or(""),
      HasSubstr("schema id 100001, the frame of a Schema Registry; give source.format.registry"));
  EXPECT_FALSE(IsFramed("\0\0\0\x01"sv));
  EXPECT_FALSE(IsFramed("\0not text"sv));
  EXPECT_FALSE(IsFramed("a\0\0\0\x01"sv));
  EXPECT_THAT(WhyForeignRecord("\x03\0uuid-of-16-bytes-and"sv).value_or(""), HasSubstr("Glue"));
  EXPECT_THAT(WhyForeignRecord("\x1F\x8B\x08\0"sv).value_or(""), HasSubstr("compressed with gzip"));
}

}  // namespace
}  // namespace sash
