// How edges of a multiversioned store die before they age out: removed, or replaced by a newer
// copy.
#include <algorithm>
#include <vector>

#include "windows/base/check.h"
#include "windows/store/multiversioned_store.h"
#include "windows/store/multiversioned_window.h"

namespace sash {
namespace {

// The neighbours of `edges`, each once.
std::vector<VertexId> DistinctNeighbours(const std::vector<SlotContent>& edges) {
  std::vector<VertexId> neighbours;
  for (const SlotContent& edge : edges) neighbours.push_back(edge.neighbour);
  std::ranges::sort(neighbours);
  const auto repeated = std::ranges::unique(neighbours);
  neighbours.erase(repeated.begin(), repeated.end());
  return neighbours;
}

}  // namespace

void MultiversionedStore::Remove(const FoldedSlice& folded) {
  SASH_CHECK(spec_.removals || (folded.removed_vertices.empty() && folded.removed_pairs.empty()));
  for (const VertexId vertex : folded.removed_vertices) RemoveVertex(vertex);
  for (const PairKey pair : folded.removed_pairs) {
    killed_.clear();
    out_.Kill(SourceOf(pair), TargetOf(pair), oldest(), newest_, killed_);
    KillInEdges(SourceOf(pair));
  }
}

void MultiversionedStore::RemoveVertex(VertexId vertex) {
  killed_.clear();
  out_.KillAll(vertex, newest_, killed_);
  std::ranges::stable_sort(killed_, {}, &SlotContent::neighbour);
  KillInEdges(vertex);
  std::vector<SlotContent> dead;
  in_.KillAll(vertex, newest_, dead);
  for (const SlotContent& edge : dead) {
    NoteOutDeath(edge.neighbour, edge.birth);
    NoteInDeath(vertex, edge.birth);
  }
  killed_.clear();
  for (const VertexId source : DistinctNeighbours(dead)) {
    out_.Kill(source, vertex, oldest(), newest_, killed_);
  }
  SASH_CHECK(killed_.size() == dead.size());
}

// What has died in the list of `source` (killed_) dies in the other direction too. Copies of an
// edge that were born together are together in killed_.
void MultiversionedStore::KillInEdges(VertexId source) {
  for (std::size_t begin = 0; begin < killed_.size();) {
    const BirthKey key{killed_[begin].birth, source};
    const VertexId target = killed_[begin].neighbour;
    std::size_t end = begin;
    for (; end < killed_.size() && killed_[end].neighbour == target &&
           killed_[end].birth == key.birth;
         ++end) {
      NoteOutDeath(source, key.birth);
      NoteInDeath(target, key.birth);
    }
    SASH_CHECK(in_.KillBorn(target, key, oldest(), newest_) == end - begin);
    begin = end;
  }
}

// An edge of `source`, and one of `target`, has died before it aged out: by a removal, or absorbed
// by a newer copy.
void MultiversionedStore::NoteOutDeath(VertexId source, SliceNumber birth) {
  records_use_.deletions += RecordOf(birth).out.NoteDeath(source);
  for (MultiversionedWindow* window : windows_) window->OutEdgeDied(source, birth);
}

void MultiversionedStore::NoteInDeath(VertexId target, SliceNumber birth) {
  records_use_.deletions += RecordOf(birth).in.NoteDeath(target);
  for (MultiversionedWindow* window : windows_) window->InEdgeDied(target, birth);
}

// Ends the older copy of a pair, if there is one; in `weigh` its contribution lives on.
void MultiversionedStore::Replace(Entering& entering, std::size_t pair) {
  const FoldedSlice& folded = entering.folded;
  const VertexId source = SourceOf(folded.pairs[pair]);
  const VertexId target = TargetOf(folded.pairs[pair]);
  killed_.clear();
  out_.Kill(source, target, oldest(), entering.number, killed_, true);
  const SlotContent* older = killed_.empty() ? nullptr : &killed_.front();
  if (older != nullptr) {
    if (entering.replaced.empty()) entering.replaced.resize(folded.pairs.size(), kNone);
    entering.replaced[pair] = older->birth;
    NoteOutDeath(source, older->birth);
  }
  if (spec_.duplicates != DuplicatesPolicy::kWeigh) return;
  const CopyNumber copy = chains_.Add(older, folded.exact_sum(pair), entering.number);
  if (copy == 0) return;
  if (entering.links.empty()) entering.links.resize(folded.pairs.size());
  entering.links[pair] = copy;
}

}  // namespace sash
