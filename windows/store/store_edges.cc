#include "windows/store/store_edges.h"

#include <algorithm>

#include "windows/base/check.h"
#include "windows/base/sort_distinct.h"
#include "windows/store/multiversioned_window.h"

namespace sash {
namespace {

// The neighbours of `edges`, each once.
std::vector<VertexId> DistinctNeighbours(const std::vector<SlotContent>& edges) {
  std::vector<VertexId> neighbours;
  for (const SlotContent& edge : edges) neighbours.push_back(edge.neighbour);
  SortDistinct(neighbours);
  return neighbours;
}

// An edge that dies is searched in the out-lists. Its birth is then known for the in-lists.
ListPolicy ListsFor(const StoreSpec& spec, const ListSizes& sizes, bool searched) {
  const bool keep = spec.duplicates == DuplicatesPolicy::kKeep;
  const bool weigh = spec.duplicates == DuplicatesPolicy::kWeigh;
  const bool mortal = !keep || spec.removals;
  return {.mortal = mortal,
          .searched = mortal && searched,
          .parallel = keep,
          .by_type = !keep && spec.identity == EdgeIdentity::kPairAndType,
          .has_links = weigh || (keep && mortal && searched),
          .sizes = sizes,
          .slots = spec.slots};
}

}  // namespace

StoreEdges::StoreEdges(const StoreSpec& spec, const ListSizes& sizes,
                       const std::shared_ptr<AliveBytes>& alive)
    : spec_(spec),
      out_(ListsFor(spec, sizes, true), alive),
      in_(ListsFor(spec, sizes, false), alive) {}

void StoreEdges::AddSlice(const Slice& slice) {
  records_.Add(slice, counts_ends() && slice.weights.kind() != WeightColumn::Kind::kOnes);
  for (MultiversionedWindow* window : windows_) window->SliceAdded(records_.id_limit());
}

void StoreEdges::Remove(const FoldedSlice& folded) {
  SASH_CHECK(spec_.removals || (folded.removed_vertices.empty() && folded.removed_pairs.empty()));
  for (const VertexId vertex : folded.removed_vertices) RemoveVertex(vertex);
  for (std::size_t i = 0; i < folded.removed_pairs.size(); ++i) {
    const PairKey pair = folded.removed_pairs[i];
    const TypeNumber type = folded.removed_type(i);
    killed_.clear();
    out_.Kill(SourceOf(pair), TargetOf(pair), records_.oldest(), records_.newest(), killed_, false,
              type);
    KillInEdges(SourceOf(pair), type);
  }
}

void StoreEdges::RemoveVertex(VertexId vertex) {
  killed_.clear();
  out_.KillAll(vertex, records_.newest(), killed_);
  std::ranges::stable_sort(killed_, {}, &SlotContent::neighbour);
  KillInEdges(vertex, kAnyType);
  std::vector<SlotContent> dead;
  in_.KillAll(vertex, records_.newest(), dead);
  for (const SlotContent& edge : dead) {
    NoteOutDeath(edge.neighbour, edge.birth);
    NoteInDeath(vertex, edge.birth);
  }
  killed_.clear();
  for (const VertexId source : DistinctNeighbours(dead)) {
    out_.Kill(source, vertex, records_.oldest(), records_.newest(), killed_);
  }
  SASH_CHECK(killed_.size() == dead.size());
}

// The edges of this type that have died in the list of `source` (killed_) die in the other
// direction too. Copies of an edge that were born in one slice are adjacent in killed_.
void StoreEdges::KillInEdges(VertexId source, TypeNumber type) {
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
    SASH_CHECK(in_.KillBorn(target, key, records_.oldest(), records_.newest(), type) ==
               end - begin);
    begin = end;
  }
}

// An edge of `source`, or of `target`, has died before it aged out: by a removal, or because a
// newer copy replaced it.
void StoreEdges::NoteOutDeath(VertexId source, SliceNumber birth) {
  records_.NoteOutDeath(source, birth);
  for (MultiversionedWindow* window : windows_) window->OutEdgeDied(source, birth);
}

void StoreEdges::NoteInDeath(VertexId target, SliceNumber birth) {
  records_.NoteInDeath(target, birth);
  for (MultiversionedWindow* window : windows_) window->InEdgeDied(target, birth);
}

const SlotContent* StoreEdges::ReplaceOut(PairKey pair, TypeNumber type, SliceNumber death) {
  const VertexId source = SourceOf(pair);
  killed_.clear();
  out_.Kill(source, TargetOf(pair), records_.oldest(), death, killed_, true, OlderType(type));
  if (killed_.empty()) return nullptr;
  NoteOutDeath(source, killed_.front().birth);
  return &killed_.front();
}

void StoreEdges::ReplaceIn(VertexId target, BirthKey older, TypeNumber type, SliceNumber death) {
  SASH_CHECK(in_.KillBorn(target, older, records_.oldest(), death, OlderType(type)) == 1);
  NoteInDeath(target, older.birth);
}

}  // namespace sash
