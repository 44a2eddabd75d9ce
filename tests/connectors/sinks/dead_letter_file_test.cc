#include "connectors/sinks/dead_letter_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <latch>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::At;
using testing::Contents;
using ::testing::HasSubstr;
using testing::Lines;
using testing::ScratchFolder;
using testing::Write;
using Json = nlohmann::ordered_json;

class DeadLetterFileTest : public ::testing::Test {
 protected:
  std::unique_ptr<DeadLetterFile> Open(bool truncate = false) {
    Result<std::unique_ptr<DeadLetterFile>> file = DeadLetterFile::Open(spec_, truncate, log_);
    EXPECT_TRUE(file.ok()) << file.error().ToString();
    return std::move(file).value();
  }

  static RefusedRecord Record(std::int64_t offset, std::string_view payload) {
    RefusedRecord record;
    record.topic = "interactions";
    record.partition = 3;
    record.offset = offset;
    record.timestamp = At(testing::kNewYear2026);
    record.reason = RefusalReason::kInvalidSyntax;
    record.stage = "decode";
    record.detail = "not JSON";
    record.payload = payload;
    return record;
  }

  std::vector<std::int64_t> Offsets() const {
    std::vector<std::int64_t> offsets;
    for (const std::string& line : Lines(spec_.path)) {
      offsets.push_back(Json::parse(line).at("offset").get<std::int64_t>());
    }
    return offsets;
  }
  Json Last() const { return Json::parse(Lines(spec_.path).back()); }

  ScratchFolder folder_;
  KeptLog log_;
  DeadLetterSpec spec_{folder_.File("dead.jsonl"), 64 << 20};
};

TEST_F(DeadLetterFileTest, SaysWhereAndWhyOfEachRecord) {
  const auto file = Open();
  file->Refuse(Record(5, "{\"broken\n"));
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(Contents(spec_.path),
            R"({"topic":"interactions","partition":3,"offset":5,)"
            R"("timestamp":"2026-01-01T00:00:00.000Z","reason":"invalid_syntax","stage":"decode",)"
            R"("detail":"not JSON","payload":"{\"broken\n"})"
            "\n");
  EXPECT_EQ(file->Count(RefusalReason::kInvalidSyntax), 1u);
  EXPECT_EQ(file->Count(RefusalReason::kLate), 0u);
}

TEST_F(DeadLetterFileTest, EncodesPayloadsThatAreNotText) {
  const auto file = Open();
  file->Refuse(Record(0, "\xff\xfe\xfd"));
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(Last().at("payload_base64"), "//79");
  EXPECT_FALSE(Last().contains("payload"));
}

TEST_F(DeadLetterFileTest, CutsLongPayloadsBetweenCharacters) {
  const auto file = Open();
  std::string payload = "x";
  while (payload.size() < 1'100'000) payload += "é";  // 1 MiB is inside a character
  file->Refuse(Record(0, payload));
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(Last().at("truncated"), true);
  EXPECT_EQ(Last().at("payload").get<std::string>().size(), DeadLetterFile::kPayloadBytes - 1);
  file->Refuse(Record(1, payload.substr(0, DeadLetterFile::kPayloadBytes - 1)));
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_FALSE(Last().contains("truncated"));
}

TEST_F(DeadLetterFileTest, GoesOnBehindWhatIsThereAndCutsATornLine) {
  Open()->Refuse(Record(1, "x"));  // written when it is closed
  const std::string one = Contents(spec_.path);
  Write(spec_.path, one + one.substr(0, 50));
  Open()->Refuse(Record(2, "y"));
  EXPECT_EQ(Offsets(), (std::vector<std::int64_t>{1, 2}));
  Open(true)->Refuse(Record(3, "z"));
  EXPECT_EQ(Offsets(), (std::vector<std::int64_t>{3}));
}

TEST_F(DeadLetterFileTest, LeavesAFileOfAnotherAlone) {
  for (const bool replay : {false, true}) {
    for (const std::string theirs : {"not ours", "not ours\n", "{\"topic\":1}\n"}) {
      Write(spec_.path, theirs);
      const auto file = DeadLetterFile::Open(spec_, replay, log_);
      ASSERT_FALSE(file.ok());
      EXPECT_THAT(file.error().message, HasSubstr("dead letters: "));
      EXPECT_THAT(file.error().message, HasSubstr("name another"));
      EXPECT_EQ(Contents(spec_.path), theirs);
    }
  }
  std::filesystem::remove(spec_.path);
  Write(spec_.path + ".rotating", "not ours\n");
  EXPECT_FALSE(DeadLetterFile::Open(spec_, false, log_).ok());
  EXPECT_EQ(Contents(spec_.path + ".rotating"), "not ours\n");
}

