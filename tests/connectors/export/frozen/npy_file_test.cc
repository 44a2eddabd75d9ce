#include "connectors/export/frozen/npy_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "tests/connectors/export/frozen/frozen_reader.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ReadNpy;
using testing::SharedFolder;

class NpyFileTest : public ::testing::Test {
 protected:
  NpyFileTest() : folder_(::open(scratch_.File("").c_str(), O_RDONLY | O_DIRECTORY)) {}

  const SharedFolder scratch_;
  const OwnedDescriptor folder_;
};

TEST_F(NpyFileTest, EveryTypeIsReadBackAsItWasWritten) {
  const std::vector<std::pair<NpyType, std::string>> types = {{NpyType::kUint8, "|u1"},
                                                              {NpyType::kUint16, "<u2"},
                                                              {NpyType::kInt32, "<i4"},
                                                              {NpyType::kInt64, "<i8"}};
  for (const auto& [type, description] : types) {
    const std::string name = description.substr(1) + ".npy";
    const NpyColumn column{name, type, 3};
    Result<NpyFile> file = NpyFile::Create(folder_.number(), column);
    ASSERT_TRUE(file.ok());
    for (const std::int64_t value : {1, 0, 255}) file.value().Put(value);
    const Result<std::uint32_t> checksum = file.value().Finish();
    ASSERT_TRUE(checksum.ok());
    const std::string bytes = testing::Contents(scratch_.File(name));
    EXPECT_EQ(bytes.size(), column.bytes());
    EXPECT_EQ(Crc32c(bytes), checksum.value());
    EXPECT_EQ(ReadNpy(scratch_.File(name)).type, description);
    EXPECT_THAT(ReadNpy(scratch_.File(name)).whole, ElementsAre(1, 0, 255));
  }
}

TEST_F(NpyFileTest, RealsAndTheGreatestIntegersAreExact) {
  Result<NpyFile> reals = NpyFile::Create(folder_.number(), {"r.npy", NpyType::kFloat64, 2});
  reals.value().PutReal(0.1);
  reals.value().PutReal(-1e300);
  ASSERT_TRUE(reals.value().Finish().ok());
  EXPECT_THAT(ReadNpy(scratch_.File("r.npy")).reals, ElementsAre(0.1, -1e300));
  Result<NpyFile> whole = NpyFile::Create(folder_.number(), {"w.npy", NpyType::kInt64, 2});
  whole.value().Put(std::numeric_limits<std::int64_t>::min());
  whole.value().Put(std::numeric_limits<std::int64_t>::max());
  ASSERT_TRUE(whole.value().Finish().ok());
  EXPECT_THAT(ReadNpy(scratch_.File("w.npy")).whole,
              ElementsAre(std::numeric_limits<std::int64_t>::min(),
                          std::numeric_limits<std::int64_t>::max()));
}

TEST_F(NpyFileTest, AnArrayMayBeEmptyOrLongerThanTheBuffer) {
  Result<NpyFile> none = NpyFile::Create(folder_.number(), {"none.npy", NpyType::kInt32, 0});
  ASSERT_TRUE(none.value().Finish().ok());
  EXPECT_TRUE(ReadNpy(scratch_.File("none.npy")).whole.empty());
  constexpr std::int64_t kMany = 300'000;
  Result<NpyFile> many = NpyFile::Create(folder_.number(), {"many.npy", NpyType::kInt32, kMany});
  for (std::int64_t i = 0; i < kMany; ++i) many.value().Put(i);
  ASSERT_TRUE(many.value().Finish().ok());
  const std::vector<std::int64_t> read = ReadNpy(scratch_.File("many.npy")).whole;
  ASSERT_EQ(read.size(), static_cast<std::size_t>(kMany));
  for (std::int64_t i = 0; i < kMany; ++i) ASSERT_EQ(read[static_cast<std::size_t>(i)], i);
  const std::string text(600'000, 'x');
  Result<NpyFile> bytes =
      NpyFile::Create(folder_.number(), {"text.npy", NpyType::kUint8, text.size() + 1});
  bytes.value().PutBytes("y");
  bytes.value().PutBytes(text);
  ASSERT_TRUE(bytes.value().Finish().ok());
  EXPECT_EQ(testing::Contents(scratch_.File("text.npy")).substr(128), "y" + text);
}

TEST_F(NpyFileTest, ManyPutTogetherAreThoseThatArePutOneByOne) {
  std::vector<std::uint32_t> places(200'000);
  std::iota(places.begin(), places.end(), 7u);
  const std::uint64_t rows = places.size() + 1;
  Result<NpyFile> some = NpyFile::Create(folder_.number(), {"p.npy", NpyType::kInt32, rows});
  some.value().Put(-1);
  some.value().PutPlaces(places);
  ASSERT_TRUE(some.value().Finish().ok());
  const std::vector<std::int64_t> read = ReadNpy(scratch_.File("p.npy")).whole;
  ASSERT_EQ(read.size(), rows);
  EXPECT_EQ(read[0], -1);
  EXPECT_TRUE(std::equal(places.begin(), places.end(), read.begin() + 1));
  for (const std::uint64_t count : {0u, 1u, 32'768u, 100'000u}) {
    SCOPED_TRACE(count);
    const std::string name = std::to_string(count) + ".npy";
    Result<NpyFile> same = NpyFile::Create(folder_.number(), {name, NpyType::kFloat64, count + 1});
    same.value().PutSame(Weight::Integer(3), count);
    same.value().PutReal(0.5);
    const Result<std::uint32_t> checksum = same.value().Finish();
    ASSERT_TRUE(checksum.ok());
    EXPECT_EQ(Crc32c(testing::Contents(scratch_.File(name))), checksum.value());
    std::vector<double> wanted(count, 3.0);
    wanted.push_back(0.5);
    EXPECT_EQ(ReadNpy(scratch_.File(name)).reals, wanted);
  }
}

TEST_F(NpyFileTest, ItsModeIs0640AndAnExistingFileIsNotTouched) {
  const mode_t before = ::umask(077);
  ASSERT_TRUE(
      NpyFile::Create(folder_.number(), {"m.npy", NpyType::kInt32, 0}).value().Finish().ok());
  ::umask(before);
  struct stat about {};
  ASSERT_EQ(::stat(scratch_.File("m.npy").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
  const auto again = NpyFile::Create(folder_.number(), {"m.npy", NpyType::kInt32, 0});
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error().message, HasSubstr("create m.npy: File exists"));
}

}  // namespace
}  // namespace sash
