#include "windows/durable/slice_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/windows/durable/file_text.h"

namespace sash {
namespace {

Result<std::shared_ptr<const Slice>> ReadText(const std::string& text, VertexDictionary& keys,
                                              const PartitionTable& partitions,
                                              const FilterTexts& filters = {}) {
  const auto file = SectionedFile::Parse(text, FileKind::kSlice);
  if (!file) return file.error();
  if (const auto sound = CheckSlice(file.value(), keys.kind(), partitions); !sound)
    return sound.error();
  Result<NumberedSlice> numbered = ReadSlice(file.value(), keys.kind(), partitions);
  if (!numbered) return numbered.error();
  return InternSlice(std::move(numbered).value(), keys, filters).slice;
}

// A table with other indices, as in a manifest of another time.
struct OtherPartitions : PartitionTable {
  OtherPartitions() {
    Index("topic", 1);
    Index("other", 0);
    Index("topic", 3);
  }
};

class SliceFileTest : public ::testing::TestWithParam<KeyKind> {
 protected:
  // `size` events between some vertices.
  Slice MakeSlice(std::size_t size, WeightColumn::Kind weights, bool removals) {
    for (int i = 0; i < 40; ++i) {
      VertexDictionary::Writer writer(keys);
      if (GetParam() == KeyKind::kInteger) {
        writer.Intern(std::int64_t{i} * 1'000'000'007);
      } else {
        writer.Intern("vertex" + std::string(static_cast<std::size_t>(i), '-'));
      }
    }
    partitions.Index("other", 0);
    Slice slice;
    slice.id = SliceId{17};
    slice.begin = -30;
    slice.end = -20;
    slice.account = {.late = 1,
                     .refused = 2,
                     .last_accepted = 3,
                     .has_on_time = true,
                     .gap = true,
                     .least_time = EventTime(Duration(-29)),
                     .greatest_time = EventTime(Duration(-21)),
                     .shares = {}};
    slice.account.shares[partitions.Index("topic", 3)] = {
        .least = 5, .greatest = 9, .rewind_offset = 4, .newest_before = EventTime(Duration(-40))};
    slice.account.shares[partitions.Index("topic", 1)] = {};
    slice.weights = WeightColumn(size, weights);
    for (std::size_t i = 0; i < size; ++i) {
      slice.sources.push_back(static_cast<VertexId>(random_() % 40));
      slice.targets.push_back(static_cast<VertexId>(random_() % 40));
      if (removals) slice.operations.push_back(static_cast<Operation>(random_() % 3));
      const auto integer = static_cast<std::int64_t>(random_());
      slice.weights.Set(i, weights == WeightColumn::Kind::kMixed && i % 2 == 0
                               ? Weight::Real(0.25 * static_cast<double>(integer))
                               : Weight::Integer(integer));
    }
    return slice;
  }

  std::string Write(const Slice& slice, const FilterTexts& filters = {}) {
    return testing::FileText(FileKind::kSlice, EncodeSlice(slice, numbering_, partitions, filters));
  }

  // Lets random adds of the slice pass random filters.
  void Filter(std::size_t filters, Slice& slice) {
    const FilterBits unused = filters == kMostFilters ? 0 : kPassesAll << filters;
    slice.account.on_time_passes = random_() | unused;
    for (std::size_t i = 0; i < slice.size(); ++i) {
      const bool add = slice.operation(i) == Operation::kAdd;
      slice.passes.push_back(add ? random_() | unused : kPassesAll);
    }
  }

  // Gives most events of the slice one of some types, of which the table knows more.
  void Type(std::size_t types, Slice& slice) {
    slice.types = TypeColumn(slice.size(), WidthOf(static_cast<TypeNumber>(2 * types)));
    for (std::size_t i = 0; i < 2 * types; ++i) (void)keys.types().Intern(std::to_string(i));
    for (std::size_t i = 0; i < slice.size(); ++i) {
      slice.types.Set(i, static_cast<TypeNumber>(2 * (random_() % (types + 1))));
    }
  }

  VertexDictionary keys{GetParam()};
  PartitionTable partitions;

 private:
  std::mt19937_64 random_{7};
  KeyNumbering numbering_{keys};
};

void ExpectEqual(const Slice& read, const VertexDictionary& read_keys,
                 const PartitionTable& read_partitions, const Slice& written,
                 const VertexDictionary& keys, const PartitionTable& partitions) {
  EXPECT_EQ(read.id, written.id);
  EXPECT_EQ(read.begin, written.begin);
  EXPECT_EQ(read.end, written.end);
  EXPECT_EQ(read.account.late, written.account.late);
  EXPECT_EQ(read.account.refused, written.account.refused);
  EXPECT_EQ(read.account.last_accepted, written.account.last_accepted);
  EXPECT_EQ(read.account.has_on_time, written.account.has_on_time);
  EXPECT_EQ(read.account.gap, written.account.gap);
  EXPECT_EQ(read.account.least_time, written.account.least_time);
  EXPECT_EQ(read.account.greatest_time, written.account.greatest_time);
  ASSERT_EQ(read.account.shares.size(), written.account.shares.size());
  for (const auto& [index, share] : read.account.shares) {
    const TopicPartition pair = read_partitions.At(index);
    PartitionTable copy;
    for (const TopicPartition& known : partitions.All()) copy.Index(known.topic, known.partition);
    const PartitionShare& expected =
        written.account.shares.at(copy.Index(pair.topic, pair.partition));
    EXPECT_EQ(share.least, expected.least);
    EXPECT_EQ(share.greatest, expected.greatest);
    EXPECT_EQ(share.rewind_offset, expected.rewind_offset);
    EXPECT_EQ(share.newest_before, expected.newest_before);
  }
  EXPECT_EQ(read.account.on_time_passes, written.account.on_time_passes);
  EXPECT_EQ(read.passes, written.passes);
  ASSERT_EQ(read.size(), written.size());
  EXPECT_EQ(read.operations, written.operations);
  EXPECT_EQ(read.weights.kind(), written.weights.kind());
  for (std::size_t i = 0; i < read.size(); ++i) {
    ASSERT_EQ(read_keys.KeyOf(read.sources[i]), keys.KeyOf(written.sources[i]));
    ASSERT_EQ(read_keys.KeyOf(read.targets[i]), keys.KeyOf(written.targets[i]));
    ASSERT_EQ(read.weights[i], written.weights[i]);
    ASSERT_EQ(read_keys.types().WordOf(read.types[i]), keys.types().WordOf(written.types[i]));
  }
}

TEST_P(SliceFileTest, ASliceIsReadAsItWasWritten) {
  for (const auto weights :
       {WeightColumn::Kind::kOnes, WeightColumn::Kind::kIntegers, WeightColumn::Kind::kMixed}) {
    for (const bool removals : {false, true}) {
      for (const std::size_t size : {0u, 1u, 1000u}) {
        const Slice slice = MakeSlice(size, weights, removals);
        const std::string text = Write(slice);
        EXPECT_EQ(Write(slice), text) << "the numbering was reset";
        VertexDictionary other_keys(GetParam());
        OtherPartitions other_partitions;
        const auto read = ReadText(text, other_keys, other_partitions);
        ASSERT_TRUE(read.ok()) << read.error().message;
        ExpectEqual(*read.value(), other_keys, other_partitions, slice, keys, partitions);
      }
    }
  }
}

TEST_P(SliceFileTest, WhatFiltersLetPassIsReadAsItWasWritten) {
  for (const std::size_t count : {1u, 8u, 9u, 64u}) {
    FilterTexts filters;
    for (std::size_t i = 0; i < count; ++i) filters.push_back("f" + std::to_string(i));
    Slice slice = MakeSlice(100, WeightColumn::Kind::kOnes, true);
    Filter(count, slice);
    VertexDictionary other_keys(GetParam());
    OtherPartitions other_partitions;
    const auto read = ReadText(Write(slice, filters), other_keys, other_partitions, filters);
    ASSERT_TRUE(read.ok()) << read.error().message;
    ExpectEqual(*read.value(), other_keys, other_partitions, slice, keys, partitions);
  }
}

TEST_P(SliceFileTest, TypesAreReadAsTheyWereWrittenIntoATableThatKnowsOthers) {
  for (const std::size_t types : {1u, 100u, 300u}) {
    Slice slice = MakeSlice(1000, WeightColumn::Kind::kOnes, true);
    Type(types, slice);
    VertexDictionary other_keys(GetParam());
    ASSERT_EQ(other_keys.types().Intern("another"), 1u);
    OtherPartitions other_partitions;
    const auto read = ReadText(Write(slice), other_keys, other_partitions);
    ASSERT_TRUE(read.ok()) << read.error().message;
    ExpectEqual(*read.value(), other_keys, other_partitions, slice, keys, partitions);
    EXPECT_LE(other_keys.types().size(), types + 1) << "the file names no type without an event";
  }
}

TEST_P(SliceFileTest, ANewFilterLetsOnlyTheRemovalsOfASlicePass) {
  const Slice slice = MakeSlice(100, WeightColumn::Kind::kOnes, true);
  VertexDictionary other_keys(GetParam());
  OtherPartitions other_partitions;
  const auto read = ReadText(Write(slice), other_keys, other_partitions, {"new"});
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read.value()->passes.size(), slice.size());
  for (std::size_t i = 0; i < slice.size(); ++i) {
    EXPECT_EQ(read.value()->passes[i],
              slice.operation(i) == Operation::kAdd ? kPassesAll - 1 : kPassesAll);
  }
}

TEST_P(SliceFileTest, ANewFilterOfTypesAloneJudgesTheEventsOfASlice) {
  Slice slice = MakeSlice(200, WeightColumn::Kind::kOnes, true);
  Filter(1, slice);
  Type(3, slice);
  VertexDictionary other_keys(GetParam());
  OtherPartitions other_partitions;
  const FilterTexts filters = {R"(types: "1", "5")", "old"};
  const auto read = ReadText(Write(slice, {"old"}), other_keys, other_partitions, filters);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read.value()->passes.size(), slice.size());
  for (std::size_t i = 0; i < slice.size(); ++i) {
    const std::string_view word = keys.types().WordOf(slice.types[i]);
    const bool passes_any = slice.operation(i) == Operation::kRemoveVertex ||
                            (slice.operation(i) == Operation::kRemove && word.empty());
    EXPECT_EQ((read.value()->passes[i] & 1) != 0, passes_any || word == "1" || word == "5");
    EXPECT_EQ(read.value()->passes[i] >> 1 & 1, slice.passes[i] & 1);
  }
}

TEST_P(SliceFileTest, APartitionThatTheManifestDoesNotNameIsRefused) {
  const std::string text = Write(MakeSlice(3, WeightColumn::Kind::kOnes, false));
  VertexDictionary other_keys(GetParam());
  PartitionTable others;
  others.Index("topic", 1);
  others.Index("topic", 2);
  const auto read = ReadText(text, other_keys, others);
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, ::testing::HasSubstr("account is malformed"));
  EXPECT_EQ(others.size(), 2u);
}

