// One pair with one copy in each slice: while the copies enter, while they age out, and in windows
// that are shorter than the chain, as long, and longer.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/seed_range.h"
#include "tests/support/store_script.h"
#include "tests/support/store_specs.h"
#include "tests/support/view_checks.h"

namespace sash {
namespace {

using testing::Add;
using testing::IdEdge;
using testing::SliceOperations;

enum class Weights { kSmall, kReals, kOverflowing };

std::string ModelName(Weights weights) {
  switch (weights) {
    case Weights::kSmall:
      return "small integers";
    case Weights::kReals:
      return "reals";
    case Weights::kOverflowing:
      return "integers that overflow and come back";
  }
  return "";
}

Weight WeightOf(Weights weights, std::size_t i) {
  constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  // Sums go over the limit, below zero, under the other limit, and return.
  constexpr std::array<std::int64_t, 7> kOverflowing = {kGreatest, kGreatest, kLeast, kLeast,
                                                        kLeast,    kGreatest, 1};
  constexpr std::array<double, 5> kReals = {0.1, 1e17, -0.7, -1e17, 1e-5};
  switch (weights) {
    case Weights::kSmall:
      return Weight::Integer(static_cast<std::int64_t>(i % 11) - 4);
    case Weights::kReals:
      return Weight::Real(kReals[i % kReals.size()]);
    case Weights::kOverflowing:
      return Weight::Integer(kOverflowing[i % kOverflowing.size()]);
  }
  return {};
}

// A chain of `copies` over the same number of slices, and windows over it. Every slice also holds
// an edge of its own, so that no slice is empty.
class ModelledChain {
 public:
  ModelledChain(const StoreSpec& spec, Weights weights, std::size_t copies)
      : spec_(spec), weights_(weights), copies_(copies), slices_(MakeSliceStore(spec)) {
    for (const std::size_t length : {(copies + 1) / 2, copies, copies + 3}) {
      windows_.push_back({slices_->Open(0), length});
    }
  }

  void Run() {
    // A view of the rebuild store does not depend on earlier views.
    const std::size_t stride = spec_.kind == StoreKind::kRebuild ? 1 + copies_ / 50 : 1;
    for (std::size_t slice = 0; slice < 2 * copies_ + 4; ++slice) {
      SliceOperations operations = {Add(2, 3)};
      if (slice < copies_) operations.push_back(Add(0, 1, WeightOf(weights_, slice)));
      slices_->Add(testing::MakeSlice(slice, operations));
      for (Window& window : windows_) {
        if (slice >= window.length) window.store->AgeOutOldest();
        if (slice % stride != 0) continue;
        const std::size_t oldest = slice < window.length ? 0 : slice - window.length + 1;
        ASSERT_EQ(testing::Wrong(window.store->Publish(4), Expected(oldest, slice)), "")
            << ModelName(weights_) << ", " << copies_ << " copies, window of " << window.length
            << " slices, slices " << oldest << " to " << slice;
      }
    }
  }

 private:
  struct Window {
    std::unique_ptr<WindowStore> store;
    std::size_t length;
  };

  std::vector<IdEdge> Expected(std::size_t oldest, std::size_t newest) const {
    std::vector<IdEdge> edges;
    WeightSum sum;
    const std::size_t end = std::min(newest + 1, copies_);
    for (std::size_t i = oldest; i < end; ++i) sum.Add(WeightOf(weights_, i));
    if (oldest < end) {
      edges.push_back({0, 1,
                       spec_.duplicates == DuplicatesPolicy::kWeigh ? sum.Total()
                                                                    : WeightOf(weights_, end - 1)});
    }
    const auto fillers = static_cast<std::int64_t>(newest - oldest + 1);
    edges.push_back(
        {2, 3, Weight::Integer(spec_.duplicates == DuplicatesPolicy::kWeigh ? fillers : 1)});
    return edges;
  }

  const StoreSpec spec_;
  const Weights weights_;
  const std::size_t copies_;
  const std::shared_ptr<SliceStore> slices_;
  std::vector<Window> windows_;
};

class DuplicateChainTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(DuplicateChainTest, WeightsAreExactWhileCopiesEnterAndAgeOut) {
  for (const Weights weights : {Weights::kSmall, Weights::kReals, Weights::kOverflowing}) {
    for (const int copies : {1, 2, 3, 10, 100, testing::Rounds(1000)}) {
      ModelledChain(GetParam(), weights, static_cast<std::size_t>(copies)).Run();
      if (HasFatalFailure()) return;
    }
  }
}

std::vector<StoreSpec> FoldingSpecs() {
  std::vector<StoreSpec> specs = testing::AllSpecs();
  std::erase_if(specs,
                [](const StoreSpec& spec) { return spec.duplicates == DuplicatesPolicy::kKeep; });
  return specs;
}

INSTANTIATE_TEST_SUITE_P(Stores, DuplicateChainTest, ::testing::ValuesIn(FoldingSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
