// A file sink on a full disk, a pipe or a descriptor.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/connectors/sinks/file_sink_fixture.h"
#include "tests/connectors/sinks/full_disk.h"

namespace sash {
namespace {

using testing::Contents;
using testing::FullDisk;
using ::testing::HasSubstr;
using testing::Lines;
using testing::Write;
using Json = nlohmann::ordered_json;

TEST_F(FileSinkTest, WritesWhatAFullDiskHeldBackOnceThereIsRoom) {
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  ASSERT_TRUE(sink->Flush().ok());
  {
    const FullDisk full(Contents(spec_.path).size() + 20);
    sink->Deliver(RunAt("x", 310));
    sink->Deliver(RunAt("x", 320));
    EXPECT_FALSE(sink->Flush().ok());
    EXPECT_EQ(Held(), (Strings{"x 05:00"}));  // no torn line
  }
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
  EXPECT_EQ(sink->dropped(), 0u);
}

TEST_F(FileSinkTest, NamesTheFullDevice) {
  spec_.path = "/dev/full";
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("/dev/full: No space left on device"));
}

TEST_F(FileSinkTest, WhatWasDroppedIsNeverCalledDurable) {
  backlog_ = 1000;  // two lines
  {
    const auto sink = Open();
    {
      const FullDisk full(0);
      for (std::int64_t end = 300; end < 350; end += 10) sink->Deliver(RunAt("x", end));
    }
    EXPECT_GT(sink->dropped(), 0u);
    const Status flushed = sink->Flush();
    ASSERT_FALSE(flushed.ok());
    EXPECT_THAT(flushed.error().message, HasSubstr("a restart writes them"));
    EXPECT_EQ(Held().back(), "x 05:40");
    EXPECT_EQ(Held().size() + sink->dropped(), 5u);
  }
  const auto sink = Open();  // a restart reads the stream again
  for (std::int64_t end = 300; end < 350; end += 10) sink->Deliver(RunAt("x", end));
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(Held().size(), 5u);
}

TEST_F(FileSinkTest, KeepsLittleInMemoryHoweverRarelyItIsFlushed) {
  backlog_ = 1000;
  const auto sink = Open();
  for (std::int64_t end = 300; end < 800; end += 10) sink->Deliver(RunAt("x", end));
  EXPECT_EQ(sink->dropped(), 0u);
  EXPECT_EQ(Held().size(), 50u);
}

TEST_F(FileSinkTest, WritesToANamedPipeWithoutReadingIt) {
  spec_.path = folder_.File("pipe");
  ASSERT_EQ(::mkfifo(spec_.path.c_str(), 0600), 0);
  const int reader = ::open(spec_.path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  const auto sink = Open(true);
  sink->Deliver(RunAt("x", 300));
  EXPECT_TRUE(sink->Flush().ok());
  std::vector<char> chunk(1 << 16);
  const ssize_t count = ::read(reader, chunk.data(), chunk.size());
  ASSERT_GT(count, 0);
  EXPECT_EQ(Json::parse(std::string_view(chunk.data(), static_cast<std::size_t>(count))).at("job"),
            "x");
  ::close(reader);
  sink->Deliver(RunAt("x", 310));
  EXPECT_FALSE(sink->Flush().ok());
}

TEST_F(FileSinkTest, LeavesAFileBehindADescriptorAsItIs) {
  Write(spec_.path, "log line\n");
  const std::string file = spec_.path;
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND);
  spec_.path = "/dev/fd/" + std::to_string(descriptor);
  const auto sink = Open(true);
  sink->Deliver(RunAt("x", 300));
  EXPECT_TRUE(sink->Flush().ok());
  ::close(descriptor);
  EXPECT_EQ(Lines(file).size(), 2u);
  EXPECT_EQ(Lines(file).at(0), "log line");
}

}  // namespace
}  // namespace sash
