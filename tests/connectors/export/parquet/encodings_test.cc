// The encodings of numbers, decoded by a second, simple implementation; and Thrift's bytes.
// integration/process/parquet_test.py reads whole files by other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "connectors/export/parquet/compact_thrift.h"
#include "connectors/export/parquet/packed_bits.h"
#include "connectors/export/parquet/packed_numbers.h"
#include "connectors/export/parquet/page_header.h"
#include "connectors/export/parquet/value_dictionary.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

using ::testing::ElementsAre;

class BitReader {
 public:
  explicit BitReader(const std::string& bytes) : bytes_(bytes) {}

  std::uint64_t Varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t byte = Byte();
      number |= (byte & 0x7F) << shift;
      if (byte < 0x80) return number;
    }
  }
  std::int64_t Signed() {
    const std::uint64_t number = Varint();
    return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
  }
  std::uint64_t Byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  std::vector<std::uint64_t> Packed(std::size_t count, unsigned width) {
    std::vector<std::uint64_t> numbers(count);
    for (std::size_t bit = 0; bit < count * width; ++bit) {
      const auto byte = static_cast<unsigned char>(bytes_.at(at_ + bit / 8));
      numbers[bit / width] |= std::uint64_t{byte} >> bit % 8 << 63 >> (63 - bit % width);
    }
    at_ += count * width / 8;
    return numbers;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

std::vector<std::int64_t> DecodedDeltas(const std::string& bytes) {
  BitReader reader(bytes);
  const std::uint64_t block = reader.Varint();
  const std::uint64_t parts = reader.Varint();
  EXPECT_EQ(block % 128, 0u);
  EXPECT_EQ(block / parts % 32, 0u);
  const std::uint64_t count = reader.Varint();
  std::vector<std::int64_t> numbers = {reader.Signed()};
  while (numbers.size() < count) {
    const std::int64_t least = reader.Signed();
    std::vector<unsigned> widths;
    for (std::uint64_t i = 0; i < parts; ++i) widths.push_back(unsigned(reader.Byte()));
    for (const unsigned width : widths) {
      if (numbers.size() >= count) break;
      for (const std::uint64_t delta : reader.Packed(block / parts, width)) {
        if (numbers.size() >= count) break;
        numbers.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(numbers.back()) +
                                                    static_cast<std::uint64_t>(least) + delta));
      }
    }
  }
  EXPECT_TRUE(reader.at_end());
  numbers.resize(count);
  return numbers;
}

std::vector<std::uint32_t> DecodedRuns(const std::string& bytes, unsigned width,
                                       std::size_t count) {
  BitReader reader(bytes);
  std::vector<std::uint32_t> numbers;
  while (!reader.at_end()) {
    const std::uint64_t header = reader.Varint();
    if ((header & 1) != 0) {
      for (const auto number : reader.Packed(header / 2 * 8, width)) {
        numbers.push_back(static_cast<std::uint32_t>(number));
      }
    } else {
      std::uint32_t number = 0;
      for (unsigned shift = 0; shift < width; shift += 8) {
        number |= static_cast<std::uint32_t>(reader.Byte() << shift);
      }
      numbers.insert(numbers.end(), header / 2, number);
    }
  }
  EXPECT_GE(numbers.size(), count);
  EXPECT_LT(numbers.size(), count + 8) << "only the last group is filled up";
  numbers.resize(count);
  return numbers;
}

std::string Deltas(const std::vector<std::int64_t>& numbers) {
  std::string bytes;
  AppendDeltas(numbers, bytes);
  return bytes;
}

TEST(ParquetEncodingTest, PackedBitsAreReadBackAtEveryWidth) {
  std::mt19937_64 random(7);
  for (unsigned width = 0; width <= 64; ++width) {
    std::vector<std::uint64_t> numbers(64);
    if (width > 0) {
      for (auto& number : numbers) number = random() >> (64 - width);
    }
    std::string bytes = "before";
    PackBits(numbers.data(), numbers.size(), width, bytes);
    ASSERT_EQ(bytes.size(), 6 + numbers.size() * width / 8);
    bytes.erase(0, 6);
    if (width > 0) {
      EXPECT_EQ(BitReader(bytes).Packed(numbers.size(), width), numbers);
    }
  }
}

