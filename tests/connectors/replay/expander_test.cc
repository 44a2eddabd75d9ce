#include "connectors/replay/expander.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/connectors/replay/compressed.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

struct Expanded {
  std::string text;
  std::string why;  // empty: it is whole
  std::size_t consumed = 0;
};

// Gives the stream in pieces of `piece` bytes to an expander that has `room` bytes of room.
Expanded Expand(std::string_view bytes, std::size_t piece, std::size_t room) {
  const auto compression = CompressionOf(bytes);
  EXPECT_TRUE(compression.has_value());
  const std::unique_ptr<Expander> expander = MakeExpander(compression.value_or(Compression::kNone));
  Expanded expanded;
  std::string space(room, '\0');
  for (;;) {
    const std::string_view left = bytes.substr(expanded.consumed, piece);
    const Expander::Step step = expander->Expand(left, space);
    expanded.text.append(space, 0, step.produced);
    expanded.consumed += step.consumed;
    expanded.why = step.why;
    if (!step.why.empty()) return expanded;
    if (step.produced == 0 && expanded.consumed == bytes.size()) break;
    EXPECT_GT(step.produced + step.consumed, 0u) << "no progress";
    if (step.produced + step.consumed == 0) break;
  }
  if (!expander->IsWhole()) expanded.why = "cut off";
  return expanded;
}

std::string RandomText(std::mt19937& random) {
  std::string text(random() % 5000, ' ');
  const std::size_t letters = 1 + random() % 200;
  for (char& c : text) c = static_cast<char>(random() % letters);
  return text;
}

TEST(ExpanderTest, RecognizesAStreamByItsFirstBytes) {
  EXPECT_EQ(CompressionOf("\x1F\x8B"), Compression::kGzip);
  EXPECT_EQ(CompressionOf("\x28\xB5\x2F\xFD"), Compression::kZstd);
  EXPECT_EQ(CompressionOf("\x5E\x2A\x4D\x18"), Compression::kZstd) << "a skippable frame";
  for (const char* part : {"", "\x1F", "\x28", "\x28\xB5\x2F", "P", "_\x2A\x4D"}) {
    EXPECT_EQ(CompressionOf(part), std::nullopt) << part;
  }
  for (const char* text : {"{", "source", "\x1F,", "(a", "Pa", "\x60\x2A\x4D\x18", "\x8B\x1F"}) {
    EXPECT_EQ(CompressionOf(text), Compression::kNone) << text;
  }
}

TEST(ExpanderTest, WhatIsCompressedIsReadBack) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const bool gzip = random() % 2 == 0;
    std::string text;
    std::string bytes;
    for (std::size_t i = 1 + random() % 3; i > 0; --i) {  // streams one after the other
      const std::string part = RandomText(random);
      text += part;
      bytes += gzip ? Gzipped(part) : Zstandard(part);
    }
    if (gzip && random() % 2 == 0) bytes.append(random() % 600, '\0');  // as on tapes
    const Expanded expanded = Expand(bytes, 1 + random() % 300, 1 + random() % 300);
    EXPECT_EQ(expanded.why, "");
    EXPECT_EQ(expanded.text, text);
  }
}

TEST(ExpanderTest, EveryCutIsNoticed) {
  std::mt19937 random(7);
  const std::string text = RandomText(random).substr(0, 300) + "tail";
  for (const std::string& bytes : {Gzipped(text), Zstandard(text)}) {
    for (std::size_t size = kCompressionHeadBytes; size < bytes.size(); ++size) {
      const Expanded expanded = Expand(std::string_view(bytes).substr(0, size), 64, 64);
      EXPECT_EQ(expanded.why, "cut off") << size;
      EXPECT_TRUE(text.starts_with(expanded.text));
    }
  }
}

TEST(ExpanderTest, AChangedByteNeverGivesAWholeOtherText) {
  std::mt19937 random(8);
  const std::string text = RandomText(random) + "tail";
  const std::string bytes = Gzipped(text);  // zstd has a checksum only on request
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    changed[2 + random() % (bytes.size() - 2)] ^= static_cast<char>(1 + random() % 255);
    const Expanded expanded = Expand(changed, 1000, 1000);
    if (expanded.why.empty()) {
      EXPECT_EQ(expanded.text, text) << "a byte without meaning";
    }
  }
}

TEST(ExpanderTest, SaysWhatIsWrongAfterWhichByte) {
  std::string bytes = Gzipped("some text");
  bytes[bytes.size() - 8] ^= 1;  // of the checksum
  EXPECT_THAT(Expand(bytes, 1000, 1000).why, HasSubstr("incorrect data check"));
  const std::string good = Gzipped("some text");
  const Expanded followed = Expand(good + "text", 1000, 1000);
  EXPECT_EQ(followed.text, "some text");
  EXPECT_EQ(followed.consumed, good.size());
  EXPECT_THAT(followed.why, HasSubstr("other bytes follow"));
  EXPECT_NE(Expand(Zstandard("some text") + "text", 1000, 1000).why, "");
}

TEST(ExpanderTest, AFrameThatNeedsADictionaryIsNamed) {
  // A frame with the id of a dictionary (5), one byte long, in one block without compression.
  const std::string frame("\x28\xB5\x2F\xFD\x21\x05\x01\x09\0\0a", 11);
  EXPECT_THAT(Expand(frame, 100, 100).why, HasSubstr("`zstd -dc -D DICTIONARY`"));
}

TEST(ExpanderTest, ASkippableFrameHasNoText) {
  const std::string skippable("\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
  EXPECT_EQ(Expand(skippable + Zstandard("text"), 3, 3).text, "text");
  EXPECT_EQ(Expand(Zstandard("text") + skippable, 3, 3).why, "");
}

TEST(ExpanderTest, MemoryIsBounded) {
  EXPECT_EQ(Expand(ZstandardWithWindow(27), 100, 100).text, "text");
  EXPECT_THAT(Expand(ZstandardWithWindow(28), 100, 100).why, HasSubstr("128 MiB"));
}

}  // namespace
}  // namespace sash
