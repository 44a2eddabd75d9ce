#include "windows/store/chain_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace sash {
namespace {

// The weights that one copy contributes: several, if its slot can only hold a rounded sum.
struct Copy {
  SliceNumber birth = 0;
  std::vector<Weight> weights;
};

struct Chain {
  std::deque<Copy> copies;  // oldest first
  SlotContent newest;
};

Weight RandomWeight(std::mt19937_64& random) {
  switch (random() % 12) {
    case 0:
      return Weight::Real(0.1 * static_cast<double>(random() % 100) - 3);
    case 1:
      return Weight::Integer(std::numeric_limits<std::int64_t>::max() - 5);
    case 2:
      return Weight::Integer(std::numeric_limits<std::int64_t>::min() + 5);
    default:
      return Weight::Integer(static_cast<std::int64_t>(random() % 21) - 10);
  }
}

Weight Expected(const Chain& chain, SliceNumber oldest) {
  WeightSum sum;
  for (const Copy& copy : chain.copies) {
    if (copy.birth < oldest) continue;
    for (const Weight weight : copy.weights) sum.Add(weight);
  }
  return sum.Total();
}

// A log beside plain lists of copies.
class Modelled {
 public:
  explicit Modelled(std::uint64_t seed) : random_(seed) {}

  void Slice() {
    ++newest_;
    for (Chain& chain : chains_) {
      if (random_() % 4 == 0) Absorb(chain);
    }
    if (random_() % 2 == 0) Begin();
    if (chains_.size() > 8) chains_.erase(chains_.begin() + static_cast<int>(random_() % 8));
    log_.Complete(Oldest(kLengths.back()));
    const SliceNumber oldest = Oldest(kLengths.back());
    log_.DropBefore(oldest);
    std::erase_if(chains_, [&](Chain& chain) {
      std::erase_if(chain.copies, [&](const Copy& copy) { return copy.birth < oldest; });
      return chain.copies.empty();
    });
    pins_.push_back({log_.Publish(), chains_, newest_});
    if (pins_.size() > 4) pins_.erase(pins_.begin() + static_cast<int>(random_() % 4));
    for (const Pin& pin : pins_) Compare(pin);
  }

  std::size_t bytes() const { return log_.bytes(); }

 private:
  struct Pin {
    ChainLog::Version version;
    std::vector<Chain> chains;
    SliceNumber newest;
  };
  static constexpr std::array<SliceNumber, 3> kLengths = {1, 7, 40};

  SliceNumber Oldest(SliceNumber length) const { return OldestAt(newest_, length); }
  static SliceNumber OldestAt(SliceNumber newest, SliceNumber length) {
    return newest >= length ? newest + 1 - length : 0;
  }

  void Begin() { Enter(chains_.emplace_back(), nullptr); }
  void Absorb(Chain& chain) {
    const SlotContent older = chain.newest;
    Enter(chain, &older);
  }

  void Enter(Chain& chain, const SlotContent* older) {
    Copy copy{newest_, {}};
    chain.newest = {.birth = newest_};
    if (random_() % 6 == 0) {
      ExactSum exact{.integers = random_() % 2 == 0 ? WideInteger{1} << 65 : WideInteger{0},
                     .reals = {0.25, 0.1, 1e17}};
      chain.newest.link = log_.Add(older, &exact, newest_);
      chain.newest.weight = Weight::Real(12345);  // rounded, so no reader should use it
      for (int i = 0; i < 8 && exact.integers != 0; ++i) {
        copy.weights.push_back(Weight::Integer(std::int64_t{1} << 62));
      }
      for (const double real : exact.reals) copy.weights.push_back(Weight::Real(real));
    } else {
      chain.newest.link = log_.Add(older, nullptr, newest_);
      chain.newest.weight = RandomWeight(random_);
      copy.weights.push_back(chain.newest.weight);
    }
    chain.copies.push_back(std::move(copy));
  }

  static void Compare(const Pin& pin) {
    for (const SliceNumber length : kLengths) {
      const SliceNumber oldest = OldestAt(pin.newest, length);
      for (const Chain& chain : pin.chains) {
        if (chain.newest.birth < oldest) continue;
        ASSERT_EQ(pin.version.WeightOf(chain.newest.link, chain.newest.weight, oldest),
                  Expected(chain, oldest))
            << "slice " << pin.newest << ", window of " << length;
      }
    }
  }

  std::mt19937_64 random_;
  ChainLog log_;
  std::vector<Chain> chains_;
  std::vector<Pin> pins_;
  SliceNumber newest_ = 0;
};

TEST(ChainLogTest, AChainWeighsInEachWindowAndViewWhatItsSlicesContributed) {  // (1), (2), (3)
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Modelled modelled(seed);
    std::size_t full = 0;
    for (int slice = 0; slice < 3000; ++slice) {
      modelled.Slice();
      ASSERT_FALSE(::testing::Test::HasFatalFailure());
      if (slice == 1000) full = modelled.bytes();
    }
    EXPECT_LE(modelled.bytes(), 2 * full) << "slices that left all windows are not freed";
  }
}

// Without jumps, it would take 11,000 million steps.
TEST(ChainLogTest, TheOldestCopyOfAnyWindowIsFarAwayInFewSteps) {
  constexpr SliceNumber kCopies = 200'000;
  constexpr SliceNumber kLength = 150'000;
  ChainLog log;
  SlotContent newest{.birth = 1, .weight = Weight::Integer(1)};
  for (SliceNumber slice = 2; slice <= kCopies; ++slice) {
    const SliceNumber oldest = slice > kLength ? slice + 1 - kLength : 0;
    newest.link = log.Add(&newest, nullptr, slice);
    newest.birth = slice;
    newest.weight = Weight::Integer(slice);
    log.Complete(oldest);
    log.DropBefore(oldest);
  }
  const ChainLog::Version version = log.Publish();
  for (SliceNumber length = 1; length <= kLength; ++length) {
    const std::int64_t first = kCopies + 1 - length;
    ASSERT_EQ(version.WeightOf(newest.link, newest.weight, static_cast<SliceNumber>(first)),
              Weight::Integer((first + kCopies) * length / 2))
        << length;
  }
}

TEST(ChainLogTest, WhatWasNeverAbsorbedTakesNoMemory) {
  ChainLog log;
  EXPECT_EQ(log.Add(nullptr, nullptr, 1), 0u);
  log.Complete(0);
  log.DropBefore(2);
  EXPECT_EQ(log.bytes(), 0u);
  EXPECT_EQ(log.Publish().WeightOf(0, Weight::Real(0.5), 0), Weight::Real(0.5));
}

TEST(ChainLogTest, ViewsKeepWhatTheyCanReach) {  // (3)
  const auto alive = std::make_shared<AliveBytes>(0);
  ChainLog log(alive);
  SlotContent newest{.birth = 0};
  ChainLog::Version pinned;
  SlotContent seen;
  for (SliceNumber slice = 1; slice < 10'000; ++slice) {
    newest = {.birth = slice, .link = log.Add(&newest, nullptr, slice)};
    log.Complete(slice - 1);
    log.DropBefore(slice - 1);
    if (slice != 3000) continue;
    pinned = log.Publish();
    seen = newest;
  }
  EXPECT_GT(*alive, log.bytes());
  EXPECT_EQ(pinned.WeightOf(seen.link, seen.weight, 2999), Weight::Integer(2));
  pinned = {};
  EXPECT_EQ(*alive, log.bytes());
}

}  // namespace
}  // namespace sash
