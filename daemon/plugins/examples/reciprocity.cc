// The kernel `reciprocity` of sashd as a plug-in: for each vertex the share of its out-neighbours
// (without itself) that have an edge back to it. A vertex without out-neighbours has no score. The
// figure `reciprocity` is the share of all pairs of different vertices whose reverse is there, too.
//
//   c++ -O2 -shared -fPIC -o reciprocity.so reciprocity.cc
//
// Source: Newman, Forrest, Balthrop: Email networks and the spread of computer viruses (Physical
// Review E 66, 2002).
#include <sash/kernel.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace {

using Ids = std::vector<sash_id>;

// The neighbours of each vertex of a block as a set: ascending, each once, without the vertex.
struct NeighbourSets {
  std::vector<Ids> sets;

  static int Visit(void* state, const sash_lists* lists) {
    auto& sets = static_cast<NeighbourSets*>(state)->sets;
    for (size_t i = 0; i < lists->count; ++i) {
      const sash_id* const begin = lists->neighbours[i];
      Ids set(begin, begin + lists->lengths[i]);
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      set.erase(std::remove(set.begin(), set.end(), lists->vertices[i]), set.end());
      sets.push_back(std::move(set));
    }
    return 0;
  }
};

size_t CountCommon(const Ids& a, const Ids& b) {
  size_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    common += a[i] == b[j] ? 1 : 0;
    const bool takes_a = a[i] <= b[j];
    const bool takes_b = b[j] <= a[i];
    i += takes_a ? 1 : 0;
    j += takes_b ? 1 : 0;
  }
  return common;
}

struct Reciprocity {
  const sash_run* run;
  std::vector<double> shares;
  std::vector<uint8_t> has;
  std::atomic<uint64_t> pairs{0};
  std::atomic<uint64_t> led_back{0};

  static void Block(void* state, size_t first, size_t last) {
    auto& self = *static_cast<Reciprocity*>(state);
    const sash_run* const run = self.run;
    NeighbourSets out;
    NeighbourSets in;
    if (run->read_lists(run, SASH_OUT, 0, first, last, NeighbourSets::Visit, &out) != 0) return;
    if (run->read_lists(run, SASH_IN, 0, first, last, NeighbourSets::Visit, &in) != 0) return;
    for (size_t i = 0; i < out.sets.size(); ++i) {
      if (out.sets[i].empty()) continue;
      const size_t back = CountCommon(out.sets[i], in.sets[i]);
      const sash_id v = run->vertices[first + i];
      self.shares[v] = static_cast<double>(back) / static_cast<double>(out.sets[i].size());
      self.has[v] = 1;
      self.pairs += out.sets[i].size();
      self.led_back += back;
    }
  }
};

int RunReciprocity(const sash_run* run) {
  Reciprocity self{run, std::vector<double>(run->id_limit), std::vector<uint8_t>(run->id_limit)};
  run->parallel_for(run, run->vertex_count, 1024, Reciprocity::Block, &self);
  if (run->should_stop(run)) return 1;
  if (self.pairs > 0) {
    run->put_figure(run, "reciprocity",
                    static_cast<double>(self.led_back) / static_cast<double>(self.pairs));
  }
  return run->put_scores(run, self.shares.data(), self.has.data(), run->id_limit);
}

const char* const kReciprocityFigures[] = {"reciprocity", nullptr};

}  // namespace

const sash_kernel sash_plugin = {sizeof(sash_kernel),
                                 SASH_ABI,
                                 SASH_SCORES,
                                 "reciprocity",
                                 "1.0",
                                 "The share of a vertex's out-neighbours that have an edge back.",
                                 nullptr,
                                 kReciprocityFigures,
                                 9,
                                 0,
                                 RunReciprocity};
