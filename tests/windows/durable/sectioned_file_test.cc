#include "windows/durable/sectioned_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/windows/durable/file_text.h"
#include "windows/base/checksum.h"
#include "windows/durable/byte_text.h"

namespace sash {
namespace {

const std::vector<FileSection>& Example() {
  static const std::vector<FileSection> sections = {{1, "abc"}, {2, ""}, {7, std::string(16, 'x')}};
  return sections;
}

TEST(Crc32cTest, ValueOfTheCatalogueOfCrcs) {
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);  // RFC 3720, B.4
}

TEST(SectionedFileTest, SectionsAreFoundByTag) {
  const auto file =
      SectionedFile::Parse(testing::FileText(FileKind::kSlice, Example()), FileKind::kSlice);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file.value().Find(1).value(), "abc");
  EXPECT_EQ(file.value().Find(2).value(), "");
  EXPECT_EQ(file.value().Find(7).value(), std::string(16, 'x'));
  EXPECT_EQ(file.value().Find(3).error().message, "section 3 is missing");
  EXPECT_EQ(file.value().stamp().bytes, testing::FileText(FileKind::kSlice, Example()).size());
}

TEST(SectionedFileTest, EveryFlippedBitIsSeen) {
  const std::string sound = testing::FileText(FileKind::kSlice, Example());
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    std::string text = sound;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    const auto file = SectionedFile::Parse(text, FileKind::kSlice);
    ASSERT_FALSE(file.ok()) << "bit " << bit;
    EXPECT_EQ(file.error().code, ErrorCode::kCorruption) << file.error().message;
  }
}

TEST(SectionedFileTest, EveryTruncationAndExtensionIsSeen) {
  const std::string sound = testing::FileText(FileKind::kSlice, Example());
  for (std::size_t size = 0; size < sound.size(); ++size) {
    EXPECT_FALSE(SectionedFile::Parse(sound.substr(0, size), FileKind::kSlice).ok()) << size;
  }
  for (const char more : {'\0', 'x'}) {
    EXPECT_FALSE(SectionedFile::Parse(sound + more, FileKind::kSlice).ok());
  }
}

TEST(SectionedFileTest, SaysWhereItIsDamaged) {
  std::string text = testing::FileText(FileKind::kSlice, Example());
  const std::size_t begin = text.find("abc");
  text[begin] = 'b';
  EXPECT_EQ(SectionedFile::Parse(text, FileKind::kSlice).error().message,
            "byte " + std::to_string(begin) + ": the checksum of section 1 (3 bytes) is wrong");
  EXPECT_EQ(SectionedFile::Parse("not a checkpoint at all", FileKind::kSlice).error().message,
            "byte 0: this is not a checkpoint file");
}

TEST(SectionedFileTest, AnotherFormatIsToldFromDamage) {
  for (const std::uint32_t format : {kOldestCheckpointFormat - 1, kCheckpointFormat + 1}) {
    std::string text = testing::FileText(FileKind::kSlice, Example());
    text[8] = static_cast<char>(format);
    ByteWriter checksum;
    checksum.Put(Crc32c(text.substr(0, 12)));
    text.replace(12, 4, std::move(checksum).Take());
    // Another format may have any content after the first 16 bytes.
    for (const std::string& other : {text, text.substr(0, 16) + "anything"}) {
      const auto file = SectionedFile::Parse(other, FileKind::kSlice);
      ASSERT_FALSE(file.ok());
      EXPECT_EQ(file.error().code, ErrorCode::kInvalidArgument);
      EXPECT_EQ(file.error().message,
                "it has format " + std::to_string(format) +
                    ", and this program reads formats 1 to 2: start the version of Sash that wrote "
                    "it, or use another folder");
    }
  }
}

TEST(SectionedFileTest, AFileOfAnotherKindIsRefused) {
  EXPECT_EQ(
      SectionedFile::Parse(testing::FileText(FileKind::kSlice, Example()), FileKind::kManifest)
          .error()
          .message,
      "byte 16: it is of kind 1, not 2");
}

TEST(ByteReaderTest, WhatIsNotThereReadsAsNothing) {
  ByteReader reader("\x05\x00\x00");
  EXPECT_EQ(reader.Get<std::uint64_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.GetText(), "");
  EXPECT_EQ(reader.GetCount(8), 0u);
  EXPECT_TRUE(reader.GetColumn<std::int64_t>(4).empty());
  EXPECT_FALSE(reader.done());
}

TEST(ByteReaderTest, ACountThatCannotBeReservesNothing) {
  ByteWriter writer;
  writer.Put(std::uint64_t{1} << 60);
  const std::string bytes = std::move(writer).Take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.GetCount(1), 0u);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace sash
