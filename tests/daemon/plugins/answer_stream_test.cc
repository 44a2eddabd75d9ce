// What a process may write, and what is refused: frames out of turn, too long, cut, or about
// vertices that do not exist.
#include "daemon/plugins/answer_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "tests/support/named_seed.h"
#include "tests/support/random_graph.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

class AnswerStreamTest : public ::testing::Test {
 protected:
  explicit AnswerStreamTest(std::uint32_t output = SASH_SCORES) { Begin(output); }

  void Begin(std::uint32_t output) {
    kernel_.table.output = output;
    kernel_.figures = {"total"};
    stream_.emplace(AnswerBounds{.output = output, .vertices = 3, .figures = 1});
  }
  template <typename Element = char>
  PluginComplaint Put(FrameKind kind, const std::vector<Element>& content = {}) {
    const FrameHeader header{.kind = kind, .bytes = content.size() * sizeof(Element)};
    stream_->bytes().append(reinterpret_cast<const char*>(&header), sizeof(header));
    stream_->bytes().append(reinterpret_cast<const char*>(content.data()), header.bytes);
    return stream_->TakeFrames();
  }
  PluginComplaint PutBegun() {
    PluginComplaint wrong = Put(FrameKind::kDescription, std::vector<char>{'{', '}'});
    return wrong ? wrong : Put(FrameKind::kBegun);
  }
  template <typename Element>
  PluginComplaint PutWhole(FrameKind kind, const std::vector<Element>& answer) {
    for (const PluginComplaint& wrong :
         {PutBegun(), Put(kind, answer), Put(FrameKind::kFigures, std::vector<double>{2.5}),
          Put(FrameKind::kEnd, std::vector<std::int32_t>{7})}) {
      if (wrong) return wrong;
    }
    reader_.emplace(kernel_, view_);
    return stream_->PutAnswer(view_, kernel_, *reader_);
  }

  // The ids 1, 3 and 4 are in the window.
  const WindowView view_ =
      std::make_shared<const CsrGraph>(testing::MakeCsr({{1, 3}, {3, 4}, {4, 1}}, 6));
  PluginKernel kernel_;
  std::optional<AnswerStream> stream_;
  std::optional<PluginAnswerReader> reader_;
};

TEST_F(AnswerStreamTest, PlacesBecomeIds) {
  EXPECT_EQ(PutWhole(FrameKind::kScores, std::vector<double>{0.5, kNothing, 2}), std::nullopt);
  EXPECT_TRUE(stream_->has_ended());
  EXPECT_EQ(stream_->iterations(), 7);
  PluginAnswer answer = reader_->Take();
  EXPECT_EQ(answer.scores[1], 0.5);
  EXPECT_TRUE(std::isnan(answer.scores[3]));
  EXPECT_EQ(answer.scores[4], 2);
  EXPECT_EQ(answer.figures.at(0), 2.5);
  Begin(SASH_SETS);
  EXPECT_EQ(PutWhole(FrameKind::kSets, std::vector<std::uint32_t>{2, 0, 2}), std::nullopt);
  answer = reader_->Take();
  EXPECT_EQ(answer.sets[1], 4u);
  EXPECT_EQ(answer.sets[3], 1u);
  Begin(SASH_DEPTHS);
  EXPECT_EQ(PutWhole(FrameKind::kDepths, std::vector<std::int32_t>{-1, 0, 9}), std::nullopt);
  EXPECT_EQ(reader_->Take().depths[4], 9);
  Begin(SASH_EDGES);
  EXPECT_EQ(PutWhole(FrameKind::kEdges, std::vector<std::uint32_t>{0, 2}), std::nullopt);
  EXPECT_THAT(reader_->Take().edges, ::testing::ElementsAre(std::pair(1u, 4u)));
}

TEST_F(AnswerStreamTest, VerticesBeyondTheWindowAreRefused) {
  Begin(SASH_SETS);
  EXPECT_THAT(PutWhole(FrameKind::kSets, std::vector<std::uint32_t>{0, 3, 0}).value_or(""),
              HasSubstr("names a vertex beyond the 3 of the window"));
  Begin(SASH_EDGES);
  EXPECT_THAT(PutWhole(FrameKind::kEdges, std::vector<std::uint32_t>{0, 1, 2, 3}).value_or(""),
              HasSubstr("names a vertex beyond the 3 of the window"));
}

