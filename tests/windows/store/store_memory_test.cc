// Compares the memory that a multiversioned store reports with a walk through everything it holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "tests/support/seed_range.h"
#include "tests/support/store_script_writer.h"
#include "tests/support/store_specs.h"
#include "windows/store/multiversioned_store.h"

namespace sash {
namespace {

using testing::StoreScript;

// The windows of a script. Every fifth publication stays pinned for a while.
class MeteredRun {
 public:
  MeteredRun(const StoreSpec& spec, const StoreScript& script)
      : script_(script), store_(std::make_shared<MultiversionedStore>(spec)) {
    windows_.resize(script.windows.size());
  }

  void Run() {
    for (std::size_t pane = 0; pane < script_.panes.size() && !::testing::Test::HasFailure();
         ++pane) {
      SCOPED_TRACE("pane " + std::to_string(pane));
      OpenAndClose(pane);
      if (!script_.panes[pane].silent) Add(pane);
      for (std::size_t w = 0; w < windows_.size(); ++w) {
        if (windows_[w].store && (pane + 1) % script_.windows[w].slide == 0) Advance(pane, w);
      }
      if (pane % 17 == 16) ExpectNothingForNoViews();
    }
    ExpectNothingForNoViews();
  }

  std::size_t most_pinned() const { return most_pinned_; }
  std::size_t most_index() const { return most_index_; }

 private:
  struct OpenWindow {
    std::unique_ptr<WindowStore> store;
    std::vector<std::size_t> held;  // panes, oldest first
  };

  void OpenAndClose(std::size_t pane) {
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      const testing::ScriptWindow& window = script_.windows[w];
      if (window.closes == pane) windows_[w] = OpenWindow();
      if (window.opens != pane || window.closes <= pane) continue;
      const std::size_t with = std::min(window.opens_with, store_->retained());
      windows_[w].store = store_->Open(with);
      windows_[w].held.assign(panes_.end() - static_cast<std::ptrdiff_t>(with), panes_.end());
    }
    ExpectExact();
  }

  void Add(std::size_t pane) {
    id_limit_ = std::max(id_limit_, testing::IdLimit(script_.panes[pane].operations));
    store_->Add(testing::MakeSlice(panes_.size(), script_.panes[pane].operations));
    panes_.push_back(pane);
    for (OpenWindow& window : windows_) {
      if (window.store) window.held.push_back(pane);
    }
    ExpectExact();
  }

  void Advance(std::size_t pane, std::size_t w) {
    OpenWindow& window = windows_[w];
    while (!window.held.empty() && window.held.front() + script_.windows[w].length <= pane) {
      window.held.erase(window.held.begin());
      window.store->AgeOutOldest();
    }
    PublishedView published = window.store->Publish(id_limit_);
    if (++publications_ % 5 == 0) {
      const auto& view = std::get<std::shared_ptr<const MultiversionedView>>(published.view);
      if (publications_ % 10 == 0) {
        EXPECT_EQ(view->vertices().size(), published.vertices);
      }
      pins_.push_back(std::move(published));
      if (pins_.size() > 4) pins_.erase(pins_.begin());
    }
    most_pinned_ = std::max(most_pinned_, store_->view_bytes());
    ExpectExact();
  }

  void ExpectExact() {
    const MemoryUse said = store_->shared_memory();
    const MemoryUse counted = store_->CountMemory();
    most_index_ = std::max(most_index_, said.index);
    for (const MemoryPart& part : kMemoryParts) {
      EXPECT_EQ(said.*part.bytes, counted.*part.bytes) << part.name;
    }
    EXPECT_LT(store_->view_bytes(), std::size_t{1} << 40)
        << "view_bytes() has wrapped around below zero";
  }

  // The store keeps its newest version. After that is published, older versions are freed with
  // their views.
  void ExpectNothingForNoViews() {
    pins_.clear();
    bool any = false;
    for (OpenWindow& window : windows_) {
      if (!window.store) continue;
      (void)window.store->Publish(id_limit_);
      any = true;
    }
    if (any) {
      EXPECT_EQ(store_->view_bytes(), 0u);
    }
  }

