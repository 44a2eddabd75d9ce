// Files that cannot be written to their end.
#include "connectors/export/parquet/parquet_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <random>

#include "tests/connectors/export/shared_folder.h"
#include "tests/support/scratch_folder.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ParquetFileTest : public ::testing::Test {
 protected:
  Result<ParquetFile> Create(std::uint64_t most = ~std::uint64_t{0}) {
    return ParquetFile::Create(folder_.number(), "t.parquet", {{"n"}}, {100, 1'000, 10'000},
                               [this, most](std::uint64_t bytes) {
                                 asked_ = bytes;
                                 return bytes <= most;
                               });
  }
  // Numbers that take 8 bytes each.
  void Put(ParquetFile& file, int rows) {
    for (int i = 0; i < rows; ++i) {
      file.column(0).PutInteger(static_cast<std::int64_t>(random_()));
      file.EndRow();
    }
  }
  std::string Text() const { return testing::Contents(scratch_.File("t.parquet")); }

  const testing::SharedFolder scratch_;
  const OwnedDescriptor folder_{::open(scratch_.File("").c_str(), O_RDONLY | O_DIRECTORY)};
  std::mt19937_64 random_{3};
  std::uint64_t asked_ = 0;
};

TEST_F(ParquetFileTest, AFileStatesItsRowsBytesAndChecksum) {
  Result<ParquetFile> file = Create();
  ASSERT_TRUE(file.ok());
  Put(file.value(), 2'345);
  EXPECT_EQ(file.value().rows(), 2'345u);
  const Result<WrittenTable> written = file.value().Finish();
  ASSERT_TRUE(written.ok());
  const std::string text = Text();
  EXPECT_THAT(text, StartsWith("PAR1"));
  EXPECT_THAT(text, EndsWith("PAR1"));
  EXPECT_THAT(text, HasSubstr("sash version "));
  EXPECT_EQ(written.value().rows, 2'345u);
  EXPECT_EQ(written.value().bytes, text.size());
  EXPECT_EQ(written.value().checksum, Crc32c(text));
  EXPECT_EQ(asked_, text.size());
}

TEST_F(ParquetFileTest, AFileWithoutRowsHasNoRowGroup) {
  Result<ParquetFile> file = Create();
  ASSERT_TRUE(file.ok());
  const Result<WrittenTable> written = file.value().Finish();
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(written.value().rows, 0u);
  EXPECT_EQ(written.value().bytes, Text().size());
}

TEST_F(ParquetFileTest, NothingIsWrittenBeyondItsRoom) {
  Result<ParquetFile> file = Create(20'000);
  ASSERT_TRUE(file.ok());
  Put(file.value(), 2'000);
  EXPECT_FALSE(file.value().failure().has_value());
  Put(file.value(), 1'000);
  EXPECT_TRUE(file.value().failure().has_value());
  const Result<WrittenTable> written = file.value().Finish();
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kOverloaded);
  EXPECT_LE(Text().size(), 20'000u);
}

// A limit of the process on the size of files stands in for a full disk.
TEST_F(ParquetFileTest, AFullDiskIsAnError) {
  ::signal(SIGXFSZ, SIG_IGN);
  Result<ParquetFile> file = Create();
  ASSERT_TRUE(file.ok());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{10'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  Put(file.value(), 5'000);
  const Result<WrittenTable> written = file.value().Finish();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message, HasSubstr("write t.parquet: File too large"));
  EXPECT_EQ(Text().size(), 10'000u);
}

TEST_F(ParquetFileTest, AFileThatExistsIsNotReplaced) {
  testing::Write(scratch_.File("t.parquet"), "kept");
  EXPECT_FALSE(Create().ok());
  EXPECT_EQ(Text(), "kept");
}

}  // namespace
}  // namespace sash
