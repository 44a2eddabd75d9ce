// Random store scripts, by seed. Most are small; some have lists of thousands of edges, large gaps
// between ids, silences, or a long window.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/store_script.h"

namespace sash::testing {

class StoreScriptWriter {
 public:
  StoreScriptWriter(std::uint64_t seed, bool removals) : random_(seed), removals_(removals) {
    script_.seed = seed;
  }

  StoreScript Write();

 private:
  enum class Size { kSmall, kMedium, kLongLists };
  enum class Weights { kOnes, kSmall, kNearTheLimits, kReals, kMixed };

  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }
  bool Percent(std::uint64_t percent) { return Below(100) < percent; }

  void GiveTypes(std::uint64_t most);
  void ChooseShape();
  void ChooseVertices();
  void WriteWindows();
  void WritePane();
  std::size_t SliceSize();
  StoreOperation NextOperation();
  StoreOperation NextRemoval();
  StoreOperation NextAdd();
  StoreOperation LongListAdd();
  VertexId Vertex();
  Weight NextWeight();

  std::mt19937_64 random_;
  const bool removals_;
  StoreScript script_;

  Size size_ = Size::kSmall;
  std::size_t panes_ = 0;
  std::size_t slice_limit_ = 0;  // maximal number of operations in a slice
  std::vector<VertexId> vertices_;
  VertexId hub_ = 0;              // of long lists
  std::uint64_t hub_side_ = 0;    // which of its lists is long: 0 out, 1 in, 2 both
  std::uint64_t phase_left_ = 0;  // panes until long lists change between growing and shrinking
  bool grows_ = false;
  std::uint64_t duplicates_ = 0;  // percent
  std::uint64_t removed_ = 0;     // current percentage of removals
  Weights weights_ = Weights::kOnes;
  std::vector<StoreOperation> recent_;  // adds that may be repeated
};

}  // namespace sash::testing