  const StoreScript& script_;
  std::shared_ptr<MultiversionedStore> store_;
  std::vector<OpenWindow> windows_;
  std::vector<std::size_t> panes_;  // panes that had a slice
  std::vector<PublishedView> pins_;
  VertexId id_limit_ = 0;
  std::size_t publications_ = 0;
  std::size_t most_pinned_ = 0;
  std::size_t most_index_ = 0;
};

class StoreMemoryTest : public ::testing::TestWithParam<StoreSpec> {};

TEST_P(StoreMemoryTest, EveryPartIsWhatAWalkFindsAfterEveryStep) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({7000, 40});
  std::size_t most_pinned = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end() && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const StoreScript script = testing::StoreScriptWriter(seed, GetParam().removals).Write();
    MeteredRun run(GetParam(), script);
    run.Run();
    most_pinned = std::max(most_pinned, run.most_pinned());
  }
  EXPECT_GT(most_pinned, 10'000u) << "views never retained 10,000 bytes";
}

TEST_P(StoreMemoryTest, AHubIsCountedAsItGrowsAndGoes) {
  std::mt19937_64 random(1);
  StoreScript script;
  script.windows = {{.length = 8}, {.length = 3}};
  for (std::size_t pane = 0; pane < 40; ++pane) {
    testing::SliceOperations operations;
    const std::size_t adds = pane < 20 ? 2000 : 20;
    for (std::size_t i = 0; i < adds; ++i) {
      const auto spoke = static_cast<VertexId>(1 + random() % 30'000);
      const Weight weight = i % 3 == 0 ? Weight::Real(0.5) : Weight::Integer(2);
      operations.push_back(testing::Add(0, spoke, pane < 5 ? Weight() : weight));
      operations.push_back(testing::Add(spoke, 0));
      if (GetParam().removals && i % 4 == 0) operations.push_back(testing::Remove(0, spoke));
    }
    if (GetParam().removals && pane == 15) operations.push_back(testing::RemoveVertex(0));
    script.panes.push_back({false, std::move(operations)});
  }
  MeteredRun run(GetParam(), script);
  run.Run();
  const bool searched = GetParam().removals || GetParam().duplicates != DuplicatesPolicy::kKeep;
  constexpr std::size_t kFewestEntries = ListSizes().fewest_indexed;
  EXPECT_EQ(run.most_index() > kFewestEntries * sizeof(std::uint64_t), searched)
      << "an index of " << run.most_index() << " bytes";
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreMemoryTest,
                         ::testing::ValuesIn(testing::MultiversionedSpecs()), testing::SpecName);

TEST(ViewMemoryTest, AViewThatOutlivesItsStoreIsFreed) {
  auto store = std::make_shared<MultiversionedStore>(StoreSpec{});
  std::unique_ptr<WindowStore> window = store->Open(0);
  store->Add(testing::MakeSlice(0, {testing::Add(1, 2), testing::Add(2, 3)}));
  const PublishedView pinned = window->Publish(4);
  window.reset();
  EXPECT_GT(store->view_bytes(), 0u) << "nothing is in a window any more";
  store.reset();
  EXPECT_EQ(std::get<1>(pinned.view)->vertices().size(), 3u);
}

TEST(ViewMemoryTest, OlderGraphsOfRebuildCountAsViews) {
  const auto store = MakeSliceStore({.kind = StoreKind::kRebuild});
  const std::unique_ptr<WindowStore> window = store->Open(0);
  store->Add(testing::MakeSlice(0, {testing::Add(1, 2), testing::Add(2, 3)}));
  PublishedView older = window->Publish(4);
  const std::size_t bytes = window->own_memory().total();
  EXPECT_GT(bytes, 0u);
  EXPECT_EQ(store->view_bytes(), 0u);
  const PublishedView newest = window->Publish(4);
  EXPECT_EQ(store->view_bytes(), bytes);
  older = {};
  EXPECT_EQ(store->view_bytes(), 0u);
}

}  // namespace
}  // namespace sash