TEST(ParquetEncodingTest, DeltasAreReadBack) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(DecodedDeltas(Deltas({kLeast, kMost, kLeast, 0, kMost, -1})),
            (std::vector<std::int64_t>{kLeast, kMost, kLeast, 0, kMost, -1}));
  std::mt19937_64 random(8);
  for (std::size_t size = 1; size < 700; size += 1 + size / 9) {
    for (unsigned shift = 0; shift <= 63; shift += 7) {
      std::vector<std::int64_t> numbers;
      for (std::size_t i = 0; i < size; ++i) {
        numbers.push_back(static_cast<std::int64_t>(random()) >> shift);
      }
      ASSERT_EQ(DecodedDeltas(Deltas(numbers)), numbers) << size << " numbers, shift " << shift;
    }
  }
}

TEST(ParquetEncodingTest, NumbersThatAscendTakeLittle) {
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < 65'536; ++i) ids.push_back(i);
  EXPECT_LT(Deltas(ids).size(), 3'200u) << "six bytes for each 128";
}

TEST(ParquetEncodingTest, RunsAreReadBack) {
  std::mt19937_64 random(9);
  for (unsigned width = 1; width <= 32; ++width) {
    for (int longest = 1; longest < 40; longest += 3) {
      std::vector<std::uint32_t> numbers;
      while (numbers.size() < 300) {
        const auto number = static_cast<std::uint32_t>(random() >> (64 - width));
        numbers.insert(numbers.end(), 1 + random() % static_cast<unsigned>(longest), number);
      }
      std::string bytes;
      AppendRuns(numbers, width, bytes);
      ASSERT_EQ(DecodedRuns(bytes, width, numbers.size()), numbers) << width << ' ' << longest;
    }
  }
  std::string bytes;
  AppendRuns(std::vector<std::uint32_t>(1'000'000, 3), 2, bytes);
  EXPECT_EQ(bytes.size(), 4u);
}

TEST(ParquetEncodingTest, ADictionaryNumbersValuesUntilItIsFull) {
  ValueDictionary dictionary;
  EXPECT_EQ(dictionary.PlaceOf(-5), 0u);
  EXPECT_EQ(dictionary.PlaceOf(0), 1u);
  EXPECT_EQ(dictionary.PlaceOf(-5), 0u);
  EXPECT_THAT(dictionary.values(), ElementsAre(-5, 0));
  for (std::int64_t i = 1; dictionary.values().size() < ValueDictionary::kMost; ++i) {
    ASSERT_TRUE(dictionary.PlaceOf(i << 40).has_value());
  }
  EXPECT_FALSE(dictionary.PlaceOf(7).has_value());
  EXPECT_EQ(dictionary.PlaceOf(0), 1u);
  dictionary.Clear();
  EXPECT_EQ(dictionary.PlaceOf(0), 0u);
}

TEST(ParquetEncodingTest, ValuesThatShareASlotEndADictionarySoon) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;  // of the hash
  std::uint64_t inverse = kFactor;                        // each step doubles the correct bits
  for (int i = 0; i < 6; ++i) inverse *= 2 - kFactor * inverse;
  ASSERT_EQ(inverse * kFactor, 1u);
  ValueDictionary dictionary;
  std::uint64_t taken = 0;
  while (dictionary.PlaceOf(static_cast<std::int64_t>(taken * inverse))) ++taken;
  EXPECT_EQ(taken, 128u);
  EXPECT_EQ(dictionary.PlaceOf(0), 0u);
}

TEST(ParquetEncodingTest, ThriftHasTheBytesOfTheCompactProtocol) {
  std::string bytes;
  CompactThrift(bytes)
      .I32(1, -2)
      .Bool(2, true)
      .BeginStruct(3)
      .Binary(20, "ab")
      .EndStruct()
      .List(4, CompactThrift::Type::kI32, 16)
      .EndStruct();
  EXPECT_EQ(bytes, std::string("\x15\x03\x11\x1C\x08\x28\x02\x61\x62\x00\x19\xF5\x10\x00", 14));
}

TEST(ParquetEncodingTest, PagesHaveTheChecksumOfGzip) {
  EXPECT_EQ(Crc32("123456789"), 0xCBF43926u);
  EXPECT_EQ(Crc32("6789", Crc32("12345")), 0xCBF43926u);
  const std::string text = PageHeader{.values = 1, .raw_bytes = 8, .bytes = 8}.Text();
  EXPECT_EQ(text, std::string("\x15\x00\x15\x10\x15\x10\x15\x00\x1C\x15\x02\x15\x00\x15\x06\x15"
                              "\x06\x00\x00",
                              19));
}

}  // namespace
}  // namespace sash
