#include "windows/kernels/following/flagged_triangles.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "windows/base/parallel.h"
#include "windows/base/radix_sort.h"
#include "windows/kernels/lent_scratch.h"
#include "windows/kernels/parts.h"

namespace sash {
namespace {

using Pair = PairLists::Pair;

// A flagged pair, seen from the end with more neighbours.
struct HubPair {
  VertexId hub = 0;
  VertexId other = 0;
};

std::uint64_t PairKey(VertexId a, VertexId b) {
  return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
}

// The neighbours of one hub, for a look-up of any vertex: two bits each.
class HubMarks {
 public:
  static constexpr std::uint64_t kNeighbour = 1;
  static constexpr std::uint64_t kFlagged = 3;

  explicit HubMarks(VertexId id_limit) : words_(id_limit / kInWord + 1) {}

  void Set(const PairLists::List& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const VertexId v = list.other(i);
      words_[v / kInWord] |= (list.is_flagged(i) ? kFlagged : kNeighbour) << v % kInWord * 2;
    }
  }
  void Clear(const PairLists::List& list) {
    for (const VertexId v : list.others()) words_[v / kInWord] = 0;
  }
  // 0: not a neighbour; kNeighbour or kFlagged: one.
  unsigned of(VertexId v) const { return words_[v / kInWord] >> v % kInWord * 2 & 3; }

 private:
  static constexpr VertexId kInWord = 32;

  std::vector<std::uint64_t> words_;
};

unsigned MarkBySearch(const PairLists::List& list, VertexId v) {
  const auto found = std::ranges::lower_bound(list.others(), v);
  if (found == list.others().end() || *found != v) return 0;
  const bool is_flagged = list.is_flagged(static_cast<std::size_t>(found - list.others().begin()));
  return is_flagged ? HubMarks::kFlagged : HubMarks::kNeighbour;
}

class FlaggedCount {
 public:
  FlaggedCount(const PairLists& pairs, std::int64_t gain, std::vector<std::uint64_t>& counts)
      : pairs_(pairs), gain_(static_cast<std::uint64_t>(gain)), counts_(counts) {}

  // The pairs are of one hub. mark_of(w): its mark of w, as HubMarks::of() returns it.
  template <typename MarkOf>
  std::uint64_t AddOf(std::span<const HubPair> of_hub, const MarkOf& mark_of) const {
    std::uint64_t found = 0;
    for (const HubPair& pair : of_hub) {
      const PairLists::List list = pairs_.list(pair.other);
      std::uint64_t here = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const VertexId w = list.other(i);
        if (const unsigned mark = mark_of(w)) {
          here += AddIfFirst(pair, w, list.is_flagged(i), mark == HubMarks::kFlagged);
        }
      }
      Add(pair.other, here);
      found += here;
    }
    Add(of_hub.front().hub, found);
    return found;
  }

 private:
  // The triangle of a pair and w, which is counted at its first flagged pair. Returns 1 if it is.
  std::uint64_t AddIfFirst(const HubPair& pair, VertexId w, bool with_other, bool with_hub) const {
    const std::uint64_t key = PairKey(pair.hub, pair.other);
    if (with_other && PairKey(pair.other, w) < key) return 0;
    if (with_hub && PairKey(pair.hub, w) < key) return 0;
    Add(w, 1);
    return 1;
  }

  void Add(VertexId v, std::uint64_t triangles) const {
    if (triangles == 0) return;
    std::atomic_ref(counts_[v]).fetch_add(gain_ * triangles, std::memory_order_relaxed);
  }

  const PairLists& pairs_;
  const std::uint64_t gain_;
  std::vector<std::uint64_t>& counts_;
};

std::vector<HubPair> ByHub(const PairLists& pairs, const std::vector<Pair>& flagged) {
  std::vector<HubPair> by_hub;
  by_hub.reserve(flagged.size());
  for (const Pair& pair : flagged) {
    const bool low = pairs.list(pair.low).size() > pairs.list(pair.high).size();
    by_hub.push_back(low ? HubPair{pair.low, pair.high} : HubPair{pair.high, pair.low});
  }
  RadixSort(by_hub, [](const HubPair& pair) { return pair.hub; });
  return by_hub;
}

// Ranges of pairs of the same hub; that of a large hub is cut, so that threads can share it.
std::vector<std::span<const HubPair>> Groups(std::span<const HubPair> by_hub) {
  constexpr std::size_t kMost = 1 << 10;
  std::vector<std::span<const HubPair>> groups;
  for (std::size_t i = 0; i < by_hub.size();) {
    const std::size_t first = i;
    while (i < by_hub.size() && i - first < kMost && by_hub[i].hub == by_hub[first].hub) ++i;
    groups.push_back(by_hub.subspan(first, i - first));
  }
  return groups;
}

}  // namespace

std::optional<std::uint64_t> AddFlaggedTriangles(const PairLists& pairs, std::vector<Pair> flagged,
                                                 std::int64_t gain, int threads,
                                                 const KernelProgress& progress,
                                                 std::vector<std::uint64_t>& counts) {
  constexpr std::size_t kBlock = 1 << 4;      // groups
  constexpr std::size_t kPart = 1 << 14;      // groups between two calls of `progress`
  constexpr std::size_t kStepsOfASearch = 8;  // to find a neighbour in a list
  const std::vector<HubPair> by_hub = ByHub(pairs, flagged);
  flagged = {};
  const std::vector<std::span<const HubPair>> groups = Groups(by_hub);
  const FlaggedCount count(pairs, gain, counts);
  LentScratch<HubMarks> scratch;
  const auto make = [&] { return std::make_unique<HubMarks>(pairs.id_limit()); };
  const auto add_group = [&](std::span<const HubPair> group, HubMarks& marks) {
    const PairLists::List list = pairs.list(group.front().hub);
    std::size_t to_read = 0;
    for (const HubPair& pair : group) to_read += pairs.list(pair.other).size();
    if (to_read * kStepsOfASearch < list.size()) {
      return count.AddOf(group, [&](VertexId w) { return MarkBySearch(list, w); });
    }
    marks.Set(list);
    const std::uint64_t found = count.AddOf(group, [&](VertexId w) { return marks.of(w); });
    marks.Clear(list);
    return found;
  };
  std::uint64_t triangles = 0;
  const auto sweep = [&](std::size_t first, std::size_t last) {
    triangles += ParallelSum<std::uint64_t>(
        last - first, kBlock, threads, [&](std::size_t begin, std::size_t end) {
          std::unique_ptr<HubMarks> marks = scratch.Borrow(make);
          std::uint64_t found = 0;
          for (std::size_t g = begin; g < end; ++g) found += add_group(groups[first + g], *marks);
          scratch.Return(std::move(marks));
          return found;
        });
  };
  if (!SweepParts(groups.size(), progress, sweep, kPart)) return std::nullopt;
  return triangles;
}

}  // namespace sash