TEST_F(DeadLetterFileTest, DoesNotWriteAgainWhatTheFileHolds) {
  for (std::int64_t offset : {1, 2, 4}) Open()->Refuse(Record(offset, "x"));
  const auto file = Open();
  for (std::int64_t offset : {1, 2, 3, 4}) {
    RefusedRecord record = Record(offset, "x");
    record.detail = "not JSON: seen again, \"later\"";  // can differ between runs
    file->Refuse(record);
  }
  file->Refuse(Record(2, "y"));  // the topic was created again
  RefusedRecord late = Record(1, "x");
  late.reason = RefusalReason::kLate;
  file->Refuse(late);
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(Offsets(), (std::vector<std::int64_t>{1, 2, 4, 3, 2, 1}));
  EXPECT_EQ(file->repeated(), 3u);
  EXPECT_EQ(file->Count(RefusalReason::kInvalidSyntax), 5u) << "repeated letters count too";
}

TEST_F(DeadLetterFileTest, BeginsANewFileWhenItsOwnIsMovedOrDeleted) {
  const std::string old = spec_.path + ".1";
  {
    const auto file = Open();
    file->Refuse(Record(1, "x"));
    ASSERT_TRUE(file->Flush().ok());
    std::filesystem::rename(spec_.path, old);
    file->Refuse(Record(2, "x"));
    ASSERT_TRUE(file->Flush().ok());
    EXPECT_EQ(Offsets(), (std::vector<std::int64_t>{2}));
    EXPECT_EQ(Lines(old).size(), 1u);
    std::filesystem::remove(old);  // for example, compressed
  }
  {
    const auto file = Open();
    for (std::int64_t offset : {1, 2, 3}) file->Refuse(Record(offset, "x"));
    ASSERT_TRUE(file->Flush().ok());
    EXPECT_EQ(Offsets(), (std::vector<std::int64_t>{2, 3})) << "1 is in the moved file";
    std::filesystem::remove(spec_.path);
    file->Refuse(Record(4, "x"));
    ASSERT_TRUE(file->Flush().ok());
    EXPECT_EQ(Offsets(), (std::vector<std::int64_t>{4}));
    std::filesystem::rename(spec_.path, old);  // the process ends before it notices this
  }
  const auto file = Open();
  for (std::int64_t offset : {1, 2, 3, 4, 5}) file->Refuse(Record(offset, "x"));
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(Offsets(), (std::vector<std::int64_t>{2, 3, 5})) << "1 and 4 are in moved files";
}

TEST_F(DeadLetterFileTest, RotatesTheOlderHalfOutAtTheLimit) {
  spec_.limit_bytes = 20'000;
  const auto file = Open();
  for (std::int64_t i = 0; i < 1000; ++i) {
    file->Refuse(Record(i, "payload"));
    ASSERT_LE(std::filesystem::file_size(spec_.path), spec_.limit_bytes);
  }
  ASSERT_TRUE(file->Flush().ok());
  const std::vector<std::int64_t> offsets = Offsets();
  EXPECT_EQ(file->rotated() + offsets.size(), 1000u);
  EXPECT_GT(offsets.size(), 40u);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    EXPECT_EQ(offsets[i], 1000 - static_cast<std::int64_t>(offsets.size() - i));
  }
  EXPECT_FALSE(std::filesystem::exists(spec_.path + ".rotating"));
  EXPECT_EQ(file->lost(), 0u);
}

