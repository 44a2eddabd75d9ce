// The payments of the last two panes as a graph: the PageRank of each account, and the total that
// it paid to each other account.
#include <cstdint>
#include <iostream>
#include <memory>
#include <vector>

#include "windows/kernels/pagerank.h"
#include "windows/store/window_store.h"

namespace {

struct Payment {
  sash::VertexId from, to;
  std::int64_t amount;
};

// The payments of a pane, frozen.
std::shared_ptr<const sash::Slice> Freeze(std::uint64_t pane,
                                          const std::vector<Payment>& payments) {
  auto slice = std::make_shared<sash::Slice>();
  slice->id = sash::SliceId{pane};
  slice->weights = {payments.size(), sash::WeightColumn::Kind::kIntegers};
  for (std::size_t i = 0; i < payments.size(); ++i) {
    slice->sources.push_back(payments[i].from);
    slice->targets.push_back(payments[i].to);
    slice->weights.Set(i, sash::Weight::Integer(payments[i].amount));
  }
  return slice;
}

}  // namespace

int main() {
  const std::vector<std::vector<Payment>> panes = {
      {{0, 1, 5}, {1, 2, 7}, {0, 1, 3}}, {{3, 1, 4}}, {{0, 1, 1}, {2, 3, 6}}, {{3, 0, 2}}};
  const auto slices =
      sash::MakeSliceStore({.duplicates = sash::DuplicatesPolicy::kWeigh, .removals = false});
  const auto window = slices->Open(0);
  for (std::size_t pane = 0; pane < panes.size(); ++pane) {
    slices->Add(Freeze(pane, panes[pane]));
    if (pane >= 2) window->AgeOutOldest();
    const sash::PublishedView now = window->Publish(/*id_limit=*/4);  // may go to another thread
    std::cout << "pane " << pane << ": " << now.edges << " edges\n";
    sash::VisitView(now.view, [](const auto& graph) {
      const std::vector<double> ranks = sash::PageRank(graph).ranks;
      for (const sash::VertexId v : graph.vertices()) {
        std::cout << "  " << v << ": rank " << static_cast<int>(ranks[v] * 100 + 0.5) << " %";
        for (const sash::Neighbor& to : graph.weighted_out(v)) {
          std::cout << ", " << to.weight.integer() << " to " << to.vertex;
        }
        std::cout << '\n';
      }
    });
  }
}
