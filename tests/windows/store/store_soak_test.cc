// A long run with bursts, silences, hubs and removals: views stay right, and no memory leaks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/support/store_script.h"
#include "tests/support/store_specs.h"
#include "tests/support/view_checks.h"
#include "tests/support/window_model.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

using testing::SliceOperations;

constexpr VertexId kVertices = 3000;
constexpr std::size_t kCompared = 50;  // views are compared once in this number of slices

// Slices whose size and hub change with time.
class SoakStream {
 public:
  explicit SoakStream(bool removals) : removals_(removals) {}

  SliceOperations Next() {
    ++number_;
    if (number_ % 400 >= 100 && number_ % 400 < 165) return {};
    if (number_ % 90 == 0) hub_ = Below(kVertices);
    const bool bursts = number_ % 97 < 4;
    SliceOperations operations;
    for (std::uint64_t i = random_() % (bursts ? 3000 : 300); i > 0; --i) {
      operations.push_back(NextOperation());
    }
    return operations;
  }

 private:
  VertexId Below(VertexId limit) { return static_cast<VertexId>(random_() % limit); }
  VertexId Skewed() { return Below(1 + Below(kVertices)); }

  testing::StoreOperation NextOperation() {
    const std::uint64_t chance = random_() % 1000;
    const VertexId source = chance % 3 == 0 ? hub_ : Skewed();
    const VertexId target = chance % 4 == 0 ? hub_ : Skewed();
    if (removals_ && chance < 2) return testing::RemoveVertex(chance == 0 ? hub_ : target);
    if (removals_ && chance < 100) return testing::Remove(source, target);
    if (chance < 130) return testing::Add(source, target, Weight::Real(0.1));
    return testing::Add(source, target, Weight::Integer(static_cast<std::int64_t>(chance) - 500));
  }

  const bool removals_;
  std::mt19937_64 random_{11};
  std::uint64_t number_ = 0;
  VertexId hub_ = 0;
};

struct HeldSlice {
  std::size_t number;
  SliceOperations operations;
};

class Windows {
 public:
  explicit Windows(const StoreSpec& spec) : slices_(MakeSliceStore(spec)) {
    for (auto& window : windows_) window = slices_->Open(0);
  }

  void Add(const HeldSlice& slice) {
    slices_->Add(testing::MakeSlice(slice.number, slice.operations));
    ++added_;
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      if (added_ > kLengths[w]) windows_[w]->AgeOutOldest();
    }
  }

  PublishedView Publish(std::size_t w) { return windows_[w]->Publish(kVertices); }

  MemoryUse memory() const {
    MemoryUse use = slices_->shared_memory();
    for (const auto& window : windows_) use += window->own_memory();
    return use;
  }

  static constexpr std::array<std::size_t, 2> kLengths = {7, 60};

 private:
  std::shared_ptr<SliceStore> slices_;
  std::array<std::unique_ptr<WindowStore>, kLengths.size()> windows_;
  std::size_t added_ = 0;
};

std::string ToText(const MemoryUse& use) {
  return "lists " + std::to_string(use.lists) + ", vertex tables " +
         std::to_string(use.vertex_tables) + ", deletions " + std::to_string(use.deletions) +
         ", absorbed " + std::to_string(use.absorbed) + ", index " + std::to_string(use.index) +
         ", touched " + std::to_string(use.touched) + ", events " + std::to_string(use.events);
}

// `old` holds the slices `held`, and little more memory than a store that never held others.
void ExpectNoMoreMemoryThanFresh(const StoreSpec& spec, const Windows& old,
                                 const std::deque<HeldSlice>& held) {
  Windows fresh(spec);
  for (const HeldSlice& slice : held) {
    fresh.Add(slice);
    for (std::size_t w = 0; w < Windows::kLengths.size(); ++w) fresh.Publish(w);
  }
  constexpr std::size_t kPages = 256 * 1024;  // pages of vertices that have left may stay
  EXPECT_LE(old.memory().total(), 2 * fresh.memory().total() + kPages)
      << "old: " << ToText(old.memory()) << "\nfresh: " << ToText(fresh.memory());
  EXPECT_GT(fresh.memory().total(), kPages / 2) << "the window is too small to say anything";
}

class StoreSoakTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(StoreSoakTest, ALongLifeNeitherDriftsNorLeavesAnythingBehind) {
  constexpr std::size_t kSlices = kSanitized ? 4'000 : 20'000;
  const StoreSpec spec = GetParam();
  Windows old(spec);
  SoakStream stream(spec.removals);
  std::deque<HeldSlice> held;
  for (std::size_t number = 0; number < kSlices; ++number) {
    held.push_back({number, stream.Next()});
    if (held.size() > Windows::kLengths[1]) held.pop_front();
    old.Add(held.back());
    const bool compared = (number + 1) % kCompared == 0;
    // The rebuild store keeps nothing between publications, so it need not publish each time.
    if (!compared && spec.kind == StoreKind::kRebuild) continue;
    for (std::size_t w = 0; w < Windows::kLengths.size(); ++w) {
      const PublishedView published = old.Publish(w);
      if (!compared) continue;
      std::vector<const SliceOperations*> slices;
      const std::size_t length = std::min(Windows::kLengths[w], held.size());
      for (std::size_t i = held.size() - length; i < held.size(); ++i) {
        slices.push_back(&held[i].operations);
      }
      ASSERT_EQ(testing::Wrong(published, testing::ModelEdges(slices, spec.duplicates)), "")
          << "slice " << number << ", window " << w;
    }
    if ((number + 1) % (kSlices / 10) == 0) {
      ExpectNoMoreMemoryThanFresh(spec, old, held);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreSoakTest, ::testing::ValuesIn(testing::AllSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