TEST_P(SliceFileTest, EveryFlippedBitAndEveryTruncationIsSeenAndInternsNothing) {
  Slice slice = MakeSlice(12, WeightColumn::Kind::kMixed, true);
  Filter(2, slice);
  Type(2, slice);
  const std::string sound = Write(slice, {"a", "b"});
  VertexDictionary other_keys(GetParam());
  OtherPartitions other_partitions;
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    std::string text = sound;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    ASSERT_FALSE(ReadText(text, other_keys, other_partitions).ok()) << "bit " << bit;
  }
  for (std::size_t size = 0; size < sound.size(); ++size) {
    ASSERT_FALSE(ReadText(sound.substr(0, size), other_keys, other_partitions).ok()) << size;
  }
  EXPECT_EQ(other_keys.size(), 0u);
}

// The checksums are right and the content is wrong, as after a bug in Sash or in another program.
TEST_P(SliceFileTest, EveryByteOfEverySectionMayBeAnythingWithoutACrash) {
  Slice slice = MakeSlice(6, WeightColumn::Kind::kMixed, true);
  Filter(2, slice);
  Type(2, slice);
  const std::vector<FileSection> sound =
      EncodeSlice(slice, *std::make_unique<KeyNumbering>(keys), partitions, {"a", "b"});
  std::size_t refused = 0;
  for (std::size_t s = 0; s < sound.size(); ++s) {
    for (std::size_t i = 0; i < sound[s].bytes.size(); ++i) {
      for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
        std::vector<FileSection> sections = sound;
        sections[s].bytes[i] = static_cast<char>(value);
        VertexDictionary other_keys(GetParam());
        OtherPartitions other_partitions;
        const auto read =
            ReadText(testing::FileText(FileKind::kSlice, sections), other_keys, other_partitions);
        refused += read.ok() ? 0 : 1;
        if (!read.ok()) {
          EXPECT_EQ(other_keys.size(), 0u);
        }
      }
    }
    for (std::size_t size = 0; size < sound[s].bytes.size(); ++size) {
      std::vector<FileSection> sections = sound;
      sections[s].bytes.resize(size);
      VertexDictionary other_keys(GetParam());
      OtherPartitions other_partitions;
      EXPECT_FALSE(
          ReadText(testing::FileText(FileKind::kSlice, sections), other_keys, other_partitions)
              .ok());
    }
  }
  EXPECT_GT(refused, 100u);
}

