// MultiversionedStore: windows for which the cost of an advance depends on the edges that entered
// and left, not on the length of the window (SLOTH, thesis §7.2.1). It supports every policy and
// operation.
//
// All windows share one pair of adjacency lists, and in `weigh` one log of the weights of absorbed
// copies. Each window has its own degrees. A degree says how many live edges of a list, counted
// from the newest, belong to the window.
//
// Thread safety: belongs to the engine thread; views, to any thread.
//
// Invariants
//   (1) In drop and weigh at most one copy of a pair (by type: of a pair and type) is alive, the
//       newest.
//   (2) A window's degree of a vertex is the number of live edges of the slices that it holds.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "windows/store/chain_log.h"
#include "windows/store/degree_table.h"
#include "windows/store/folded_slice.h"
#include "windows/store/second_thread.h"
#include "windows/store/store_edges.h"
#include "windows/store/window_store.h"

namespace sash {

// From this number of edges, or of touched vertices, on, both directions are changed at the same
// time.
inline constexpr std::size_t kWorthTwoThreads = 4096;

class MultiversionedStore final : public SliceStore,
                                  public std::enable_shared_from_this<MultiversionedStore> {
 public:
  explicit MultiversionedStore(const StoreSpec& spec, const ListSizes& sizes = {});

  void Add(std::shared_ptr<const Slice> slice) override;
  void AddAll(Slices slices) override;
  std::unique_ptr<WindowStore> Open(std::size_t slices) override;
  std::size_t retained() const override { return edges_.records().size(); }
  bool CanCopyFor(const StoreSpec& spec) const override;
  void CopyPassing(const NumberedTypeFilters& filters,
                   const std::vector<std::shared_ptr<Slice>>& parts) override;
  MemoryUse shared_memory() const override;
  MemoryUse CountMemory() const;  // the same, found by looking at everything
  std::size_t view_bytes() const override;

  // Slots copied so far in both directions: the cost of keeping lists together.
  std::uint64_t moved() const { return edges_.out().moved() + edges_.in().moved(); }

 private:
  friend class MultiversionedWindow;

  static constexpr SliceNumber kNone = 0xFFFF'FFFF;

  // A folded slice on its way into the lists.
  struct Entering {
    SliceNumber number = 0;
    FoldedSlice folded;
    std::vector<CopyNumber> links;      // by pair; empty: all links are 0
    std::vector<SliceNumber> replaced;  // by pair: the birth of the older copy that died, or kNone;
                                        // empty: no copy died
    SliceNumber replaced_birth(std::size_t pair) const {
      return replaced.empty() ? kNone : replaced[pair];
    }
  };

  // The parts of the store and of its windows that belong to one direction.
  struct Direction {
    AdjacencyLists& lists;
    DegreeTable::Direction DegreeTable::*degrees;
    TouchedVertices SliceRecord::*touched;
    void (MultiversionedWindow::*entered)(VertexId, std::uint32_t);
  };
  struct Outgoing;  // the edges of a slice, in the order of out-lists
  struct Incoming;  // and of in-lists

  Direction out_direction();
  Direction in_direction();

  SliceNumber oldest() const { return edges_.records().oldest(); }
  void AddTogether(Slices slices);
  void AddBoth(Slices slices);
  void AddInTurn(Slices slices);
  template <typename Edges>
  void Enter(const Direction& direction, std::vector<Entering>& entering);
  template <typename Edges>
  void EnterUnsearched(const Direction& direction, Edges arriving);
  template <typename Edges>
  std::size_t EnterPage(const Direction& direction, const Edges& edges, std::size_t begin,
                        bool fetches);
  void Replace(Entering& entering, std::size_t pair);
  void ReleaseUnheld();
  SlotContent Content(const Entering& entering, std::size_t pair, VertexId neighbour) const;
  void PrefetchPage(const Direction& direction, VertexId vertex) const;
  void Prefetch(const Direction& direction, VertexId vertex, VertexId neighbour) const;

  const StoreSpec spec_;
  const std::shared_ptr<AliveBytes> alive_bytes_ = std::make_shared<AliveBytes>(0);
  StoreEdges edges_;
  ChainLog chains_;             // weigh
  SecondThread second_thread_;  // changes the in-lists beside the out-lists
};

}  // namespace sash
