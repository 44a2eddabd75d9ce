// Kernels of one's own: PageRank as a plug-in and as a vertex program, compared with the same
// algorithm compiled in and with a pull on the plain CSR, all in doubles. Then the vertex program
// on a graph of the size of LiveJournal, whatever the size of the other benchmarks; only --quick
// makes it small.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "daemon/plugins/parameter_schema.h"
#include "daemon/plugins/plugin_library.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/built_csr.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/pulled_ranks.h"
#include "tests/bench/stopwatch.h"
#include "tests/bench/window_cases.h"
#include "windows/base/check.h"
#include "windows/jobs/plugin/plugin_call.h"

namespace sash::bench {
namespace {

constexpr std::size_t kOwnSlices = 60;
constexpr double kMostApart = 1e-9;  // L1

// A graph, as a window and as a plain CSR, and the ways to rank it.
class OwnRanks {
 public:
  OwnRanks(const Bench& bench, const BenchOptions& options, const BenchEdges& edges, int iterations)
      : bench_(bench),
        options_(options),
        iterations_(iterations),
        plain_(std::span(edges.sources).first(options.edges),
               std::span(edges.targets).first(options.edges), edges.id_limit,
               BuiltRows::kAsTheyCome),
        window_(kKeepSpec, CutIntoSlices(edges, 0, options.edges, kOwnSlices), edges.id_limit) {
    VertexDictionary::Writer writer(keys_);
    for (VertexId id = 0; id < edges.id_limit; ++id) writer.Intern(std::int64_t{id});
  }

  // Whichever is measured reads a view that was never read.
  double Plugin(const std::string& name) {
    std::shared_ptr<const PluginKernel> kernel = Loaded(name);
    const WindowView view = window_.FreshView();
    const std::vector<PluginParameter> values = {
        {"damping", 0.85}, {"tolerance", 0.0}, {"max_iterations", std::int64_t{iterations_}}};
    PluginCall call({.kernel = std::move(kernel),
                     .values = values,
                     .json = JsonOf(values),
                     .view = view,
                     .threads = options_.threads},
                    keys_);
    const double seconds = Time([&] { call.Run(); });
    if (const std::optional<RunFailure> failure = call.TakeFailure()) {
      bench_.report.Wrong(name, failure->why);
    } else {
      Verify(name, call.TakeAnswer().scores);
    }
    return seconds;
  }
  double CompiledIn() {
    const WindowView view = window_.FreshView();
    std::vector<double> ranks;
    const double seconds = Time([&] {
      ranks = VisitView(view, [&](const auto& graph) {
        return RanksOf(graph, graph.vertices(), options_.threads, iterations_);
      });
    });
    Verify("compiled in", ranks);
    return seconds;
  }
  double PlainCsr() {
    const WindowView view = window_.FreshView();
    const std::span<const VertexId> vertices = VerticesOf(view);
    return Time([&] { expected_ = RanksOf(plain_, vertices, options_.threads, iterations_); });
  }

 private:
  static std::shared_ptr<const PluginKernel> Loaded(const std::string& name) {
    auto library = LoadPluginLibrary(fmt::format("{}/{}.so", SASH_EXAMPLES, name));
    SASH_CHECK(library.ok());
    return std::move(library).value();
  }

  // Compared with the ranks on the plain CSR, which were computed before.
  void Verify(const std::string& name, const std::vector<double>& ranks) {
    double apart = 0;
    for (const VertexId v : VerticesOf(window_.published().view)) {
      apart += std::abs(ranks[v] - expected_[v]);
    }
    if (apart > kMostApart || std::isnan(apart)) {
      bench_.report.Wrong(name, fmt::format("L1 difference {:.3g}", apart));
    }
  }

  const Bench& bench_;
  const BenchOptions& options_;
  const int iterations_;
  VertexDictionary keys_{KeyKind::kInteger};
  BuiltCsr plain_;
  MovingWindow window_;
  std::vector<double> expected_;
};

}  // namespace

void RunOwnKernel(const Bench& bench) {
  OwnRanks ranks(bench, bench.options, bench.edges, 20);
  Samples plain;
  Samples compiled;
  Samples plugin;
  Samples vertex;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    plain.Add(ranks.PlainCsr());
    compiled.Add(ranks.CompiledIn());
    plugin.Add(ranks.Plugin("pagerank"));
    vertex.Add(ranks.Plugin("vertex_pagerank"));
  }
  bench.report.Add("own_kernel_csr", "s", plain);
  bench.report.Add("own_kernel_compiled_in", "s", compiled, Ratios(compiled, plain), "plain CSR");
  bench.report.Add("own_kernel_plugin", "s", plugin, Ratios(plugin, compiled), "compiled in");
  bench.report.Add("own_kernel_vertex_program", "s", vertex, Ratios(vertex, plain), "plain CSR");
}

void RunLargeOwnKernel(const Bench& bench) {
  BenchOptions options = bench.options;
  if (!options.quick) {
    options.graph = GraphShape::kRmat;
    options.scale = 23;
    options.edges = 79'000'000;
    options.repetitions = std::min(options.repetitions, 3);
  }
  const BenchEdges edges = DrawEdges(options, options.edges);
  OwnRanks ranks(bench, options, edges, 32);
  Samples plain;
  Samples vertex;
  for (int i = 0; i < options.repetitions; ++i) {
    plain.Add(ranks.PlainCsr());
    vertex.Add(ranks.Plugin("vertex_pagerank"));
  }
  bench.report.Add("own_kernel_livejournal_csr", "s", plain);
  bench.report.Add("own_kernel_livejournal_vertex_program", "s", vertex, Ratios(vertex, plain),
                   "plain CSR");
}

}  // namespace sash::bench
