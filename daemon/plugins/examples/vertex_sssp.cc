// Shortest distances from one vertex along out-edges as a vertex program: in each superstep the
// vertices that got nearer tell it, and each edge adds its weight. Vertices that are not reached
// have no score. A negative weight on an edge that is followed fails the run.
//
//   c++ -std=c++20 -O2 -shared -fPIC -o vertex_sssp.so vertex_sssp.cc
//
// Source: Malewicz et al.: Pregel, a system for large-scale graph processing (SIGMOD 2010), 5.2.
#include <sash/vertex_program.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

class DistanceProgram : public sash::program::Program<double, double> {
 public:
  using Vertex = sash::program::Vertex<DistanceProgram>;

  static constexpr const char* kName = "vertex_sssp";
  static constexpr const char* kAbout = "Distances from one vertex, vertex by vertex.";
  static constexpr const char* kParameters = R"({"type": "object", "properties": {
      "root": {"type": "string", "description": "The key of the vertex to begin at."}}})";

  explicit DistanceProgram(const sash::program::Window& window)
      : root_(window.Find(window.Text("root"))) {}

  void Initialize(Vertex& v) const {
    v.value() = v.id() == root_ ? 0 : kUnreached;
    if (v.id() == root_) v.Send(0);
    v.Halt();
  }

  void Compute(Vertex& v, std::span<const double> nearest) const {
    if (!nearest.empty() && nearest[0] < v.value()) {
      v.value() = nearest[0];
      v.Send(nearest[0]);
    }
    v.Halt();
  }

  double Along(const double& distance, const sash::program::Edge& edge) const {
    if (edge.weight < 0) {
      throw std::domain_error("an edge has the weight " + std::to_string(edge.weight) +
                              "; distances need weights of at least 0");
    }
    return distance + edge.weight;
  }
  double Combine(double a, double b) const { return std::min(a, b); }
  std::optional<double> Score(const double& distance) const {
    return distance < kUnreached ? std::optional(distance) : std::nullopt;
  }

 private:
  static constexpr double kUnreached = std::numeric_limits<double>::infinity();

  sash_id root_;
};

}  // namespace

SASH_VERTEX_PROGRAM(DistanceProgram);
