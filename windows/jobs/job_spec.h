// JobSpec: a kernel registered to run on the advances of a window (configuration: jobs[]).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "windows/ingest/vertex_key.h"

namespace sash {

struct PageRankParameters {
  static constexpr std::string_view kKernel = "pagerank";
  double damping = 0.85;     // in [0, 1)
  double tolerance = 1e-6;   // stops when the L1 change of one iteration is at most this; >= 0
  int max_iterations = 100;  // >= 1
  bool warm_start = false;   // from the ranks of the job's result before, if there is one
  int check_every = 100;     // warm runs after which one is held against a full run; 0: never
  bool weighted = false;     // edges carry rank in proportion to their weights
  // Where rank begins anew, in equal parts; empty: at all vertices.
  std::vector<VertexKey> sources{};

  bool is_biased() const { return weighted || !sources.empty(); }
};

enum class TraversalDirection : std::uint8_t { kOut, kIn, kBoth };

struct BfsParameters {
  static constexpr std::string_view kKernel = "bfs";
  std::vector<VertexKey> roots;  // at least one
  TraversalDirection direction = TraversalDirection::kOut;
  bool separate = false;  // one traversal a root instead of one from all together
  bool parents = false;   // results say from where each vertex was reached
  // From the depths of the job's result before, where little has changed since.
  bool warm_start = false;
  int check_every = 100;  // as in PageRankParameters
};

struct ShapeParameters {
  static constexpr std::string_view kKernel = "window";
};

struct WccParameters {
  static constexpr std::string_view kKernel = "wcc";
};

struct SsspParameters {
  static constexpr std::string_view kKernel = "sssp";
  std::vector<VertexKey> roots;  // at least one
  TraversalDirection direction = TraversalDirection::kOut;
  double delta = 0;  // width of a bucket, which decides how long it takes; 0: by the weights
};

struct TrianglesParameters {
  static constexpr std::string_view kKernel = "triangles";
};

struct LccParameters {
  static constexpr std::string_view kKernel = "lcc";
};

struct CdlpParameters {
  static constexpr std::string_view kKernel = "cdlp";
  int max_iterations = 10;  // >= 1
};

struct KcoreParameters {
  static constexpr std::string_view kKernel = "kcore";
};

struct DegreeParameters {
  static constexpr std::string_view kKernel = "degree";
  TraversalDirection direction = TraversalDirection::kBoth;
};

struct FanoutParameters {
  static constexpr std::string_view kKernel = "fanout";
  TraversalDirection direction = TraversalDirection::kOut;
};

// Both compare with the window of the job's result before.
struct NewEdgesParameters {
  static constexpr std::string_view kKernel = "new_edges";
};

struct VanishedEdgesParameters {
  static constexpr std::string_view kKernel = "vanished_edges";
};

using JobParameters =
    std::variant<PageRankParameters, BfsParameters, ShapeParameters, WccParameters, SsspParameters,
                 TrianglesParameters, LccParameters, CdlpParameters, KcoreParameters,
                 DegreeParameters, FanoutParameters, NewEdgesParameters, VanishedEdgesParameters>;

// What happens to an advance while the job is still busy with earlier ones.
struct OverrunPolicy {
  // 0: skip; the newest window waits and displaces what waited, which is counted as skipped.
  // n: up to n advances wait; then the window itself waits, and with it the stream.
  std::size_t queue = 0;
};

struct JobSpec {
  std::string name;
  std::string window;
  JobParameters parameters;
  std::uint32_t every = 1;  // runs when window end / slide is a multiple of it
  int threads = 0;          // 0: all the cores
  std::optional<std::chrono::nanoseconds> deadline;  // a run that takes longer is cancelled
  OverrunPolicy overrun;
  std::size_t top = 50;
  std::size_t keep_results = 100;  // >= 1
};

}  // namespace sash
