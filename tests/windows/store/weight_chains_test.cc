#include "windows/store/weight_chains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace sash {
namespace {

struct Copy {
  ChainId chain;
  SliceNumber birth;
  Weight weight;
};

Weight RandomWeight(std::mt19937_64& random) {
  if (random() % 4 == 0) return Weight::Real(0.1 * static_cast<double>(random() % 100) - 3);
  return Weight::Integer(static_cast<std::int64_t>(random() % 21) - 10);
}

// The slices of two windows, the shorter of which is often empty of a chain.
class Modelled {
 public:
  explicit Modelled(std::uint64_t seed) : random_(seed) {}

  void Slice() {
    slices_.push_back({++newest_, {}});
    for (std::uint64_t adds = random_() % 5; adds > 0; --adds) {
      const bool begins = live_.empty() || random_() % 4 == 0;
      if (begins) live_.push_back(chains_.Begin());
      Add(begins ? live_.back() : live_[random_() % live_.size()]);
    }
    // A chain that is ended is not added to again; what it holds ages out.
    if (live_.size() > 6) live_.erase(live_.begin() + static_cast<int>(random_() % live_.size()));
    for (std::size_t w = 0; w < kLengths.size(); ++w) {
      if (slices_.size() > kLengths[w]) {
        const auto& old = slices_[slices_.size() - 1 - kLengths[w]];
        chains_.AgeOut(old.copies, old.number + 1, windows_[w]);
      }
      Compare(w);
    }
    if (slices_.size() <= kLengths[1]) return;
    chains_.Release(slices_.front().copies, slices_.front().number);
    std::erase_if(copies_, [&](const Copy& copy) { return copy.birth <= slices_.front().number; });
    slices_.pop_front();
    // Those without copies are forgotten, and their numbers may come again.
    std::erase_if(live_, [&](ChainId chain) {
      return std::ranges::none_of(copies_, [&](const Copy& copy) { return copy.chain == chain; });
    });
  }

  std::size_t bytes() const { return chains_.bytes(); }

 private:
  struct Held {
    SliceNumber number;
    ChainCopies copies;
  };
  static constexpr std::array<std::size_t, 2> kLengths = {3, 12};

  void Add(ChainId chain) {
    ChainCopies& copies = slices_.back().copies;
    const std::size_t first = copies.size();
    if (random_() % 5 == 0) {
      ExactSum sum{.integers = WideInteger{1} << 65, .reals = {0.25, 0.1}};
      chains_.Add(chain, sum, newest_, copies);
      // How it is split is not seen, only the sum.
      for (int i = 0; i < 8; ++i) {
        copies_.push_back({chain, newest_, Weight::Integer(std::int64_t{1} << 62)});
      }
      copies_.push_back({chain, newest_, Weight::Real(0.25)});
      copies_.push_back({chain, newest_, Weight::Real(0.1)});
    } else {
      const Weight weight = RandomWeight(random_);
      chains_.Add(chain, weight, newest_, copies);
      copies_.push_back({chain, newest_, weight});
    }
    for (std::size_t w = 0; w < kLengths.size(); ++w) {
      chains_.Count(copies, first, Oldest(w), windows_[w]);
    }
  }

  // While a slice enters, windows still hold what it will push out.
  SliceNumber Oldest(std::size_t w) const {
    return newest_ > kLengths[w] ? newest_ - static_cast<SliceNumber>(kLengths[w]) : 0;
  }

  void Compare(std::size_t w) {
    const auto totals = windows_[w].Publish();
    const SliceNumber oldest =
        newest_ >= kLengths[w] ? newest_ + 1 - static_cast<SliceNumber>(kLengths[w]) : 0;
    for (const ChainId chain : live_) {
      WeightSum sum;
      bool any = false;
      for (const Copy& copy : copies_) {
        if (copy.chain != chain || copy.birth < oldest) continue;
        sum.Add(copy.weight);
        any = true;
      }
      if (!any) continue;
      ASSERT_EQ(totals[chain], sum.Total()) << "slice " << newest_ << ", window " << w;
    }
  }

  std::mt19937_64 random_;
  WeightChains chains_;
  std::array<WeightChains::Totals, kLengths.size()> windows_;
  std::deque<Held> slices_;
  std::vector<Copy> copies_;
  std::vector<ChainId> live_;
  SliceNumber newest_ = 0;
};

TEST(WeightChainsTest, AChainWeighsInEachWindowWhatItsSlicesContributed) {  // (1), (3)
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Modelled modelled(seed);
    std::size_t full = 0;
    for (int slice = 0; slice < 1000; ++slice) {
      modelled.Slice();
      ASSERT_FALSE(::testing::Test::HasFatalFailure());
      if (slice == 100) full = modelled.bytes();
    }
    EXPECT_LE(modelled.bytes(), 3 * full) << "numbers of chains are not used again";
  }
}

TEST(WeightChainsTest, ANumberComesAgainOnlyWhenNoSliceRemembersACopy) {  // (3)
  WeightChains chains;
  ChainCopies first;
  ChainCopies second;
  const ChainId chain = chains.Begin();
  chains.Add(chain, Weight::Integer(4), 1, first);
  chains.Add(chain, Weight::Real(0.5), 2, second);
  chains.Release(first, 1);
  EXPECT_NE(chains.Begin(), chain);
  chains.Release(second, 2);
  EXPECT_EQ(chains.Begin(), chain);
}

TEST(ChainCopiesTest, IntegersOfOneCostNothingUntilAnotherComes) {
  ChainCopies copies;
  copies.Add(3, 1);
  copies.Add(4, 1);
  const std::size_t ones = copies.bytes();
  EXPECT_LT(ones, 4 * sizeof(std::int64_t));
  copies.Add(5, -2);
  copies.Add(6, 1);
  EXPECT_EQ(copies.integer(0), 1);
  EXPECT_EQ(copies.integer(1), 1);
  EXPECT_EQ(copies.integer(2), -2);
  EXPECT_EQ(copies.integer(3), 1);
  EXPECT_EQ(copies.chain(2), 5u);
}

}  // namespace
}  // namespace sash
