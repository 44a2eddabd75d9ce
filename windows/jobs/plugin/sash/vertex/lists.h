// The lists along which a vertex program sends, copied once per run. Vertices are named by places
// below size(), in the order of their keys or of their ids.
//
// Thread safety: Read() is for the thread of the run; afterwards, any thread may read.
//
// Invariants
//   (1) With Follow::kBoth a list is a set: each neighbour once, without the vertex itself.
//       Otherwise it names a neighbour once for each parallel edge.
//   (2) With `by_key`, places and lists are in the order of keys, whatever the ids are. Parallel
//       edges are ordered by type, then weight.
#ifndef SASH_VERTEX_LISTS_H
#define SASH_VERTEX_LISTS_H

#include <sash/kernel.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sash::program {

// Along which edges messages go: to the targets, to the sources, or to all neighbours.
enum class Follow : std::uint8_t { kOut, kIn, kBoth };

struct Edge {
  double weight = 0;
  std::uint32_t type = 0;  // 0: none
};

// Vertices of a block of a loop.
inline constexpr std::size_t kBlock = 1024;

// Calls body(first, last) for the blocks of [0, count), as sash_run::parallel_for does.
template <typename Body>
void ForBlocks(const sash_run* run, std::size_t count, std::size_t block, Body& body) {
  const auto call = [](void* state, std::size_t first, std::size_t last) {
    (*static_cast<Body*>(state))(first, last);
  };
  run->parallel_for(run, count, block, call, &body);
}

class Lists {
 public:
  struct Wanted {
    Follow follow = Follow::kOut;
    bool pulled = false;  // the lists of a vertex's senders, not of its receivers
    bool with_edges = false;
    bool by_key = false;
  };

  // False: the run shall stop.
  bool Read(const sash_run* run, const Wanted& wanted) {
    wanted_ = wanted;
    const std::size_t count = run->vertex_count;
    ids_.assign(run->vertices, run->vertices + count);
    if (wanted.by_key) run->order_by_key(run, ids_.data());
    places_.assign(run->id_limit, 0);
    for (std::size_t place = 0; place < count; ++place) {
      places_[ids_[place]] = static_cast<std::uint32_t>(place);
    }
    degrees_.assign(count, 0);
    ends_.assign(count + 1, 0);
    const bool both = wanted.follow == Follow::kBoth;
    const bool out_is_read = both || (wanted.follow == Follow::kOut) != wanted.pulled;
    const bool in_is_read = both || !out_is_read;
    if (both || wanted.follow == Follow::kOut) AddDegrees(run, SASH_OUT, out_is_read);
    if (both || wanted.follow == Follow::kIn) AddDegrees(run, SASH_IN, in_is_read);
    if (wanted.pulled && !both) AddLengths(run, out_is_read ? SASH_OUT : SASH_IN);
    for (std::size_t place = 0; place < count; ++place) ends_[place + 1] += ends_[place];
    begins_ = ends_;  // from now on, an end is that of what was copied
    neighbours_.resize(ends_.back());
    if (wanted.with_edges) edges_.resize(ends_.back());
    auto copy = [&](std::size_t first, std::size_t last) {
      if (out_is_read && !Copy(run, SASH_OUT, first, last)) return;
      if (in_is_read && !Copy(run, SASH_IN, first, last)) return;
      for (std::size_t i = first; i < last; ++i) Order(places_[run->vertices[i]]);
    };
    ForBlocks(run, count, kBlock, copy);
    return run->should_stop(run) == 0;
  }

  std::size_t size() const { return ids_.size(); }
  sash_id id(std::size_t place) const { return ids_[place]; }
  std::uint32_t place(sash_id id) const { return places_[id]; }
  // How many receivers a message of this vertex has; with parallel edges, one counts several times.
  std::uint32_t degree(std::size_t place) const { return degrees_[place]; }
  std::span<const std::uint32_t> neighbours(std::size_t place) const {
    return {neighbours_.data() + begins_[place], neighbours_.data() + ends_[place]};
  }
  std::span<const Edge> edges(std::size_t place) const {
    return {edges_.data() + begins_[place], edges_.data() + ends_[place]};
  }

 private:
  // `read` says whether these lists are those that are copied, too.
  void AddDegrees(const sash_run* run, int direction, bool read) {
    std::vector<std::uint32_t> degrees(size());
    run->degrees(run, direction, 0, size(), degrees.data());
    for (std::size_t i = 0; i < size(); ++i) {
      const std::uint32_t place = places_[run->vertices[i]];
      degrees_[place] += degrees[i];
      if (read) ends_[place + 1] += degrees[i];
    }
  }
  void AddLengths(const sash_run* run, int direction) {
    std::vector<std::uint32_t> lengths(size());
    run->degrees(run, direction, 0, size(), lengths.data());
    for (std::size_t i = 0; i < size(); ++i) {
      ends_[places_[run->vertices[i]] + 1] += lengths[i];
    }
  }

  static int Visit(void* state, const sash_lists* lists) {
    auto& self = *static_cast<Lists*>(state);
    for (std::size_t i = 0; i < lists->count; ++i) {
      std::uint64_t& end = self.ends_[self.places_[lists->vertices[i]]];
      for (std::uint32_t j = 0; j < lists->lengths[i]; ++j, ++end) {
        self.neighbours_[end] = self.places_[lists->neighbours[i][j]];
        if (self.wanted_.with_edges) {
          self.edges_[end] = {lists->weights[i][j], lists->types[i][j]};
        }
      }
    }
    return 0;
  }
  bool Copy(const sash_run* run, int direction, std::size_t first, std::size_t last) {
    const unsigned with = wanted_.with_edges ? SASH_WEIGHTS + SASH_TYPES : 0u;
    return run->read_lists(run, direction, with, first, last, Visit, this) == 0;
  }

  void Order(std::size_t place) {
    const std::size_t begin = begins_[place];
    const std::size_t length = ends_[place] - begin;
    std::uint32_t* const list = neighbours_.data() + begin;
    if (wanted_.follow == Follow::kBoth) {
      std::sort(list, list + length);
      std::uint32_t* const end =
          std::remove(list, std::unique(list, list + length), static_cast<std::uint32_t>(place));
      degrees_[place] = static_cast<std::uint32_t>(end - list);
      ends_[place] = begin + degrees_[place];
    } else if (wanted_.by_key && wanted_.with_edges) {
      OrderEdges(list, edges_.data() + begin, length);
    } else if (wanted_.by_key) {
      std::sort(list, list + length);
    }
  }
  static void OrderEdges(std::uint32_t* list, Edge* edges, std::size_t length) {
    struct Item {
      std::uint32_t neighbour;
      Edge edge;
    };
    std::vector<Item> items(length);
    for (std::size_t i = 0; i < length; ++i) items[i] = {list[i], edges[i]};
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      if (a.neighbour != b.neighbour) return a.neighbour < b.neighbour;
      if (a.edge.type != b.edge.type) return a.edge.type < b.edge.type;
      return a.edge.weight < b.edge.weight;
    });
    for (std::size_t i = 0; i < length; ++i) {
      list[i] = items[i].neighbour;
      edges[i] = items[i].edge;
    }
  }

  Wanted wanted_{};
  std::vector<sash_id> ids_;            // by place
  std::vector<std::uint32_t> places_;   // by id
  std::vector<std::uint32_t> degrees_;  // by place
  std::vector<std::uint64_t> begins_;   // by place
  std::vector<std::uint64_t> ends_;     // by place
  std::vector<std::uint32_t> neighbours_;
  std::vector<Edge> edges_;
};

}  // namespace sash::program

#endif