TEST_P(SliceFileTest, ALeastTimeWithoutAGreatestOrBehindItIsRefused) {
  const auto refused = [this](std::optional<EventTime> least, std::optional<EventTime> greatest) {
    Slice slice = MakeSlice(3, WeightColumn::Kind::kOnes, false);
    slice.account.least_time = least;
    slice.account.greatest_time = greatest;
    VertexDictionary other_keys(GetParam());
    OtherPartitions other_partitions;
    return !ReadText(Write(slice), other_keys, other_partitions).ok();
  };
  const EventTime early(Duration(-5));
  const EventTime late(Duration(5));
  EXPECT_FALSE(refused(early, late));
  EXPECT_FALSE(refused(late, late));
  EXPECT_FALSE(refused({}, {}));
  EXPECT_TRUE(refused(early, {}));
  EXPECT_TRUE(refused({}, late));
  EXPECT_TRUE(refused(late, early));
}

TEST_P(SliceFileTest, KeysOfTheOtherKindAreRefused) {
  VertexDictionary other_keys(GetParam() == KeyKind::kString ? KeyKind::kInteger
                                                             : KeyKind::kString);
  OtherPartitions other_partitions;
  const auto read =
      ReadText(Write(MakeSlice(3, WeightColumn::Kind::kOnes, false)), other_keys, other_partitions);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Keys, SliceFileTest,
                         ::testing::Values(KeyKind::kString, KeyKind::kInteger),
                         [](const auto& kind) {
                           return kind.param == KeyKind::kString ? "String" : "Integer";
                         });

}  // namespace
}  // namespace sash
