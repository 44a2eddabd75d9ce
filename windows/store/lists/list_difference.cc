#include "windows/store/lists/list_difference.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace sash {
namespace {

// Ordered by block, then by slot: in one block, the oldest first.
bool Precedes(const EdgeRun& a, const EdgeRun& b) {
  return a.block != b.block ? std::less<>()(a.block, b.block) : a.begin < b.begin;
}

void ReadRuns(RunCursor cursor, std::vector<EdgeRun>& runs) {
  runs.clear();
  for (EdgeRun run; cursor.Next(run);) runs.push_back(run);
  if (runs.size() > 1) std::ranges::sort(runs, Precedes);
}

// Moves the slots before `end` from the front of the run.
void Take(EdgeRun& run, std::uint32_t end, std::vector<VertexId>& to) {
  const std::span<const VertexId> neighbours = run.neighbours().first(end - run.begin);
  to.insert(to.end(), neighbours.begin(), neighbours.end());
  run.begin = end;
}
void Take(EdgeRun& run, std::uint32_t end, std::vector<WeighedEdge>& to) {
  for (; run.begin < end; ++run.begin) {
    to.push_back({run.block->neighbour(run.begin), run.block->weight(run.begin)});
  }
}

}  // namespace

template <typename Edge>
void ListDifference<Edge>::Compare(RunCursor before, RunCursor after) {
  came_.clear();
  left_.clear();
  ReadRuns(before, before_);
  ReadRuns(after, after_);
  CompareSlots();
  CancelInOrder();
  CancelTheRest();
}

template <typename Edge>
void ListDifference<Edge>::TakeEnds(RunCursor before, std::uint32_t left, RunCursor after,
                                    std::uint32_t came) {
  came_.clear();
  left_.clear();
  for (EdgeRun run; came > 0 && after.Next(run); came -= run.end - run.begin) {
    if (run.end - run.begin > came) run.begin = run.end - came;
    EdgeRun taken = run;
    Take(taken, run.end, came_);
  }
  if (left == 0) return;
  before_.clear();
  for (EdgeRun run; before.Next(run);) before_.push_back(run);
  for (auto run = before_.rbegin(); left > 0; ++run) {
    const std::uint32_t end = std::min(run->end, run->begin + left);
    left -= end - run->begin;
    Take(*run, end, left_);
  }
  CancelTheRest();
}

template <typename Edge>
void ListDifference<Edge>::CompareSlots() {
  auto old = before_.begin();
  auto now = after_.begin();
  while (old != before_.end() && now != after_.end()) {
    if (old->begin == old->end) {
      ++old;
    } else if (now->begin == now->end) {
      ++now;
    } else if (old->block == now->block && old->begin == now->begin) {
      old->begin = now->begin = std::min(old->end, now->end);
    } else if (Precedes(*old, *now)) {
      const bool meets = old->block == now->block && now->begin < old->end;
      Take(*old, meets ? now->begin : old->end, left_);
    } else {
      const bool meets = old->block == now->block && old->begin < now->end;
      Take(*now, meets ? old->begin : now->end, came_);
    }
  }
  for (; old != before_.end(); ++old) Take(*old, old->end, left_);
  for (; now != after_.end(); ++now) Take(*now, now->end, came_);
}

// A list that was moved has mostly lost its first edges and has new edges at its end.
template <typename Edge>
void ListDifference<Edge>::CancelInOrder() {
  if (came_.empty() || left_.empty()) return;
  auto next = came_.begin();
  auto kept = left_.begin();
  for (const Edge& edge : left_) {
    if (next != came_.end() && *next == edge) {
      ++next;
    } else {
      *kept++ = edge;
    }
  }
  left_.erase(kept, left_.end());
  came_.erase(came_.begin(), next);
}

template <typename Edge>
void ListDifference<Edge>::CancelTheRest() {
  if (came_.empty() || left_.empty()) return;
  std::ranges::sort(came_);
  std::ranges::sort(left_);
  kept_.clear();
  std::ranges::set_difference(came_, left_, std::back_inserter(kept_));
  const bool all_came = kept_.size() == came_.size();
  if (all_came) return;
  std::vector<Edge> left;
  std::ranges::set_difference(left_, came_, std::back_inserter(left));
  came_.swap(kept_);
  left_.swap(left);
}

template class ListDifference<VertexId>;
template class ListDifference<WeighedEdge>;

}  // namespace sash
