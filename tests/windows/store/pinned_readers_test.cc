// Readers of pinned views in other threads, while the engine thread adds slices, ends edges, ages
// out and publishes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/store_script.h"
#include "tests/support/store_specs.h"
#include "tests/support/view_checks.h"
#include "tests/support/window_model.h"
#include "windows/base/mutex.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::SliceOperations;

struct Published {
  PublishedView view;
  std::vector<IdEdge> expected;
};
using PublishedPtr = std::shared_ptr<const Published>;

// The newest publication, for readers that hold it while the next publications are made. The
// publisher is at most `lead` publications ahead of the slowest reader.
class Newest {
 public:
  Newest(std::size_t readers, std::uint64_t lead) : lead_(lead), begun_(readers) {}

  void Put(PublishedPtr published) {
    const MutexLock lock(mutex_);
    while (number_ >= *std::ranges::min_element(begun_) + lead_) changed_.Wait(mutex_);
    newest_ = std::move(published);
    ++number_;
    changed_.NotifyAll();
  }
  void End() {
    const MutexLock lock(mutex_);
    ended_ = true;
    changed_.NotifyAll();
  }
  // Waits for a publication newer than the reader's previous one, and returns it; null at the end.
  PublishedPtr Next(std::size_t reader) {
    const MutexLock lock(mutex_);
    while (number_ <= begun_[reader] && !ended_) changed_.Wait(mutex_);
    if (number_ == begun_[reader]) return nullptr;
    begun_[reader] = number_;
    changed_.NotifyAll();
    return newest_;
  }

 private:
  const std::uint64_t lead_;
  Mutex mutex_;
  CondVar changed_;
  PublishedPtr newest_ SASH_GUARDED_BY(mutex_);
  std::uint64_t number_ SASH_GUARDED_BY(mutex_) = 0;
  // For each reader, the number of the publication that it has, from 1.
  std::vector<std::uint64_t> begun_ SASH_GUARDED_BY(mutex_);
  bool ended_ SASH_GUARDED_BY(mutex_) = false;
};

constexpr VertexId kReadVertices = 16;

SliceOperations ReadSlice(std::mt19937_64& random, bool removals) {
  SliceOperations operations;
  for (std::uint64_t i = random() % 60; i > 0; --i) {
    const auto source = static_cast<VertexId>(random() % 8 * (random() % 8) / 4);
    const auto target = static_cast<VertexId>(random() % kReadVertices);
    const std::uint64_t chance = removals ? random() % 20 : 19;
    if (chance == 0) {
      operations.push_back(testing::RemoveVertex(target));
    } else if (chance < 4) {
      operations.push_back(testing::Remove(source, target));
    } else {
      const auto weight = static_cast<std::int64_t>(random() % 100);
      operations.push_back(testing::Add(
          source, target,
          weight < 20 ? Weight::Real(0.1 * static_cast<double>(weight)) : Weight::Integer(weight)));
    }
  }
  return operations;
}

class PinnedReadersTest : public ::testing::TestWithParam<StoreSpec> {};

// Publishes windows of 3 and 12 slices to `newest` while they move over `slices` slices.
void MoveWindows(const StoreSpec& spec, std::size_t slices, Newest& newest) {
  constexpr std::array<std::size_t, 2> kLengths = {3, 12};
  std::mt19937_64 random(7);
  const std::shared_ptr<SliceStore> store = MakeSliceStore(spec);
  std::array<std::unique_ptr<WindowStore>, kLengths.size()> windows;
  for (auto& window : windows) window = store->Open(0);
  std::deque<SliceOperations> held;
  for (std::size_t slice = 0; slice < slices; ++slice) {
    held.push_back(ReadSlice(random, spec.removals));
    if (held.size() > kLengths.back()) held.pop_front();
    store->Add(testing::MakeSlice(slice, held.back()));
    for (std::size_t w = 0; w < windows.size(); ++w) {
      if (slice >= kLengths[w]) windows[w]->AgeOutOldest();
      std::vector<const SliceOperations*> shown;
      for (std::size_t i = held.size() - std::min(held.size(), kLengths[w]); i < held.size(); ++i) {
        shown.push_back(&held[i]);
      }
      newest.Put(std::make_shared<const Published>(Published{
          windows[w]->Publish(kReadVertices), testing::ModelEdges(shown, spec.duplicates)}));
    }
  }
  newest.End();
}

TEST_P(PinnedReadersTest, ViewsStayAsTheyWereWhileTheWindowsMove) {
  constexpr std::size_t kSlices = kSanitized ? 300 : 1000;
  constexpr std::size_t kReaders = 3;
  Newest newest(kReaders, 6);
  std::array<std::string, kReaders> wrong;
  {
    std::vector<std::jthread> readers;
    for (std::size_t r = 0; r < kReaders; ++r) {
      readers.emplace_back([&newest, &said = wrong[r], r] {
        while (const PublishedPtr published = newest.Next(r)) {
          for (int again = 0; again < 3 && said.empty(); ++again) {
            said = testing::Wrong(published->view, published->expected);
          }
        }
      });
    }
    MoveWindows(GetParam(), kSlices, newest);
  }
  for (const std::string& said : wrong) EXPECT_EQ(said, "");
}

INSTANTIATE_TEST_SUITE_P(Stores, PinnedReadersTest, ::testing::ValuesIn(testing::AllSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
