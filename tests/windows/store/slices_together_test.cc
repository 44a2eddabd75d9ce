// Slices that enter a store together (SliceStore::AddAll) have the effect of slices that enter one
// by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/script_oracle.h"
#include "tests/support/seed_range.h"
#include "tests/support/small_lists.h"
#include "tests/support/store_script_writer.h"
#include "tests/support/store_specs.h"
#include "tests/support/view_checks.h"
#include "windows/store/multiversioned_store.h"

namespace sash {
namespace {

using testing::StoreScript;

// Collects slices until a window is read or published, then passes them on together.
class LateStore final : public SliceStore, public std::enable_shared_from_this<LateStore> {
 public:
  explicit LateStore(std::shared_ptr<SliceStore> store) : store_(std::move(store)) {}

  void Add(std::shared_ptr<const Slice> slice) override {
    if (windows_ > 0) {
      late_.push_back(std::move(slice));
    } else {
      store_->Add(std::move(slice));
    }
  }
  std::unique_ptr<WindowStore> Open(std::size_t slices) override {
    HandOn();
    return std::make_unique<Window>(shared_from_this(), store_->Open(slices));
  }
  std::size_t retained() const override { return store_->retained() + late_.size(); }
  bool CanCopyFor(const StoreSpec& spec) const override { return store_->CanCopyFor(spec); }
  void CopyPassing(const NumberedTypeFilters& filters,
                   const std::vector<std::shared_ptr<Slice>>& parts) override {
    HandOn();
    store_->CopyPassing(filters, parts);
  }
  MemoryUse shared_memory() const override { return store_->shared_memory(); }
  std::size_t view_bytes() const override { return store_->view_bytes(); }

 private:
  class Window final : public WindowStore {
   public:
    Window(std::shared_ptr<LateStore> store, std::unique_ptr<WindowStore> window)
        : store_(std::move(store)), window_(std::move(window)) {
      ++store_->windows_;
    }
    ~Window() override {
      store_->HandOn();
      --store_->windows_;
    }
    void AgeOutOldest() override {
      store_->HandOn();
      window_->AgeOutOldest();
    }
    PublishedView Publish(VertexId id_limit) override {
      store_->HandOn();
      return window_->Publish(id_limit);
    }
    MemoryUse own_memory() const override { return window_->own_memory(); }

   private:
    const std::shared_ptr<LateStore> store_;
    const std::unique_ptr<WindowStore> window_;
  };

  void HandOn() { store_->AddAll(std::exchange(late_, {})); }

  const std::shared_ptr<SliceStore> store_;
  Slices late_;
  int windows_ = 0;
};

class SlicesTogetherTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(SlicesTogetherTest, EveryViewOfRandomScriptsIsWhatTheModelSays) {
  testing::ExpectRandomScriptsAgree(GetParam(), 100, [](const StoreSpec& spec) {
    return std::make_shared<LateStore>(MakeSliceStore(spec));
  });
}

TEST_P(SlicesTogetherTest, EveryViewIsSoWhateverTheShapeOfLists) {
  if (GetParam().kind != StoreKind::kMultiversioned) return;
  testing::ExpectRandomScriptsAgree(GetParam(), 100, [](const StoreSpec& spec) {
    return std::make_shared<LateStore>(
        std::make_shared<MultiversionedStore>(spec, testing::kSmallLists));
  });
}

INSTANTIATE_TEST_SUITE_P(Stores, SlicesTogetherTest, ::testing::ValuesIn(testing::AllSpecs()),
                         testing::SpecName);

// A store with a window that holds all slices.
struct Filled {
  explicit Filled(const StoreSpec& spec, const ListSizes& sizes)
      : store(std::make_shared<MultiversionedStore>(spec, sizes)), window(store->Open(0)) {}

  const std::shared_ptr<MultiversionedStore> store;
  const std::unique_ptr<WindowStore> window;
};

// All edges of both directions.
std::string Lists(const PublishedView& published) {
  std::string text;
  const auto add = [&text](const std::vector<testing::IdEdge>& edges) {
    for (const testing::IdEdge& edge : edges) text += testing::ToText(edge) + "\n";
  };
  add(testing::OutEdges(published.view));
  add(testing::InEdges(published.view));
  return text;
}

class LongWindowTogetherTest : public ::testing::TestWithParam<StoreSpec> {};

// All slices of a script at once, also slices with removals between the others; then all of them
// age out.
TEST_P(LongWindowTogetherTest, ListsAreTheSameAndAgeAlike) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({9000, 60});
  for (std::uint64_t seed = seeds.first; seed < seeds.end() && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const StoreScript script =
        testing::StoreScriptWriter(seed, GetParam().removals && seed % 2 == 0).Write();
    const ListSizes sizes = seed % 3 == 0 ? ListSizes() : testing::kSmallLists;
    Filled single(GetParam(), sizes);
    Filled together(GetParam(), sizes);
    SliceStore::Slices slices;
    VertexId id_limit = 0;
    for (const testing::ScriptPane& pane : script.panes) {
      if (pane.silent) continue;
      slices.push_back(testing::MakeSlice(slices.size(), pane.operations));
      id_limit = std::max(id_limit, testing::IdLimit(pane.operations));
      single.store->Add(slices.back());
    }
    together.store->AddAll(slices);
    for (std::size_t left = slices.size() + 1; left-- > 0 && !HasFailure();) {
      const PublishedView expected = single.window->Publish(id_limit);
      const PublishedView found = together.window->Publish(id_limit);
      ASSERT_EQ(testing::Inconsistency(found.view), "") << left << " slices left";
      ASSERT_EQ(Lists(found), Lists(expected)) << left << " slices left";
      ASSERT_EQ(found.edges, expected.edges);
      ASSERT_EQ(found.vertices, expected.vertices);
      ASSERT_EQ(together.store->shared_memory().total(), together.store->CountMemory().total());
      if (left > 0) {
        single.window->AgeOutOldest();
        together.window->AgeOutOldest();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, LongWindowTogetherTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

}  // namespace
}  // namespace sash
