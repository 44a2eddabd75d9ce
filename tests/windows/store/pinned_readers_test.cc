// Readers of pinned views in other threads while the engine thread adds, ends, ages and publishes.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/store_script.h"
#include "tests/support/store_specs.h"
#include "tests/support/view_checks.h"
#include "tests/support/window_model.h"

namespace sash {
namespace {

using testing::IdEdge;
using testing::SliceOperations;

struct Published {
  PublishedView view;
  std::vector<IdEdge> expected;
};
using PublishedPtr = std::shared_ptr<const Published>;

// The newest publication, for readers that hold one while the next ones are made.
class Newest {
 public:
  explicit Newest(int readers) : readers_(readers) {}

  // Waits, once `lead` publications have been made since, until every reader has begun with another.
  void Put(PublishedPtr published, std::uint64_t lead) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return number_ < waited_ + lead || begun_ >= readers_; });
    if (number_ >= waited_ + lead) {
      waited_ = number_;
      begun_ = 0;
    }
    newest_ = std::move(published);
    ++number_;
    changed_.notify_all();
  }
  void End() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  // A publication newer than the one numbered `seen`, and its number; null at the end.
  std::pair<PublishedPtr, std::uint64_t> After(std::uint64_t seen) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return number_ > seen || ended_; });
    if (number_ <= seen) return {nullptr, seen};
    ++begun_;
    changed_.notify_all();
    return {newest_, number_};
  }

 private:
  const int readers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // All guarded by mutex_.
  PublishedPtr newest_;
  std::uint64_t number_ = 0;
  std::uint64_t waited_ = 0;
  int begun_ = 0;
  bool ended_ = false;
};

SliceOperations RandomSlice(std::mt19937_64& random, bool removals) {
  SliceOperations operations;
  for (std::uint64_t i = random() % 60; i > 0; --i) {
    const auto source = static_cast<VertexId>(random() % 8 * (random() % 8) / 4);
    const auto target = static_cast<VertexId>(random() % 16);
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

TEST_P(PinnedReadersTest, ViewsStayAsTheyWereWhileTheWindowsMove) {
  constexpr std::size_t kSlices = testing::kSanitized ? 300 : 1000;
  constexpr std::size_t kLengths[] = {3, 12};
  constexpr int kReaders = 3;
  constexpr std::uint64_t kLead = 6;
  const StoreSpec spec = GetParam();
  Newest newest(kReaders);
  std::vector<std::string> wrong(kReaders);
  std::vector<std::uint64_t> read(kReaders);
  {
    std::vector<std::jthread> readers;
    for (std::size_t r = 0; r < kReaders; ++r) {
      readers.emplace_back([&, r] {
        std::uint64_t seen = 0;
        while (true) {
          const auto [published, number] = newest.After(seen);
          if (!published) return;
          seen = number;
          ++read[r];
          for (int again = 0; again < 3 && wrong[r].empty(); ++again) {
            wrong[r] = testing::Wrong(published->view, published->expected);
          }
        }
      });
    }
    std::mt19937_64 random(7);
    const std::shared_ptr<SliceStore> store = MakeSliceStore(spec);
    std::vector<std::unique_ptr<WindowStore>> windows;
    for ([[maybe_unused]] const std::size_t length : kLengths) windows.push_back(store->Open(0));
    std::deque<SliceOperations> held;
    for (std::size_t slice = 0; slice < kSlices; ++slice) {
      held.push_back(RandomSlice(random, spec.removals));
      if (held.size() > kLengths[1]) held.pop_front();
      store->Add(testing::MakeSlice(slice, held.back()));
      for (std::size_t w = 0; w < windows.size(); ++w) {
        if (slice >= kLengths[w]) windows[w]->AgeOutOldest();
        std::vector<const SliceOperations*> slices;
        for (std::size_t i = held.size() - std::min(held.size(), kLengths[w]); i < held.size();
             ++i) {
          slices.push_back(&held[i]);
        }
        newest.Put(std::make_shared<const Published>(Published{
                       windows[w]->Publish(32), testing::ModelEdges(slices, spec.duplicates)}),
                   kLead);
      }
    }
    newest.End();
  }
  for (std::size_t r = 0; r < kReaders; ++r) {
    EXPECT_EQ(wrong[r], "");
    EXPECT_GT(read[r], 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, PinnedReadersTest, ::testing::ValuesIn(testing::SupportedSpecs()),
                         testing::SpecName);

}  // namespace
}  // namespace sash
