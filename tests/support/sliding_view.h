// SlidingView: the successive views of a window that moves over random edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <variant>

#include "tests/support/store_script.h"
#include "tests/support/store_specs.h"
#include "windows/base/ids.h"
#include "windows/base/weight.h"
#include "windows/store/multiversioned_view.h"
#include "windows/store/window_store.h"

namespace sash::testing {

// A window whose slices name newer and newer vertices. Old vertices disappear, and return when the
// ids start again from 0.
class SlidingView {
 public:
  using View = std::shared_ptr<const MultiversionedView>;
  enum class Shape : std::uint8_t {
    kHubs,  // a quarter of the sources and half of the targets are a few low ids
    // Edges mostly lead to slightly higher ids, so paths are long; ids below kHubs are sources now
    // and then.
    kChains,
  };
  enum class Weights : std::uint8_t {
    kOnes,
    kIntegers,  // a few are so large that sums leave 64 bits
    kMixed,     // a third are not integers
  };
  static constexpr VertexId kHubs = 50;
  static constexpr VertexId kIds = 4'000;  // a window names about half of them

  SlidingView(const StoreSpec& spec, std::uint64_t seed, std::size_t slices, std::size_t slice_size,
              Shape shape = Shape::kHubs, Weights weights = Weights::kOnes)
      : spec_(spec),
        shape_(shape),
        weights_(weights),
        random_(seed),
        slice_size_(slice_size),
        step_(kIds / 2 / slices),
        store_(MakeSliceStore(spec)),
        window_(store_->Open(0)) {
    for (std::size_t i = 0; i < slices; ++i) Enter();
    Publish();
  }

  const View& Advance(std::size_t slices = 1) {
    for (; slices > 0; --slices) {
      Enter();
      window_->AgeOutOldest();
    }
    return Publish();
  }
  const View& view() const { return view_; }

 private:
  using Pair = std::pair<VertexId, VertexId>;

  VertexId Near(std::uint64_t spread) {
    const std::uint64_t near = random_() % spread * (random_() % spread) / spread;
    return static_cast<VertexId>((number_ * step_ + near) % kIds);
  }
  VertexId Any() {
    return random_() % 4 == 0 ? static_cast<VertexId>(random_() % kHubs) : Near(1'000);
  }
  Pair AnyEdge() {
    if (shape_ == Shape::kHubs) {
      const VertexId source = Any();
      return {source, random_() % 3 == 0 ? 7 : Any()};
    }
    const VertexId from = Near(1'000);
    if (random_() % 300 == 0) return {static_cast<VertexId>(random_() % kHubs), from};
    return {from, static_cast<VertexId>((from + 10 - random_() % 13) % kIds)};
  }

  Weight AnyWeight() {
    if (weights_ == Weights::kOnes) return Weight::Integer(1);
    const std::uint64_t drawn = random_();
    if (weights_ == Weights::kMixed && drawn % 3 == 0) {
      return Weight::Real(1e-3 * static_cast<double>(drawn % 100'000));
    }
    const auto weight = static_cast<std::int64_t>(drawn);
    return Weight::Integer(drawn % 50 == 0 ? weight : weight % 1'000);
  }

  void Enter() {
    SliceOperations operations;
    for (std::size_t i = 0; i < slice_size_; ++i) {
      const auto [source, target] = AnyEdge();
      const bool removes = spec_.removals && random_() % 10 == 0;
      operations.push_back(removes ? Remove(source, target) : Add(source, target, AnyWeight()));
    }
    if (spec_.removals && random_() % 3 == 0) operations.push_back(RemoveVertex(Near(1'000)));
    store_->Add(MakeSlice(number_++, operations));
  }
  const View& Publish() { return view_ = std::get<View>(window_->Publish(kIds).view); }

  const StoreSpec spec_;
  const Shape shape_;
  const Weights weights_;
  std::mt19937_64 random_;
  const std::size_t slice_size_;
  const std::uint64_t step_;  // ids per slice
  const std::shared_ptr<SliceStore> store_;
  const std::unique_ptr<WindowStore> window_;
  std::uint64_t number_ = 0;
  View view_;
};

}  // namespace sash::testing
