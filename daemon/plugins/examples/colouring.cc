// Greedy colouring: vertices that an edge connects, in whichever direction, have different colours.
// Vertices are coloured one after the other, those with the most neighbours first (ties by key);
// each gets the least colour that none of its neighbours has. So the colours depend on the graph
// alone. A colour is a set of the result; the figure `colours` is their number, and `palette` (if
// it is not 0) is the most that there may be: with more, the run fails.
//
//   c++ -O2 -shared -fPIC -o colouring.so colouring.cc
//
// Source: Welsh, Powell: An upper bound for the chromatic number of a graph and its application to
// timetabling problems (The Computer Journal 10, 1967).
#include <sash/kernel.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using Ids = std::vector<sash_id>;

constexpr uint32_t kNone = 0xFFFFFFFF;

// The neighbours in both directions as sets, by place in the list of vertices.
struct Neighbours {
  const sash_run* run;
  std::vector<Ids> sets;

  struct Part {
    Neighbours* all;
    size_t place;
  };
  static int Visit(void* state, const sash_lists* lists) {
    auto& part = *static_cast<Part*>(state);
    for (size_t i = 0; i < lists->count; ++i) {
      Ids& set = part.all->sets[part.place++];
      set.insert(set.end(), lists->neighbours[i], lists->neighbours[i] + lists->lengths[i]);
    }
    return 0;
  }
  static void Block(void* state, size_t first, size_t last) {
    auto& self = *static_cast<Neighbours*>(state);
    const sash_run* const run = self.run;
    for (const int direction : {SASH_OUT, SASH_IN}) {
      Part part{&self, first};
      if (run->read_lists(run, direction, 0, first, last, Visit, &part) != 0) return;
    }
    for (size_t place = first; place < last; ++place) {
      Ids& set = self.sets[place];
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      set.erase(std::remove(set.begin(), set.end(), run->vertices[place]), set.end());
    }
  }
};

// The least colour that no neighbour has. `seen[c] == mark`: a neighbour has the colour c.
uint32_t LeastFree(const Ids& neighbours, const std::vector<uint32_t>& colours,
                   std::vector<uint32_t>& seen, uint32_t mark) {
  for (const sash_id u : neighbours) {
    if (colours[u] == kNone) continue;
    if (colours[u] >= seen.size()) seen.resize(colours[u] + 1);
    seen[colours[u]] = mark;
  }
  uint32_t colour = 0;
  while (colour < seen.size() && seen[colour] == mark) ++colour;
  return colour;
}

int RunColouring(const sash_run* run) {
  Neighbours neighbours{run, std::vector<Ids>(run->vertex_count)};
  run->parallel_for(run, run->vertex_count, 1024, Neighbours::Block, &neighbours);
  if (run->should_stop(run)) return 1;
  std::vector<uint32_t> places(run->id_limit);
  for (uint32_t place = 0; place < run->vertex_count; ++place) {
    places[run->vertices[place]] = place;
  }
  Ids order(run->vertex_count);
  run->order_by_key(run, order.data());
  const auto degree = [&](sash_id v) { return neighbours.sets[places[v]].size(); };
  std::stable_sort(order.begin(), order.end(),
                   [&](sash_id a, sash_id b) { return degree(a) > degree(b); });
  std::vector<uint32_t> colours(run->id_limit, kNone);
  std::vector<uint32_t> seen;
  uint32_t mark = 0;
  uint32_t count = 0;
  for (const sash_id v : order) {
    colours[v] = LeastFree(neighbours.sets[places[v]], colours, seen, ++mark);
    count = std::max(count, colours[v] + 1);
    if (mark % 65536 == 0 && run->should_stop(run)) return 1;
  }
  const int64_t palette = run->integer(run, "palette");
  if (palette > 0 && count > palette) {
    run->fail(run, ("it needs " + std::to_string(count) + " colours, more than `palette` (" +
                    std::to_string(palette) + ")")
                       .c_str());
    return 1;
  }
  run->put_figure(run, "colours", count);
  return run->put_sets(run, colours.data(), run->id_limit);
}

const char* const kColouringFigures[] = {"colours", nullptr};

}  // namespace

const sash_kernel sash_plugin = {
    sizeof(sash_kernel),
    SASH_ABI,
    SASH_SETS,
    "colouring",
    "1.0",
    "Colours vertices so that neighbours differ, largest degree first.",
    R"({"type": "object", "properties": {"palette": {"type": "integer", "minimum": 0,
        "default": 0, "description": "The most colours; 0: any number."}}})",
    kColouringFigures,
    44,
    8,
    RunColouring};
