// PageRank as a vertex program, as sashd's kernel `pagerank` defines it: from 1/n; parallel edges
// each count; the rank of vertices without out-edges is spread evenly over all; it ends when the
// ranks change by at most `tolerance` in sum, or after `max_iterations`.
//
//   c++ -std=c++20 -O2 -shared -fPIC -o vertex_pagerank.so vertex_pagerank.cc
//
// Source: Malewicz et al.: Pregel, a system for large-scale graph processing (SIGMOD 2010).
#include <sash/vertex_program.h>

#include <cmath>

namespace {

struct RankTotals {
  double dangling = 0;  // rank of the vertices without out-edges
  double change = 0;
  void Add(const RankTotals& other) {
    dangling += other.dangling;
    change += other.change;
  }
};

class RankProgram : public sash::program::Program<double, double, RankTotals> {
 public:
  using Vertex = sash::program::Vertex<RankProgram>;

  static constexpr const char* kName = "vertex_pagerank";
  static constexpr const char* kAbout = "PageRank, vertex by vertex.";
  static constexpr const char* kParameters = R"({"type": "object", "properties": {
      "damping": {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.85},
      "tolerance": {"type": "number", "minimum": 0, "default": 1e-6},
      "max_iterations": {"type": "integer", "minimum": 1, "maximum": 99999, "default": 100}}})";
  static constexpr const char* kFigures[] = {"residual", nullptr};

  explicit RankProgram(const sash::program::Window& window)
      : damping_(window.Number("damping")),
        tolerance_(window.Number("tolerance")),
        max_iterations_(window.Integer("max_iterations")),
        share_(1 / static_cast<double>(window.vertex_count())) {}

  void Initialize(Vertex& v) const { Pass(v, share_); }

  void Compute(Vertex& v, std::span<const double> sum) const {
    const double followed = (sum.empty() ? 0 : sum[0]) + v.before().dangling * share_;
    const double rank = (1 - damping_) * share_ + damping_ * followed;
    v.total().change += std::abs(rank - v.value());
    Pass(v, rank);
  }

  double Combine(double a, double b) const { return a + b; }
  double Score(const double& rank) const { return rank; }
  double Residual(const RankTotals& totals) const { return totals.change; }

  bool Halt(const RankTotals& totals, int superstep) const {
    return superstep > 0 && (totals.change <= tolerance_ || superstep >= max_iterations_);
  }
  void Finish(const sash::program::Window& window, const RankTotals& totals, int) const {
    window.Figure("residual", totals.change);
  }

 private:
  static void Pass(Vertex& v, double rank) {
    v.value() = rank;
    if (v.degree() == 0) {
      v.total().dangling += rank;
    } else {
      v.Send(rank / v.degree());
    }
  }

  double damping_;
  double tolerance_;
  std::int64_t max_iterations_;
  double share_;  // of a vertex, if all have the same
};

}  // namespace

SASH_VERTEX_PROGRAM(RankProgram);
