#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/connectors/replay/replaying.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReplayPipeTest : public Replaying {};

// Replaces standard input with a file during its lifetime.
class StandardInput {
 public:
  explicit StandardInput(int input) : saved_(dup(STDIN_FILENO)) { dup2(input, STDIN_FILENO); }
  ~StandardInput() {
    if (saved_ >= 0) {
      dup2(saved_, STDIN_FILENO);
      close(saved_);
    } else {
      close(STDIN_FILENO);
    }
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  const int saved_;
};

TEST_F(ReplayPipeTest, EventsFlowWhileThePipeStaysOpen) {
  std::ofstream writer;
  const std::string path = Pipe("p");
  std::thread opening([&] { writer.open(path); });
  Make(path, JsonLines());
  ASSERT_TRUE(source_->Start().ok());
  opening.join();
  ASSERT_TRUE(PopUntil([&] { return arrived_.starts == 1; }));  // before any record
  EXPECT_TRUE(arrived_.edges.empty());
  writer << "{\"from\":\"a\",\"to\":\"b\",\"ts\":1}\n{\"from\":\"c\"," << std::flush;
  ASSERT_TRUE(PopUntil([&] { return arrived_.edges.size() == 1; }));
  writer << "\"to\":\"d\",\"ts\":2}\n" << std::flush;
  ASSERT_TRUE(PopUntil([&] { return arrived_.edges.size() == 2; }));
  EXPECT_FALSE(arrived_.ended);
  writer << "{\"from\":\"e\",\"to\":\"f\",\"ts\":3}";
  writer.close();
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "1:c>d", "2:e>f"));
}

TEST_F(ReplayPipeTest, AStrayQuoteDoesNotHoldUpTheRowsBehindIt) {
  std::ofstream writer;
  const std::string path = Pipe("p");
  std::thread opening([&] { writer.open(path); });
  Make(path, NamedCsv(), ReplayPace::kFull, std::chrono::milliseconds(0));
  ASSERT_TRUE(source_->Start().ok());
  opening.join();
  writer << "from,to,ts\n\"a,b,1\nc,d,2\n" << std::flush;
  ASSERT_TRUE(PopUntil([&] { return arrived_.edges.size() == 1; }));
  EXPECT_THAT(arrived_.edges, ElementsAre("1:c>d"));
  writer.close();
  ASSERT_TRUE(PopToTheEnd());
}

TEST_F(ReplayPipeTest, APipeThatIsNotTextIsAFailureThatNamesTheRemedy) {
  std::ofstream writer;
  const std::string path = Pipe("p");
  std::thread opening([&] { writer.open(path); });
  Make(path, JsonLines());
  ASSERT_TRUE(source_->Start().ok());
  opening.join();
  writer << "PK" << std::flush;  // in parts
  ASSERT_TRUE(PopUntil([&] { return source_->status().bytes == 2; }));
  writer << "\x03\x04" << std::flush;
  ASSERT_TRUE(PopUntil([&] { return source_->status().failure.has_value(); }));
  EXPECT_THAT(*source_->status().failure, HasSubstr(path + ": it is a zip archive"));
  EXPECT_THAT(*source_->status().failure, HasSubstr("unzip -p"));
}

TEST_F(ReplayPipeTest, StopReturnsWhileNothingArrives) {
  Start(Pipe("p"), JsonLines());
  ASSERT_TRUE(PopUntil([&] { return arrived_.starts == 1; }));
  source_->Stop();
  EXPECT_FALSE(queue_.Pop(std::chrono::milliseconds(0)));
  EXPECT_EQ(source_->status().failure, std::nullopt);
}

TEST_F(ReplayPipeTest, ADashIsStandardInput) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  {
    const StandardInput standard_input(ends[0]);
    close(ends[0]);
    const std::string bytes = "from,to,ts\na,b,1\n";
    ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    Start("-", NamedCsv());
    ASSERT_TRUE(PopUntil([&] { return arrived_.edges.size() == 1; }));
    close(ends[1]);
    ASSERT_TRUE(PopToTheEnd());
    EXPECT_EQ(source_->status().address, "-");
    source_.reset();
  }
}

TEST_F(ReplayPipeTest, AWrongHeaderFromStandardInputIsAnErrorOfTheConfiguration) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const StandardInput standard_input(ends[0]);
  close(ends[0]);
  ASSERT_EQ(write(ends[1], "a,b\n", 4), 4);
  EXPECT_THAT(ErrorOf("-", NamedCsv()), HasSubstr("standard input: line 1: column \"from\""));
  source_.reset();
  close(ends[1]);
}