TEST_F(AnswerStreamTest, ValuesOutOfRangeAreRefusedAsOfOtherPlugins) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_THAT(PutWhole(FrameKind::kScores, std::vector<double>{0, infinite, 2}).value_or(""),
              HasSubstr("the score of the vertex with id 3 is infinite"));
  Begin(SASH_DEPTHS);
  EXPECT_THAT(PutWhole(FrameKind::kDepths, std::vector<std::int32_t>{0, 0, -2}).value_or(""),
              HasSubstr("the depth of the vertex with id 4 is -2"));
}

TEST_F(AnswerStreamTest, FramesOutOfTurnOrOfAnotherLengthAreRefused) {
  const std::vector<double> scores = {1, 2, 3};
  EXPECT_NE(Put(FrameKind::kScores, scores), std::nullopt) << "before it has begun";
  Begin(SASH_SCORES);
  ASSERT_EQ(PutBegun(), std::nullopt);
  EXPECT_NE(Put(FrameKind::kBegun), std::nullopt) << "twice";
  for (const FrameKind kind : {FrameKind::kSets, FrameKind::kFigures, FrameKind::kEnd,
                               FrameKind::kDescription, static_cast<FrameKind>(99)}) {
    Begin(SASH_SCORES);
    ASSERT_EQ(PutBegun(), std::nullopt);
    EXPECT_NE(Put(kind, std::vector<std::uint32_t>{1, 2, 3}), std::nullopt);
  }
  for (const std::size_t length : {0u, 2u, 4u, 5'000u}) {
    Begin(SASH_SCORES);
    ASSERT_EQ(PutBegun(), std::nullopt);
    EXPECT_NE(Put(FrameKind::kScores, std::vector<double>(length)), std::nullopt) << length;
  }
  Begin(SASH_SCORES);
  EXPECT_NE(Put(FrameKind::kFailure), std::nullopt);
  Begin(SASH_SCORES);
  EXPECT_NE(Put(FrameKind::kFailure, std::vector<char>{char(RunFault::kPluginLost), 'x'}),
            std::nullopt);
}

TEST_F(AnswerStreamTest, AFrameThatSaysItIsTooLongIsRefusedBeforeItComes) {
  ASSERT_EQ(PutBegun(), std::nullopt);
  const FrameHeader header{.kind = FrameKind::kScores, .bytes = std::uint64_t{1} << 60};
  stream_->bytes().append(reinterpret_cast<const char*>(&header), sizeof(header));
  EXPECT_THAT(stream_->TakeFrames().value_or(""),
              HasSubstr("gives 1152921504606846976 bytes, but there can be at most 24"));
}

TEST_F(AnswerStreamTest, RandomBytesAreRefusedOrWaitedFor) {
  const testing::NamedSeed seed;
  std::mt19937_64 random(seed.value());
  for (int script = 0; script < 2'000; ++script) {
    Begin(static_cast<std::uint32_t>(SASH_SCORES + script % 4));
    if (script % 2 == 0) (void)PutBegun();
    for (int i = 0; i < 8 && !stream_->has_ended(); ++i) {
      FrameHeader header{.kind = static_cast<FrameKind>(random() % 12), .bytes = random() % 40};
      if (random() % 8 == 0) header.mark = static_cast<std::uint32_t>(random());
      stream_->bytes().append(reinterpret_cast<const char*>(&header), sizeof(header));
      for (std::uint64_t at = 0; at < header.bytes; ++at) {
        stream_->bytes().push_back(static_cast<char>(random()));
      }
      if (stream_->TakeFrames()) break;
    }
    if (stream_->has_ended() && !stream_->TakeFailure()) {
      PluginAnswerReader reader(kernel_, view_);
      (void)stream_->PutAnswer(view_, kernel_, reader);
    }
  }
}

}  // namespace
}  // namespace sash
