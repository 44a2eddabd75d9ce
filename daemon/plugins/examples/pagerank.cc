// PageRank on the C ABI, as sashd's kernel `pagerank` defines it: from 1/n; parallel edges each
// count; the rank of vertices without out-edges is spread evenly over all; it ends when the ranks
// change by at most `tolerance` in sum, or after `max_iterations`. Nothing is copied: each
// iteration reads the lists of the window again. vertex_pagerank.cc is the same, vertex by vertex.
//
//   c++ -O2 -shared -fPIC -o pagerank.so pagerank.cc
//
// Source: Page, Brin, Motwani, Winograd: The PageRank citation ranking (Stanford, 1999).
#include <sash/kernel.h>

#include <cmath>
#include <vector>

namespace {

constexpr size_t kBlock = 4096;

class PageRank {
 public:
  explicit PageRank(const sash_run* run)
      : run_(run),
        damping_(run->number(run, "damping")),
        share_(1 / static_cast<double>(run->vertex_count)),
        ranks_(run->id_limit),
        shares_(run->id_limit),
        degrees_(run->vertex_count),
        dangling_((run->vertex_count + kBlock - 1) / kBlock),
        changes_(dangling_.size()) {}

  int Run() {
    run_->parallel_for(run_, run_->vertex_count, kBlock, BeginBlock, this);
    const double tolerance = run_->number(run_, "tolerance");
    const int64_t most = run_->integer(run_, "max_iterations");
    double change = 0;
    for (int64_t i = 1; i <= most; ++i) {
      spread_ = Sum(dangling_) * share_;
      run_->parallel_for(run_, run_->vertex_count, kBlock, PullBlock, this);
      run_->parallel_for(run_, run_->vertex_count, kBlock, PassBlock, this);
      change = Sum(changes_);
      if (run_->progress(run_, static_cast<int>(i), change) != 0) return 1;
      if (change <= tolerance) break;
    }
    run_->put_figure(run_, "residual", change);
    return run_->put_scores(run_, ranks_.data(), nullptr, run_->id_limit);
  }

 private:
  // Adds the sums of blocks in their order, so the number of threads changes nothing.
  static double Sum(const std::vector<double>& of_blocks) {
    double sum = 0;
    for (const double each : of_blocks) sum += each;
    return sum;
  }

  static void BeginBlock(void* state, size_t first, size_t last) {
    PageRank& self = *static_cast<PageRank*>(state);
    self.run_->degrees(self.run_, SASH_OUT, first, last, self.degrees_.data() + first);
    for (size_t i = first; i < last; ++i) self.ranks_[self.run_->vertices[i]] = self.share_;
    PassBlock(state, first, last);
  }

  static void PullBlock(void* state, size_t first, size_t last) {
    PageRank& self = *static_cast<PageRank*>(state);
    self.changes_[first / kBlock] = 0;
    Pulled pulled{&self, &self.changes_[first / kBlock]};
    self.run_->read_lists(self.run_, SASH_IN, 0, first, last, PullLists, &pulled);
  }

  struct Pulled {
    PageRank* self;
    double* change;
  };
  static int PullLists(void* state, const sash_lists* lists) {
    const Pulled& pulled = *static_cast<Pulled*>(state);
    PageRank& self = *pulled.self;
    const double* const shares = self.shares_.data();
    double change = 0;
    for (size_t i = 0; i < lists->count; ++i) {
      const sash_id* const sources = lists->neighbours[i];
      double sum = 0;
      for (uint32_t k = 0; k < lists->lengths[i]; ++k) sum += shares[sources[k]];
      const double rank = (1 - self.damping_) * self.share_ + self.damping_ * (sum + self.spread_);
      double& before = self.ranks_[lists->vertices[i]];
      change += std::abs(rank - before);
      before = rank;
    }
    *pulled.change += change;
    return 0;
  }

  // What each vertex gives to each of its out-neighbours.
  static void PassBlock(void* state, size_t first, size_t last) {
    PageRank& self = *static_cast<PageRank*>(state);
    double dangling = 0;
    for (size_t i = first; i < last; ++i) {
      const sash_id v = self.run_->vertices[i];
      if (self.degrees_[i] == 0) dangling += self.ranks_[v];
      self.shares_[v] = self.degrees_[i] == 0 ? 0 : self.ranks_[v] / self.degrees_[i];
    }
    self.dangling_[first / kBlock] = dangling;
  }

  const sash_run* run_;
  const double damping_;
  const double share_;  // of a vertex, if all have the same
  double spread_ = 0;   // what each vertex gets from those without out-edges
  std::vector<double> ranks_;
  std::vector<double> shares_;
  std::vector<uint32_t> degrees_;
  std::vector<double> dangling_;  // of blocks
  std::vector<double> changes_;   // likewise
};

int RunPageRank(const sash_run* run) { return PageRank(run).Run(); }

const char* const kPageRankParameters = R"({"type": "object", "properties": {
    "damping": {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.85},
    "tolerance": {"type": "number", "minimum": 0, "default": 1e-6},
    "max_iterations": {"type": "integer", "minimum": 1, "maximum": 99999, "default": 100}}})";
const char* const kPageRankFigures[] = {"residual", nullptr};

}  // namespace

const sash_kernel sash_plugin = {sizeof(sash_kernel),
                                 SASH_ABI,
                                 SASH_SCORES,
                                 "pagerank",
                                 "1.0",
                                 "PageRank, from the lists of the window.",
                                 kPageRankParameters,
                                 kPageRankFigures,
                                 21,
                                 0,
                                 RunPageRank};