TEST_F(ReplayPipeTest, AHeaderThatComesLateIsTakenByTheThread) {
  const std::string path = Pipe("p");
  Make(path, NamedCsv(), ReplayPace::kFull, std::chrono::milliseconds(0));
  ASSERT_TRUE(source_->Start().ok());
  std::ofstream(path) << "from,to,ts\na,b,1\n";
  ASSERT_TRUE(PopToTheEnd());
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b"));
}

TEST_F(ReplayPipeTest, AWrongHeaderThatComesLateIsAFailureAndNoEnd) {
  const std::string path = Pipe("p");
  Make(path, NamedCsv(), ReplayPace::kFull, std::chrono::milliseconds(0));
  ASSERT_TRUE(source_->Start().ok());
  std::ofstream(path) << "from,to\na,b\n";
  ASSERT_TRUE(PopUntil([&] { return source_->status().failure.has_value(); }));
  EXPECT_EQ(source_->status().failure,
            path + ": line 1: column \"ts\" is not in the header, which has: from, to");
  EXPECT_THAT(source_->status().not_ready, ElementsAre(*source_->status().failure));
  source_->Stop();
  while (const auto batch = queue_.Pop(std::chrono::milliseconds(0))) Take(*batch);
  EXPECT_FALSE(arrived_.ended);
}

TEST_F(ReplayPipeTest, AReadErrorIsAFailureAndNoEnd) {
  // Standard input that is open for writing only: every read() of it fails.
  const int unreadable = open(File("f", "from,to,ts\n").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(unreadable, 0);
  const StandardInput standard_input(unreadable);
  close(unreadable);
  Make("-", JsonLines());
  ASSERT_TRUE(source_->Start().ok());
  ASSERT_TRUE(PopUntil([&] { return source_->status().failure.has_value(); }));
  EXPECT_THAT(*source_->status().failure, HasSubstr("standard input: reading failed: "));
  source_->Stop();
  while (const auto batch = queue_.Pop(std::chrono::milliseconds(0))) Take(*batch);
  EXPECT_FALSE(arrived_.ended);
}

// The first bits of the edges of the next batch that has some, and its set of filters.
struct JudgedEdges {
  std::vector<FilterBits> bits;
  std::uint64_t generation = 0;
};

class NewFiltersOfAPipeTest : public Replaying {
 protected:
  JudgedEdges Next() {
    while (const auto batch = queue_.Pop(std::chrono::seconds(10))) {
      JudgedEdges judged{.bits = {}, .generation = GenerationOf(batch->filters)};
      for (const EdgeEvent& event : batch->events()) {
        judged.bits.push_back(batch->PassesOf(event) & 3);
      }
      if (!judged.bits.empty()) return judged;
    }
    return {};
  }
  static FilterSetPtr SetOf(std::uint64_t generation, FilterTexts texts) {
    return std::make_shared<const FilterSet>(FilterSet{generation, std::move(texts)});
  }
};

TEST_F(NewFiltersOfAPipeTest, TheyJudgeTheRowsThatComeThen) {
  std::ofstream writer;
  const std::string path = Pipe("p");
  std::thread opening([&] { writer.open(path); });
  FormatSpec format = NamedCsv();
  format.JudgeBy({"from == 'a'"});
  Make(path, format, ReplayPace::kFull, std::chrono::milliseconds(0));
  ASSERT_TRUE(source_->Start().ok());
  opening.join();
  const auto early = source_->PrepareFilters(SetOf(1, {"from == 'b'"}));
  ASSERT_FALSE(early.ok());
  EXPECT_EQ(early.error().code, ErrorCode::kUnavailable) << "no header yet";
  writer << "from,to,ts\na,b,1\nb,a,2\n" << std::flush;
  JudgedEdges judged = Next();
  EXPECT_THAT(judged.bits, ElementsAre(3, 2));
  EXPECT_EQ(judged.generation, 0u);
  const auto wrong = source_->PrepareFilters(SetOf(1, {"kind == 'b'"}));
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().message, HasSubstr("column \"kind\" is not in the header"));
  const auto prepared = source_->PrepareFilters(SetOf(1, {"from == 'a'", "to == 'a'"}));
  ASSERT_TRUE(prepared.ok());
  writer << "b,a,3\n" << std::flush;
  EXPECT_EQ(Next().generation, 0u) << "it has not switched";
  prepared.value()();
  writer << "b,a,4\na,a,5\na,b,6\n" << std::flush;
  judged = Next();
  EXPECT_THAT(judged.bits, ElementsAre(2, 3, 1));
  EXPECT_EQ(judged.generation, 1u);
  writer.close();
}

}  // namespace
}  // namespace sash
