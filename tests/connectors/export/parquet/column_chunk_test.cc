// How columns are encoded, and what their statistics say.
#include "connectors/export/parquet/column_chunk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace sash {
namespace {

using enum ParquetEncoding;
using ::testing::Contains;
using ::testing::ElementsAre;

template <typename Number>
std::string BytesOfNumber(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

class ColumnChunkTest : public ::testing::Test {
 protected:
  // Fills pages of 1,000 rows with what put(chunk, i) puts.
  template <typename Put>
  ChunkFacts Fill(const ParquetColumn& column, int rows, const Put& put) {
    ColumnChunk chunk(column, 1'000, packer_);
    for (int i = 0; i < rows; ++i) {
      put(chunk, i);
      if (i % 1'000 == 999) chunk.EndPage();
    }
    auto [bytes, facts] = chunk.End(4);
    EXPECT_EQ(facts.bytes, bytes.size());
    EXPECT_EQ(facts.begin, 4u);
    EXPECT_EQ(facts.rows, static_cast<std::uint64_t>(rows));
    return facts;
  }

  ZstdPacker packer_;
  std::mt19937_64 random_{11};
};

TEST_F(ColumnChunkTest, FewDistinctNumbersHaveADictionary) {
  const ChunkFacts facts = Fill({"w", ParquetType::kReal}, 10'000, [&](ColumnChunk& chunk, int) {
    chunk.PutReal(0.1 * static_cast<double>(random_() % 50));
  });
  EXPECT_THAT(facts.encodings, ElementsAre(kPlain, kPlaces));
  EXPECT_EQ(facts.dictionary_at, 4u);
  EXPECT_LT(facts.bytes, 10'000u);
}

TEST_F(ColumnChunkTest, NumbersThatAscendAreDifferences) {
  const ChunkFacts facts = Fill({"id"}, 10'000, [](ColumnChunk& chunk, int i) {
    chunk.PutInteger(i / 100);  // few are distinct, but differences are smaller than places
  });
  EXPECT_THAT(facts.encodings, ElementsAre(kDeltas));
  EXPECT_FALSE(facts.dictionary_at.has_value());
}

TEST_F(ColumnChunkTest, RandomNumbersArePlainAndNotCompressed) {
  const ChunkFacts facts = Fill({"n"}, 10'000, [&](ColumnChunk& chunk, int) {
    chunk.PutInteger(static_cast<std::int64_t>(random_()));
  });
  EXPECT_THAT(facts.encodings, ElementsAre(kPlain));
  EXPECT_FALSE(facts.is_compressed);
  EXPECT_EQ(facts.bytes, facts.raw_bytes);
}

TEST_F(ColumnChunkTest, ADictionaryThatFillsUpEndsWithinTheChunk) {
  const ChunkFacts facts = Fill({"n", ParquetType::kReal}, 60'000, [&](ColumnChunk& chunk, int i) {
    chunk.PutReal(i < 2'000 ? i % 10 : static_cast<double>(random_()));
  });
  EXPECT_THAT(facts.encodings, ElementsAre(kPlain, kPlaces));
  EXPECT_GT(facts.bytes, 60'000u * 8 - 40'000 * 8);
}

TEST_F(ColumnChunkTest, TextsAreCompressed) {
  const ChunkFacts facts = Fill({"key", ParquetType::kText}, 5'000, [](ColumnChunk& chunk, int i) {
    chunk.PutText("account-" + std::to_string(i));
  });
  EXPECT_TRUE(facts.is_compressed);
  EXPECT_LT(facts.bytes, facts.raw_bytes / 2);
}

TEST_F(ColumnChunkTest, StatisticsOfIntegersHoldTheExtremes) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  const ChunkFacts facts = Fill(
      {"n"}, 3'000, [](ColumnChunk& chunk, int i) { chunk.PutInteger(i == 1'500 ? kLeast : i); });
  EXPECT_EQ(facts.statistics.least(), BytesOfNumber(kLeast));
  EXPECT_EQ(facts.statistics.greatest(), BytesOfNumber(std::int64_t{2'999}));
  EXPECT_EQ(facts.statistics.nulls(), 0u);
}

TEST_F(ColumnChunkTest, StatisticsOfDoublesLeaveNanOutAndWidenZero) {
  const auto of = [&](std::vector<double> values) {
    return Fill({"x", ParquetType::kReal}, static_cast<int>(values.size()),
                [&](ColumnChunk& chunk, int i) {
                  chunk.PutReal(values[static_cast<std::size_t>(i)]);
                })
        .statistics;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(of({kNan, 2, -3, kNan}).least(), BytesOfNumber(-3.0));
  EXPECT_EQ(of({kNan, 2, -3, kNan}).greatest(), BytesOfNumber(2.0));
  EXPECT_EQ(of({kNan}).least(), std::nullopt);
  EXPECT_EQ(of({0.0}).least(), BytesOfNumber(-0.0));
  EXPECT_EQ(of({-0.0}).greatest(), BytesOfNumber(0.0));
}

TEST_F(ColumnChunkTest, StatisticsOfTextsCompareUnsignedBytesAndCountNulls) {
  const std::vector<std::string> texts = {"z", "\xC3\xBC", "a", ""};
  const ChunkFacts facts = Fill({"t", ParquetType::kText, true}, 8, [&](ColumnChunk& chunk, int i) {
    if (i % 2 == 0) {
      chunk.PutNull();
    } else {
      chunk.PutText(texts[static_cast<std::size_t>(i / 2)]);
    }
  });
  EXPECT_EQ(facts.statistics.least(), "");
  EXPECT_EQ(facts.statistics.greatest(), "\xC3\xBC");
  EXPECT_EQ(facts.statistics.nulls(), 4u);
  EXPECT_THAT(facts.encodings, Contains(kRuns));
  const ChunkFacts longer = Fill({"t", ParquetType::kText}, 1, [&](ColumnChunk& chunk, int) {
    chunk.PutText(std::string(10'000, 'x'));
  });
  EXPECT_EQ(longer.statistics.least(), std::nullopt);
}

TEST_F(ColumnChunkTest, APageOfLongTextsEndsEarly) {
  ColumnChunk chunk({"t", ParquetType::kText}, 1'000, packer_);
  std::uint64_t before = 0;
  int pages = 0;
  for (int i = 0; i < 50; ++i) {
    chunk.PutText(std::string(100'000, static_cast<char>('a' + i % 26)));
    pages += chunk.bytes() > before ? 1 : 0;
    before = chunk.bytes();
  }
  EXPECT_EQ(pages, 4) << "of eleven texts each";
  EXPECT_EQ(chunk.End(4).second.rows, 50u);
}

TEST_F(ColumnChunkTest, WordsAreTheirDictionary) {
  const std::vector<std::string_view> words = {"a", "b", "c"};
  const ChunkFacts facts =
      Fill({"t", ParquetType::kWord, true, words}, 2'000,
           [](ColumnChunk& chunk, int i) { chunk.PutWord(static_cast<std::uint32_t>(i % 2)); });
  EXPECT_THAT(facts.encodings, ElementsAre(kPlain, kRuns, kPlaces));
  EXPECT_EQ(facts.statistics.least(), "a");
  EXPECT_EQ(facts.statistics.greatest(), "b") << "of the words that occur";
}

}  // namespace
}  // namespace sash
