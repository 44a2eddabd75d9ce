#include "daemon/http/neighbourhood.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <unordered_set>
#include <utility>

#include "daemon/http/view_vertex.h"
#include "windows/base/has_edge.h"
#include "windows/base/keyed_hash.h"
#include "windows/base/radix_sort.h"
#include "windows/store/neighbor.h"

namespace sash {
namespace {

// An edge of a requested vertex, with only the fields that the choice of neighbours needs.
struct ReadEdge {
  VertexId other = 0;
  std::uint16_t list = 0;   // 2 * index of the requested vertex, + 1 for its in-list
  std::uint16_t place = 0;  // in the order of reading
};
static_assert(Neighbourhood::kMostRead <= std::numeric_limits<std::uint16_t>::max());
using ReadEdges = std::span<const ReadEdge>;

// Removes and returns the leading run of edges with equal `same`.
ReadEdges TakeRun(ReadEdges& edges, const auto& same) {
  const auto end = std::ranges::find_if(
      edges, [&](const ReadEdge& edge) { return same(edge) != same(edges.front()); });
  const auto size = static_cast<std::size_t>(end - edges.begin());
  const ReadEdges run = edges.first(size);
  edges = edges.subspan(size);
  return run;
}
constexpr auto kOther = [](const ReadEdge& edge) { return edge.other; };
constexpr auto kList = [](const ReadEdge& edge) { return edge.list; };
constexpr auto kAsked = [](const ReadEdge& edge) { return edge.list / 2; };

// A neighbour of a requested vertex.
struct Candidate {
  VertexId vertex = 0;
  std::uint32_t links = 0;  // pairs with requested vertices
  std::size_t copies = 0;   // edges with this requested vertex
};

// The best candidates of one vertex, in order.
class Foremost {
 public:
  Foremost(std::size_t most, const VertexDictionary& keys) : most_(most), keys_(&keys) {}

  void Offer(const Candidate& candidate) {
    const auto before = [this](const Candidate& a, const Candidate& b) { return IsBefore(a, b); };
    if (held_.size() == most_) {
      if (held_.empty() || !before(candidate, held_.back())) return;
      held_.pop_back();
    }
    held_.insert(std::ranges::upper_bound(held_, candidate, before), candidate);
  }

  const std::vector<Candidate>& held() const { return held_; }

 private:
  bool IsBefore(const Candidate& a, const Candidate& b) const {
    if (a.links != b.links) return a.links > b.links;
    if (a.copies != b.copies) return a.copies > b.copies;
    return keys_->KeyLess(a.vertex, b.vertex);
  }

  std::size_t most_;
  const VertexDictionary* keys_;
  std::vector<Candidate> held_;
};

// Few of the edges that are read get into the picture. So they are read as small records and sorted
// by their other end; a second pass over the lists adds their weights and types.
class Picture {
 public:
  explicit Picture(const VertexDictionary& keys) : keys_(keys) {}

  Neighbourhood Make(const auto& graph, std::span<const VertexId> around, std::size_t neighbours) {
    for (const VertexId vertex : around) {
      if (HasEdge(graph, vertex)) Place(vertex);
    }
    asked_ = order_.size();
    Read(graph);
    PlaceBest(neighbours);
    Neighbourhood picture;
    picture.asked = asked_;
    picture.whole = whole_;
    for (const VertexId vertex : order_) {
      picture.vertices.push_back({vertex, graph.out_degree(vertex), graph.in_degree(vertex)});
    }
    picture.edges = Edges(graph);
    return picture;
  }

 private:
  struct Line {
    Neighbourhood::Edge edge;
    std::uint64_t order = 0;  // by the positions of its ends
    WeightSum weight{};
  };

  void Place(VertexId vertex) {
    if (placed_.insert(vertex).second) order_.push_back(vertex);
  }

  // The most edges to read from one list, so that all lists together stay within kMostRead. Longer
  // lists get what short lists leave of their share.
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

  void Read(const auto& graph) {
    most_ = LongestRead(graph);
    edges_.reserve(Neighbourhood::kMostRead);
    for (std::size_t i = 0; i < asked_; ++i) {
      ReadList(graph.out(order_[i]), 2 * i);
      ReadList(graph.in(order_[i]), 2 * i + 1);
    }
    // The sort is stable: edges with the same vertex stay in reading order, by list.
    RadixSort(edges_, kOther);
  }

