// MultiversionedStore: a window whose advance costs what entered and left it (SLOTH, thesis
// §7.2.1).
//
// Duplicates: keep. Deaths before ageing (drop, weigh, removals) need deletion vectors, which are
// not here yet; the configuration refuses them.
//
// Invariants
//   (1) Both directions hold the same slices.
//   (2) vertex_count_ counts the vertices whose out- or in-degree is not 0.
#pragma once

#include <cstdint>
#include <memory>

#include "windows/store/fragment_chain.h"
#include "windows/store/window_store.h"

namespace sash {

class MultiversionedStore final : public WindowStore {
 public:
  void Add(std::shared_ptr<const Slice> slice) override;
  void AgeOutOldest() override;
  PublishedView Publish(VertexId id_limit) override;
  std::size_t bytes() const override;

 private:
  FragmentChain out_;
  FragmentChain in_;
  std::uint64_t edge_count_ = 0;
  std::size_t vertex_count_ = 0;
};

}  // namespace sash
