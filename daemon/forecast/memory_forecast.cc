#include "daemon/forecast/memory_forecast.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "daemon/forecast/measured_bytes.h"
#include "daemon/memory/memory_budget.h"
#include "windows/jobs/run_bytes.h"
#include "windows/jobs/run_result.h"

namespace sash {
namespace {

bool MapsWeights(const FormatSpec& format) {
  return format.AnyEdge([](const auto& mapping) { return mapping.weight.has_value(); });
}

double Seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

double Bytes(const MeasuredBytes& bytes, bool weights, double edges, double vertices) {
  return edges * (weights ? bytes.weighted_edge : bytes.edge) + vertices * bytes.vertex;
}

// Events in slices that have not closed, summed over the axes; each axis has its own slices.
double OpenBytes(const Config& config, double events_per_second) {
  const double event =
      MapsWeights(config.source.format) ? kOpenWeightedEventBytes : kOpenEventBytes;
  double most[3] = {0, 0, 0};  // by axis
  for (const WindowSpec& window : config.windows) {
    double events = static_cast<double>(window.slide);
    if (window.by != WindowAxis::kEvents) events = Seconds(window.slide) * events_per_second;
    if (window.by == WindowAxis::kEventTime) {
      events += Seconds(config.source.time.disorder.count()) * events_per_second;
    }
    double& axis = most[static_cast<std::size_t>(window.by)];
    axis = std::max(axis, events);
  }
  return (most[0] + most[1] + most[2]) * event;
}

double AdvanceMoment(const Config& config, const WindowSpec& window, double edges) {
  return Bytes(AdvanceBytes(window.store()), MapsWeights(config.source.format), edges,
               edges / kEdgesPerVertex);
}

// The temporary memory of a run of each job of the window.
std::vector<std::uint64_t> RunNeeds(const Config& config, const WindowSpec& window, double edges) {
  std::vector<std::uint64_t> needs;
  for (const JobSpec& job : config.jobs) {
    if (job.window != window.name) continue;
    needs.push_back(RunBytes(job, static_cast<std::uint64_t>(edges),
                             static_cast<std::uint64_t>(edges / kEdgesPerVertex)));
  }
  return needs;
}

// The sum for as many of the largest runs as there are runners.
double MomentOfRuns(const Config& config, std::vector<std::uint64_t> needs) {
  return static_cast<double>(SumOfGreatest(std::move(needs), config.runners_now()));
}

// The bytes of a window's history, which holds its own edges and those before it.
double HistoryBytes(const Config& config, const WindowSpec& window, double edges) {
  if (window.retain == 0 || !window.length) return 0;
  const double lengths =
      1 + static_cast<double>(window.retain) / static_cast<double>(*window.length);
  return edges * lengths *
         (MapsWeights(config.source.format) ? kHistoryWeightedEdgeBytes : kHistoryEdgeBytes);
}

// The bytes of scores that later results are compared with (ResultScores), and of their ids.
double BaselineBytes(const Config& config, const WindowSpec& window, double vertices) {
  constexpr double kKept = sizeof(VertexId) + sizeof(double);
  double results = 0;   // whose scores are kept
  double compared = 0;  // jobs
  for (const JobSpec& job : config.jobs) {
    if (job.window != window.name) continue;
    if (job.baseline) ++compared;
    const bool is_baseline = std::ranges::any_of(
        config.jobs, [&](const JobSpec& other) { return IsComparedWith(other, job); });
    const double own = job.baseline ? job.baseline->results : 0;
    if (own > 0 || is_baseline) results += std::max(own + 1, is_baseline ? 2.0 : 0.0);
  }
  return vertices * (results * kKept + compared * sizeof(double));
}

// The bytes of the copies of live jobs: one of the newest result, one of the run under way.
double LiveCopyBytes(const Config& config, const WindowSpec& window, double edges) {
  constexpr double kCopies = 2;
  constexpr double kDirections = 2;
  const double of_edge =
      sizeof(VertexId) + (MapsWeights(config.source.format) ? sizeof(std::int64_t) : 0);
  const double of_vertex = sizeof(std::uint64_t);
  const auto jobs = std::ranges::count_if(
      config.jobs, [&](const JobSpec& job) { return IsLive(job) && job.window == window.name; });
  return static_cast<double>(jobs) * kCopies * kDirections *
         (edges * of_edge + edges / kEdgesPerVertex * of_vertex);
}

// The bytes of the vectors of earlier results (keep_vectors).
double VectorBytes(const Config& config, const WindowSpec& window, double vertices) {
  constexpr double kKept = sizeof(VertexId) + sizeof(double);
  double vectors = 0;
  for (const JobSpec& job : config.jobs) {
    if (job.window == window.name) vectors += static_cast<double>(job.keep_vectors);
  }
  return vertices * vectors * kKept;
}

}  // namespace

ForecastBytes ForecastWindow(const Config& config, const WindowSpec& window, double edges) {
  const double vertices = edges / kEdgesPerVertex;
  const bool weights = MapsWeights(config.source.format);
  return {.held = Bytes(KeptBytes(window.store()), weights, edges, vertices) +
                  vertices * KeyBytes(config.source.format.keys) +
                  HistoryBytes(config, window, edges) + BaselineBytes(config, window, vertices) +
                  VectorBytes(config, window, vertices) + LiveCopyBytes(config, window, edges),
          .moment = AdvanceMoment(config, window, edges) +
                    MomentOfRuns(config, RunNeeds(config, window, edges))};
}

double KeptResultBytes(const JobSpec& job, KeyKind keys, double vertices) {
  const JobTraits traits = TraitsOfJob(job.parameters);
  const double rows =
      std::min(static_cast<double>(job.top), vertices) * static_cast<double>(traits.lists);
  // Assumes texts of about 36 bytes, since the length is unknown; shorter texts lie in the row.
  const double key = keys == KeyKind::kString ? kLongKeyBytes : 0;
  const double result = sizeof(RunResult) + rows * (static_cast<double>(traits.row_bytes) + key);
  return static_cast<double>(job.keep_results) * result;
}

double AllKeptBytes(const Config& config) {
  double bytes = 0;
  for (const JobSpec& job : config.jobs) {
    bytes += KeptResultBytes(job, config.source.format.keys, kAnyVertices);
  }
  return bytes;
}

double EdgesWithin(const Config& config, const WindowSpec& window, std::uint64_t limit_bytes) {
  const auto slow = static_cast<double>(MemoryBudget(limit_bytes).slow_bytes());
  const double usable = std::max(0.0, slow - AllKeptBytes(config));
  constexpr double kSome = 1e6;
  return usable / ForecastWindow(config, window, kSome).total() * kSome;
}

std::optional<double> EdgesAtRate(const WindowSpec& window, double events_per_second) {
  if (!window.length) return std::nullopt;
  if (window.by == WindowAxis::kEvents) return static_cast<double>(*window.length);
  return Seconds(*window.length) * events_per_second;
}

const WindowSpec& PayerOf(const Config& config, const WindowSpec& window) {
  const WindowSpec* payer = &window;
  if (window.implementation == StoreKind::kRebuild) return *payer;
  for (const WindowSpec& other : config.windows) {
    if (other.by != window.by || other.store() != window.store() ||
        other.filter() != window.filter() || !payer->length) {
      continue;
    }
    if (!other.length || *other.length > *payer->length) payer = &other;
  }
  return *payer;
}

ForecastBytes ForecastAll(const Config& config, double events_per_second) {
  ForecastBytes all;
  std::vector<std::uint64_t> runs;  // of the jobs of all windows
  for (const WindowSpec& window : config.windows) {
    const std::optional<double> edges = EdgesAtRate(window, events_per_second);
    if (!edges) continue;
    std::ranges::copy(RunNeeds(config, window, *edges), std::back_inserter(runs));
    if (&PayerOf(config, window) != &window) continue;
    all.held += ForecastWindow(config, window, *edges).held;
    all.moment += AdvanceMoment(config, window, *edges);
  }
  all.moment += MomentOfRuns(config, std::move(runs));
  all.held += OpenBytes(config, events_per_second);
  for (const JobSpec& job : config.jobs) {
    const auto window = std::ranges::find(config.windows, job.window, &WindowSpec::name);
    if (window == config.windows.end()) continue;
    const std::optional<double> edges = EdgesAtRate(*window, events_per_second);
    const double vertices = edges ? *edges / kEdgesPerVertex : kAnyVertices;
    all.held += KeptResultBytes(job, config.source.format.keys, vertices);
  }
  return all;
}

}  // namespace sash