  void ReadList(const auto& list, std::size_t number) {
    std::size_t read = 0;
    for (const VertexId other : list) {
      if (read++ == most_) {
        whole_ = false;
        return;
      }
      edges_.push_back(
          {other, static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(edges_.size())});
    }
  }

  // Calls visit(edges of the vertex) for each vertex that was read, except the requested ones.
  void ForEachNeighbour(const auto& visit) const {
    std::vector<VertexId> asked = order_;
    asked.resize(asked_);
    std::ranges::sort(asked);
    auto next = asked.begin();
    for (ReadEdges left = edges_; !left.empty();) {
      const ReadEdges edges = TakeRun(left, kOther);
      next = std::lower_bound(next, asked.end(), edges.front().other);
      if (next == asked.end() || *next != edges.front().other) visit(edges);
    }
  }

  void PlaceBest(std::size_t count) {
    std::vector<Foremost> best(asked_, Foremost(count, keys_));
    ForEachNeighbour([&](const ReadEdges edges) {
      std::uint32_t links = 0;
      for (ReadEdges left = edges; !left.empty(); ++links) TakeRun(left, kList);
      for (ReadEdges left = edges; !left.empty();) {
        const ReadEdges with = TakeRun(left, kAsked);
        best[kAsked(with.front())].Offer({with.front().other, links, with.size()});
      }
    });
    for (const Foremost& of : best) {
      for (const Candidate& candidate : of.held()) Place(candidate.vertex);
    }
  }

  std::vector<Neighbourhood::Edge> Edges(const auto& graph) const {
    std::vector<Line> lines;
    std::vector<std::uint32_t> line_of(edges_.size());  // by reading order; from 1, 0: none
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto found = std::ranges::equal_range(edges_, order_[i], {}, kOther);
      for (ReadEdges left(found.begin(), found.end()); !left.empty();) {
        const ReadEdges copies = TakeRun(left, kList);
        const bool is_in = copies.front().list % 2 == 1;
        if (is_in && i < asked_) continue;  // also in an out-list
        std::size_t source = kAsked(copies.front());
        std::size_t target = i;
        if (is_in) std::swap(source, target);
        lines.push_back({.edge = {order_[source], order_[target], copies.size()},
                         .order = std::uint64_t{source} << 32 | target});
        for (const ReadEdge& copy : copies) {
          line_of[copy.place] = static_cast<std::uint32_t>(lines.size());
        }
      }
    }
    AddValues(graph, line_of, lines);
    std::ranges::sort(lines, {}, &Line::order);
    std::vector<Neighbourhood::Edge> edges;
    for (Line& line : lines) {
      line.edge.weight = line.weight.Total();
      edges.push_back(std::move(line.edge));
    }
    return edges;
  }

  void AddValues(const auto& graph, std::span<const std::uint32_t> line_of,
                 std::vector<Line>& lines) const {
    std::size_t place = 0;
    const auto add = [&](const auto& list) {
      std::size_t read = 0;
      for (auto edge = list.begin(); edge != list.end() && read < most_; ++edge, ++read) {
        const std::uint32_t line = line_of[place++];
        if (line != 0) AddCopy(*edge, lines[line - 1]);
      }
    };
    for (std::size_t i = 0; i < asked_; ++i) {
      add(graph.weighted_out(order_[i]));
      add(graph.weighted_in(order_[i]));
    }
  }

  static void AddCopy(const Neighbor& copy, Line& line) {
    line.weight.Add(copy.weight);
    std::vector<TypeNumber>& types = line.edge.types;
    if (copy.type != kNoType && std::ranges::find(types, copy.type) == types.end()) {
      types.push_back(copy.type);
    }
  }

  const VertexDictionary& keys_;
  std::vector<VertexId> order_;  // requested vertices, then their neighbours
  std::unordered_set<VertexId, KeyedHash> placed_;
  std::size_t asked_ = 0;
  std::size_t most_ = 0;         // edges to read from a list
  std::vector<ReadEdge> edges_;  // by other end, then list
  bool whole_ = true;
};

}  // namespace

Neighbourhood Neighbourhood::Of(const WindowView& view, std::span<const VertexId> around,
                                std::size_t neighbours, const VertexDictionary& keys) {
  return VisitView(
      view, [&](const auto& graph) { return Picture(keys).Make(graph, around, neighbours); });
}

}  // namespace sash
