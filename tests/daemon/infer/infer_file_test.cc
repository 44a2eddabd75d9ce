#include "daemon/infer/infer_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/check/check_config.h"
#include "daemon/infer/sample_text.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Printed(const std::string& path, int code) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(InferFile(path), code);
  return ::testing::internal::GetCapturedStdout();
}

TEST(InferFileTest, WhatItPrintsPassesTheCheck) {
  const testing::ScratchFolder folder;
  const std::string file = folder.File("a file.csv");
  testing::Write(file, "from,to,at\na,b,1767225600000\nb,c,1767225601000\n");
  testing::Write(folder.File("sash.yaml"), Printed(file, 0));
  const ParsedConfig parsed = LoadAndCheckConfig(folder.File("sash.yaml"));
  EXPECT_TRUE(parsed.errors.empty());
  for (const ConfigError& error : parsed.errors) ADD_FAILURE() << error.ToString();
}

TEST(InferFileTest, AFileThatCannotBeToldGivesCode1AndCommentsOnly) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("f"), "just\nsome\nwords\n");
  ::testing::internal::CaptureStderr();
  const std::string printed = Printed(folder.File("f"), 1);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("its lines are neither"));
  EXPECT_THAT(printed, Not(HasSubstr("Format")));
  for (std::size_t at = 0; at < printed.size(); at = printed.find('\n', at) + 1) {
    EXPECT_EQ(printed[at], '#');
  }
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(Printed(folder.File("missing"), 1), "");
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("missing: cannot be opened"));
}

TEST(SampleTextTest, TheBeginningOfALargeFileEndsWithALine) {
  const testing::ScratchFolder folder;
  std::string text = "\xEF\xBB\xBF";
  while (text.size() < kMostSampleBytes + 300'000) text += "a,b,1767225600000\n";
  testing::Write(folder.File("f"), text);
  const Result<SampleText> sample = ReadSample(folder.File("f"));
  ASSERT_TRUE(sample.ok());
  EXPECT_FALSE(sample.value().is_whole);
  EXPECT_TRUE(sample.value().text.starts_with("a,b"));
  EXPECT_TRUE(sample.value().text.ends_with("000\n"));
  EXPECT_GE(sample.value().text.size(), kMostSampleBytes - 20);
  EXPECT_LT(sample.value().text.size(), kMostSampleBytes + 300'000);
  testing::Write(folder.File("s"), "a,b");
  EXPECT_TRUE(ReadSample(folder.File("s")).value().is_whole);
  EXPECT_EQ(ReadSample(folder.File("s")).value().text, "a,b");
}

TEST(SampleTextTest, ForeignFormatsAreNamed) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("p"), "PAR1\x15 and more");
  const Result<SampleText> sample = ReadSample(folder.File("p"));
  ASSERT_FALSE(sample.ok());
  EXPECT_THAT(sample.error().message, HasSubstr("it is a Parquet file"));
}

}  // namespace
}  // namespace sash
