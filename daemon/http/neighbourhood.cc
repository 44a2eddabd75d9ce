#include "daemon/http/neighbourhood.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <utility>

namespace sash {
namespace {

std::uint64_t PairOf(VertexId source, VertexId target) {
  return std::uint64_t{source} << 32 | target;
}
VertexId SourceOf(std::uint64_t pair) { return static_cast<VertexId>(pair >> 32); }
VertexId TargetOf(std::uint64_t pair) { return static_cast<VertexId>(pair); }

class Picture {
 public:
  explicit Picture(const VertexDictionary& keys) : keys_(keys) {}

  Neighbourhood Make(const auto& graph, std::span<const VertexId> around, std::size_t neighbours) {
    for (const VertexId vertex : around) {
      if (vertex < graph.id_limit() && graph.out_degree(vertex) + graph.in_degree(vertex) > 0) {
        Place(vertex);
      }
    }
    asked_ = order_.size();
    const std::size_t most = LongestRead(graph);
    bundles_.reserve(Neighbourhood::kMostRead);
    links_.reserve(Neighbourhood::kMostRead);
    for (std::size_t i = 0; i < asked_; ++i) Read(graph, order_[i], most);
    for (std::size_t i = 0; i < asked_; ++i) PlaceBest(order_[i], neighbours);
    Neighbourhood picture;
    picture.asked = asked_;
    picture.whole = whole_;
    for (const VertexId vertex : order_) {
      picture.vertices.push_back({vertex, graph.out_degree(vertex), graph.in_degree(vertex)});
    }
    picture.edges = Edges();
    return picture;
  }

 private:
  struct Bundle {
    std::uint64_t copies = 0;
    WeightSum weight;
  };

  void Place(VertexId vertex) {
    if (places_.emplace(vertex, order_.size()).second) order_.push_back(vertex);
  }
  // asked_ holds from the moment that those asked for are placed.
  bool IsAsked(VertexId vertex) const {
    const auto place = places_.find(vertex);
    return place != places_.end() && place->second < asked_;
  }

  void Note(VertexId source, VertexId target, VertexId other, Weight weight) {
    Bundle& bundle = bundles_[PairOf(source, target)];
    if (bundle.copies++ == 0 && !IsAsked(other)) ++links_[other];
    bundle.weight.Add(weight);
  }

  // How much of a list is read at most, so that all together stay within their bound: what short ones
  // leave of their share is for the longer ones.
  std::size_t LongestRead(const auto& graph) const {
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < asked_; ++i) {
      lengths.push_back(graph.out_degree(order_[i]));
      lengths.push_back(graph.in_degree(order_[i]));
    }
    std::ranges::sort(lengths);
    std::size_t left = Neighbourhood::kMostRead;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const std::size_t share = left / (lengths.size() - i);
      if (lengths[i] > share) return share;
      left -= lengths[i];
    }
    return Neighbourhood::kMostRead;
  }

  // visit(neighbour) for the list, as far as it is read.
  void Each(const auto& list, std::size_t most, const auto& visit) {
    std::size_t read = 0;
    for (const Neighbor& neighbour : list) {
      if (read++ == most) {
        whole_ = false;
        return;
      }
      visit(neighbour);
    }
  }

  void Read(const auto& graph, VertexId vertex, std::size_t most) {
    Each(graph.weighted_out(vertex), most, [&](const Neighbor& target) {
      Note(vertex, target.vertex, target.vertex, target.weight);
      around_[vertex].push_back(target.vertex);
    });
    Each(graph.weighted_in(vertex), most, [&](const Neighbor& source) {
      if (IsAsked(source.vertex)) return;  // read there
      Note(source.vertex, vertex, source.vertex, source.weight);
      around_[vertex].push_back(source.vertex);
    });
  }

  std::uint64_t CopiesBetween(VertexId a, VertexId b) const {
    std::uint64_t copies = 0;
    for (const std::uint64_t pair : {PairOf(a, b), PairOf(b, a)}) {
      const auto found = bundles_.find(pair);
      if (found != bundles_.end()) copies += found->second.copies;
    }
    return copies;
  }

  void PlaceBest(VertexId vertex, std::size_t count) {
    struct Candidate {
      VertexId vertex;
      std::uint32_t links;
      std::uint64_t copies;
    };
    std::vector<VertexId>& others = around_[vertex];
    std::ranges::sort(others);
    const auto repeated = std::ranges::unique(others);
    others.erase(repeated.begin(), repeated.end());
    std::erase_if(others, [&](VertexId other) { return IsAsked(other); });
    std::vector<Candidate> candidates;
    for (const VertexId other : others) {
      candidates.push_back({other, links_.at(other), CopiesBetween(vertex, other)});
    }
    const auto end =
        candidates.begin() + static_cast<std::ptrdiff_t>(std::min(count, candidates.size()));
    std::ranges::partial_sort(candidates, end, [&](const Candidate& a, const Candidate& b) {
      if (a.links != b.links) return a.links > b.links;
      if (a.copies != b.copies) return a.copies > b.copies;
      return keys_.KeyLess(a.vertex, b.vertex);
    });
    for (auto each = candidates.begin(); each != end; ++each) Place(each->vertex);
  }

  std::vector<Neighbourhood::Edge> Edges() const {
    std::vector<Neighbourhood::Edge> edges;
    for (const auto& [pair, bundle] : bundles_) {
      const VertexId source = SourceOf(pair);
      const VertexId target = TargetOf(pair);
      if (!places_.contains(source) || !places_.contains(target)) continue;
      edges.push_back({source, target, bundle.copies, bundle.weight.Total()});
    }
    std::ranges::sort(edges, {}, [&](const Neighbourhood::Edge& edge) {
      return std::pair(places_.at(edge.source), places_.at(edge.target));
    });
    return edges;
  }

  const VertexDictionary& keys_;
  std::vector<VertexId> order_;
  std::unordered_map<VertexId, std::size_t> places_;  // in order_
  std::size_t asked_ = 0;
  std::unordered_map<std::uint64_t, Bundle> bundles_;           // by pair
  std::unordered_map<VertexId, std::uint32_t> links_;           // pairs with those asked for
  std::unordered_map<VertexId, std::vector<VertexId>> around_;  // of those asked for
  bool whole_ = true;
};

}  // namespace

Neighbourhood Neighbourhood::Of(const WindowView& view, std::span<const VertexId> around,
                                std::size_t neighbours, const VertexDictionary& keys) {
  return VisitView(
      view, [&](const auto& graph) { return Picture(keys).Make(graph, around, neighbours); });
}

}  // namespace sash
