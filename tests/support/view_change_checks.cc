// The changes that two views of a window report, compared with their lists.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/view_checks.h"

namespace sash::testing {
namespace {

// The sorted in-list of each vertex.
std::map<VertexId, std::vector<VertexId>> InLists(const MultiversionedView& graph) {
  std::map<VertexId, std::vector<VertexId>> lists;
  for (const VertexId v : graph.vertices()) {
    for (const VertexId u : graph.in(v)) lists[v].push_back(u);
    if (const auto list = lists.find(v); list != lists.end()) std::ranges::sort(list->second);
  }
  return lists;
}

// The list without `left` and with `came`; nothing when it does not contain all of `left`.
std::optional<std::vector<VertexId>> Changed(const std::vector<VertexId>& list,
                                             std::span<const VertexId> came,
                                             std::span<const VertexId> left) {
  std::vector<VertexId> gone(left.begin(), left.end());
  std::ranges::sort(gone);
  if (!std::ranges::includes(list, gone)) return std::nullopt;
  std::vector<VertexId> changed;
  std::ranges::set_difference(list, gone, std::back_inserter(changed));
  changed.insert(changed.end(), came.begin(), came.end());
  std::ranges::sort(changed);
  return changed;
}

std::string WrongDegreeChanges(const MultiversionedView& before, const MultiversionedView& after) {
  using Change = std::tuple<VertexId, bool, bool, std::uint32_t>;
  const auto degrees = [](const MultiversionedView& view, VertexId v) {
    if (v >= view.id_limit()) return std::pair(std::uint32_t{0}, false);
    return std::pair(view.out_degree(v), view.out_degree(v) + view.in_degree(v) > 0);
  };
  const VertexId limit = std::max(before.id_limit(), after.id_limit());
  std::vector<Change> expected;
  for (VertexId v = 0; v < limit; ++v) {
    const auto [old_out, was] = degrees(before, v);
    const auto [new_out, is] = degrees(after, v);
    if (old_out != new_out || was != is) expected.emplace_back(v, was, is, new_out);
  }
  std::vector<Change> visited;
  const auto visit = [&](VertexId v, bool was, bool is, std::uint32_t out_degree) {
    visited.emplace_back(v, was, is, out_degree);
  };
  after.ForEachDegreeChange(before, 0, limit / 3, visit);
  after.ForEachDegreeChange(before, limit / 3, limit, visit);
  return visited == expected ? "" : "the degrees that changed";
}

// By how much the weights of a list have grown.
struct Growth {
  WideInteger sum = 0;  // if all of them are integers
  bool is_integer = true;
  bool is_small = true;  // no sum of these weights is beyond 64 bits

  template <typename Range>
  void Add(const Range& list, int sign) {
    for (const auto& neighbor : list) {
      is_integer = is_integer && neighbor.weight.is_integer();
      if (!is_integer) return;
      const std::int64_t weight = neighbor.weight.integer();
      is_small = is_small && weight > -kLarge && weight < kLarge;
      sum += sign * WideInteger{weight};
    }
  }

 private:
  static constexpr std::int64_t kLarge = std::int64_t{1} << 40;
};

// The counts of the slices for one direction, compared with the lists. degree(view, v) and
// list(view, v) are those of the direction.
template <typename Counted, typename Degree, typename List>
std::string WrongCounts(const std::optional<Counted>& counted, const MultiversionedView& before,
                        const MultiversionedView& after, const Degree& degree, const List& list) {
  if (!counted) return "";
  const VertexId limit = std::max(before.id_limit(), after.id_limit());
  std::vector<std::int64_t> counts(limit);
  std::vector<std::optional<WideInteger>> sums(limit, WideInteger{0});
  counted->ForEachArrival([&](VertexId v, std::uint32_t edges) { counts.at(v) += edges; });
  counted->ForEachDeparture([&](VertexId v, std::uint32_t edges) { counts.at(v) -= edges; });
  counted->ForEachSum([&](VertexId v, std::optional<std::int64_t> sum, bool comes) {
    auto& total = sums.at(v);
    if (!sum) total.reset();
    if (total) *total += comes ? WideInteger{*sum} : -WideInteger{*sum};
  });
  for (VertexId v = 0; v < limit; ++v) {
    const std::string of_vertex = " of vertex " + std::to_string(v);
    if (counts[v] != std::int64_t{degree(after, v)} - std::int64_t{degree(before, v)}) {
      return "what the slices tell of the degree" + of_vertex;
    }
    Growth growth;
    growth.Add(list(after, v), 1);
    const bool is_integer_after = growth.is_integer;
    Growth earlier;
    earlier.Add(list(before, v), 1);
    // An edge whose weight is not an integer has come, or the last one has left.
    if (is_integer_after != earlier.is_integer && sums[v]) {
      return "a sum of weights that are not integers" + of_vertex;
    }
    growth.Add(list(before, v), -1);
    // A list with a weight that is not an integer may have changed by integers alone.
    if (!growth.is_integer) continue;
    const bool is_right = sums[v] ? sums[v] == growth.sum : !growth.is_small;
    if (!is_right) return "what the slices tell of the weights" + of_vertex;
  }
  return "";
}

std::string WrongCounts(const MultiversionedView& before, const MultiversionedView& after) {
  using View = MultiversionedView;
  std::string wrong = WrongCounts(
      after.CountOutChanges(before), before, after,
      [](const View& view, VertexId v) { return view.out_degree(v); },
      [](const View& view, VertexId v) { return view.weighted_out(v); });
  if (!wrong.empty()) return "out: " + wrong;
  wrong = WrongCounts(
      after.CountInChanges(before), before, after,
      [](const View& view, VertexId v) { return view.in_degree(v); },
      [](const View& view, VertexId v) { return view.weighted_in(v); });
  return wrong.empty() ? "" : "in: " + wrong;
}

std::string WrongChanges(const MultiversionedView& before, const MultiversionedView& after) {
  std::map<VertexId, std::vector<VertexId>> lists = InLists(before);
  const VertexId limit = std::max(before.id_limit(), after.id_limit());
  std::string wrong;
  VertexId least = 0;
  const auto visit = [&](VertexId v, std::span<const VertexId> came,
                         std::span<const VertexId> left) {
    const std::string of_vertex = " of vertex " + std::to_string(v);
    if (v < least || v >= limit) wrong = "changes do not ascend below the limit";
    least = v + 1;
    for (const VertexId u : came) {
      if (std::ranges::count(left, u) > 0) wrong = "a neighbour that came and left" + of_vertex;
    }
    std::optional<std::vector<VertexId>> changed = Changed(lists[v], came, left);
    if (!changed) wrong = "an edge left that was not there" + of_vertex;
    lists[v] = std::move(changed).value_or(std::vector<VertexId>());
    if (lists[v].empty()) lists.erase(v);
  };
  const auto changes = after.ChangesSince(before);
  changes.ForEachIn(0, limit / 3, visit);
  changes.ForEachIn(limit / 3, limit, visit);
  if (wrong.empty() && lists != InLists(after))
    wrong = "changes are not the difference of the views";
  if (wrong.empty()) wrong = WrongDegreeChanges(before, after);
  if (wrong.empty()) wrong = WrongCounts(before, after);
  return wrong;
}

}  // namespace

std::string WrongChanges(const WindowView& before, const WindowView& after) {
  using Versions = std::shared_ptr<const MultiversionedView>;
  const auto* const then = std::get_if<Versions>(&before);
  const auto* const now = std::get_if<Versions>(&after);
  return then != nullptr && now != nullptr ? WrongChanges(**then, **now) : "";
}

}  // namespace sash::testing