TEST_F(DeadLetterFileTest, KeepsTheLimitOverRestarts) {
  spec_.limit_bytes = 20'000;
  for (std::int64_t i = 0; i < 300; ++i) {
    Open()->Refuse(Record(i, "payload"));
    ASSERT_LE(std::filesystem::file_size(spec_.path), spec_.limit_bytes);
  }
  EXPECT_EQ(Offsets().back(), 299);
  spec_.limit_bytes = 4'000;  // less than the file's size
  Open()->Refuse(Record(300, "payload"));
  EXPECT_LE(std::filesystem::file_size(spec_.path), 4'000u);
  EXPECT_EQ(Offsets().back(), 300);
}

TEST_F(DeadLetterFileTest, AnUnfinishedRotationThatAPowerCutLeftAsZerosIsRemoved) {
  for (const std::string& cut :
       {std::string(100'000, '\0'), R"({"topic":"in)" + std::string(90'000, '\0'),
        std::string(R"({"to)")}) {
    Write(spec_.path + ".rotating", cut);
    EXPECT_NE(Open(), nullptr);
    EXPECT_FALSE(std::filesystem::exists(spec_.path + ".rotating"));
  }
}

TEST_F(DeadLetterFileTest, KeepsModeAndLinkOverARotation) {
  spec_.limit_bytes = 20'000;
  Write(folder_.File("real"), "");
  ::chmod(folder_.File("real").c_str(), 0640);
  std::filesystem::create_symlink(folder_.File("real"), spec_.path);
  const auto file = Open();
  for (std::int64_t i = 0; i < 300; ++i) file->Refuse(Record(i, "payload"));
  EXPECT_GT(file->rotated(), 0u);
  EXPECT_TRUE(std::filesystem::is_symlink(spec_.path));
  struct stat found {};
  ASSERT_EQ(::stat(spec_.path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0640u);
}

TEST_F(DeadLetterFileTest, CutsARecordThatIsLargerThanTheLimit) {
  spec_.limit_bytes = 4'000;
  const auto file = Open();
  for (std::int64_t i = 0; i < 20; ++i) file->Refuse(Record(i, std::string(50'000, '\x01')));
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(Last().at("offset"), 19);
  EXPECT_EQ(Last().at("truncated"), true);
  EXPECT_GT(Last().at("payload").get<std::string>().size(), 50u);
  EXPECT_LE(std::filesystem::file_size(spec_.path), 4'000u);
  EXPECT_EQ(file->lost(), 0u);
}

TEST_F(DeadLetterFileTest, CountsRecordsForWhichThereIsNoRoomAtAll) {
  spec_.limit_bytes = 100;
  const auto file = Open();
  file->Refuse(Record(0, "payload"));
  EXPECT_TRUE(file->Flush().ok());
  EXPECT_EQ(file->lost(), 1u);
  EXPECT_EQ(file->Count(RefusalReason::kInvalidSyntax), 1u);
  EXPECT_EQ(Contents(spec_.path), "");
}

TEST_F(DeadLetterFileTest, SaysOnceWhenWritingFailsAndWhenItWorksAgain) {
  const auto file = Open();
  EXPECT_FALSE(file->TakeChange().has_value());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  file->Refuse(Record(0, "payload"));
  EXPECT_FALSE(file->Flush().ok());
  EXPECT_FALSE(file->Flush().ok());
  const std::optional<Status> failing = file->TakeChange();
  const std::optional<Status> nothing_new = file->TakeChange();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_TRUE(failing.has_value());
  EXPECT_FALSE(failing->ok());
  EXPECT_FALSE(nothing_new.has_value());
  EXPECT_EQ(Contents(spec_.path), "");
  EXPECT_TRUE(file->Flush().ok());
  const std::optional<Status> working = file->TakeChange();
  ASSERT_TRUE(working.has_value());
  EXPECT_TRUE(working->ok());
  EXPECT_EQ(Offsets(), (std::vector<std::int64_t>{0}));
}

TEST_F(DeadLetterFileTest, AFullDeviceCostsRecordsButNoMemory) {
  spec_.path = "/dev/full";
  const auto file = Open();
  const std::string payload(10'000, 'x');
  for (std::int64_t i = 0; i < 1000; ++i) file->Refuse(Record(i, payload));
  EXPECT_GT(file->lost(), 800u);
  EXPECT_LT(file->lost(), 1000u);  // the newest are still buffered
  EXPECT_EQ(file->Count(RefusalReason::kInvalidSyntax), 1000u);
}

TEST_F(DeadLetterFileTest, TwoThreadsRefuseAtTheLimitWithoutTearingALine) {
  spec_.limit_bytes = 50'000;
  const auto file = Open();
  constexpr std::int64_t kRecords = 5000;
  std::latch ready(2);
  {
    std::vector<std::jthread> threads;
    for (std::int64_t t = 0; t < 2; ++t) {
      threads.emplace_back([&, t] {
        ready.arrive_and_wait();
        for (std::int64_t i = 0; i < kRecords; ++i) {
          file->Refuse(Record(2 * i + t, t == 0 ? "payload" : "\xff\x00\x7f"));
          if (i % 100 == 0) static_cast<void>(file->Flush());
        }
      });
    }
  }
  ASSERT_TRUE(file->Flush().ok());
  const std::vector<std::int64_t> offsets = Offsets();  // parses every line
  EXPECT_EQ(offsets.size() + file->rotated(), 2u * kRecords);
  EXPECT_EQ(file->Count(RefusalReason::kInvalidSyntax), 2u * kRecords);
  EXPECT_EQ(file->lost(), 0u);
  std::array<std::int64_t, 2> newest = {-1, -1};  // in order for each thread
  for (const std::int64_t offset : offsets) {
    std::int64_t& last = newest[static_cast<std::size_t>(offset % 2)];
    EXPECT_LT(last, offset);
    last = offset;
  }
}

}  // namespace
}  // namespace sash
