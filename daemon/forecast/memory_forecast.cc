#include "daemon/forecast/memory_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/config/scalar_text.h"
#include "daemon/forecast/measured_bytes.h"
#include "daemon/memory/memory_budget.h"
#include "daemon/memory/memory_limit.h"
#include "windows/jobs/run_bytes.h"
#include "windows/jobs/run_result.h"

namespace sash {
namespace {

constexpr double kMillion = 1e6;

bool MapsWeights(const FormatSpec& format) {
  return format.AnyEdge([](const auto& mapping) { return mapping.weight.has_value(); });
}

double Seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

std::string Size(double bytes) { return SizeText(static_cast<std::uint64_t>(bytes)); }

// "25.4 MiB, and 12.4 MiB more temporarily"
std::string Sizes(const ForecastBytes& bytes) {
  if (bytes.moment <= 0) return Size(bytes.held);
  return fmt::format("{}, and {} more temporarily", Size(bytes.held), Size(bytes.moment));
}

// "212 million", "98.1 thousand", "12", "0.15"
std::string Count(double count) {
  const auto shortened = [](double value, const char* unit) {
    return value < 100 ? fmt::format("{:.1f} {}", value, unit)
                       : fmt::format("{:.0f} {}", value, unit);
  };
  if (count >= kMillion) return shortened(count / kMillion, "million");
  if (count >= 1e4) return shortened(count / 1e3, "thousand");
  return count < 10 ? fmt::format("{:.2g}", count) : fmt::format("{:.0f}", count);
}

std::string Where(const Config& config, const WindowSpec& window) {
  return fmt::format("windows[{}] {}", &window - config.windows.data(), window.name);
}

double Bytes(const MeasuredBytes& bytes, bool weights, double edges, double vertices) {
  return edges * (weights ? bytes.weighted_edge : bytes.edge) + vertices * bytes.vertex;
}

// The longest of the windows that share a store with this one: it carries the cost of the store.
// With `rebuild` each window has its own cost.
const WindowSpec& Payer(const Config& config, const WindowSpec& window) {
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

constexpr double kAnyVertices = std::numeric_limits<double>::infinity();

// Kept results of all jobs, for windows of unlimited size.
double AllKeptBytes(const Config& config) {
  double bytes = 0;
  for (const JobSpec& job : config.jobs) {
    bytes += KeptResultBytes(job, config.source.format.keys, kAnyVertices);
  }
  return bytes;
}

void TellKeptResults(const Config& config, std::optional<std::uint64_t> limit_bytes,
                     Findings& findings) {
  constexpr double kTold = 1 << 20;
  for (const JobSpec& job : config.jobs) {
    const double bytes = KeptResultBytes(job, config.source.format.keys, kAnyVertices);
    if (bytes < kTold) continue;
    findings.Ok(fmt::format("jobs[{}] {}", &job - config.jobs.data(), job.name),
                fmt::format("the {} results that are kept for the API (keep_results), of up to {} "
                            "rows each (top), take up to {}",
                            job.keep_results, job.top, Size(bytes)));
  }
  const double all = AllKeptBytes(config);
  if (limit_bytes && all > static_cast<double>(*limit_bytes) / 2) {
    findings.Warn("memory.limit",
                  fmt::format("results that are kept for the API take up to {} of it ({})",
                              Size(all), Size(static_cast<double>(*limit_bytes))),
                  "lower jobs[].keep_results or jobs[].top, or raise the limit");
  }
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

// Of as many runs as there are runners, the largest ones.
double MomentOfRuns(const Config& config, std::vector<std::uint64_t> needs) {
  return static_cast<double>(SumOfGreatest(std::move(needs), config.runners_now()));
}

// Before the first run it is not known whether the graph has hubs.
void TellSpill(Findings& findings) {
  findings.Warn("memory.spill",
                "edges are on disk, the data of vertices is not: on a graph with hubs (R-MAT "
                "scale 18, 8 M edges) PageRank takes 83 times as long in two thirds of the memory "
                "needed, and had not ended after 9 minutes in one third",
                "use it for graphs without hubs; give others the memory, or shorter windows");
}

// Of a window's history, which holds its own edges and those before it.
double HistoryBytes(const Config& config, const WindowSpec& window, double edges) {
  if (window.retain == 0 || !window.length) return 0;
  const double lengths =
      1 + static_cast<double>(window.retain) / static_cast<double>(*window.length);
  return edges * lengths *
         (MapsWeights(config.source.format) ? kHistoryWeightedEdgeBytes : kHistoryEdgeBytes);
}

// Of scores that later results are compared with (ResultScores), and of what those results keep.
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

// Of the copies of live jobs: that of the newest result, and that of the run under way.
double LiveCopyBytes(const Config& config, const WindowSpec& window, double edges) {
  constexpr double kCopies = 2;
  constexpr double kDirections = 2;
  const double of_edge =
      sizeof(VertexId) + (MapsWeights(config.source.format) ? sizeof(std::int64_t) : 0);
  const double of_vertex = sizeof(std::uint64_t);
  const auto jobs = std::ranges::count_if(config.jobs, [&](const JobSpec& job) {
    return IsLive(job) && job.window == window.name;
  });
  return static_cast<double>(jobs) * kCopies * kDirections *
         (edges * of_edge + edges / kEdgesPerVertex * of_vertex);
}

// Of the vectors of earlier results (keep_vectors).
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

double EdgesWithin(const Config& config, const WindowSpec& window, std::uint64_t limit_bytes) {
  const auto slow = static_cast<double>(MemoryBudget(limit_bytes).slow_bytes());
  const double usable = std::max(0.0, slow - AllKeptBytes(config));
  return usable / ForecastWindow(config, window, kMillion).total() * kMillion;
}

std::optional<double> EdgesAtRate(const WindowSpec& window, double events_per_second) {
  if (!window.length) return std::nullopt;
  if (window.by == WindowAxis::kEvents) return static_cast<double>(*window.length);
  return Seconds(*window.length) * events_per_second;
}

void TellCapacity(const Config& config, std::optional<std::uint64_t> limit_bytes,
                  Findings& findings) {
  for (const WindowSpec& window : config.windows) {
    const WindowSpec& payer = Payer(config, window);
    if (&payer != &window) {
      findings.Ok(
          Where(config, window),
          fmt::format("shares its edges with {}, so it takes little more memory", payer.name));
      continue;
    }
    const ForecastBytes bytes = ForecastWindow(config, window, kMillion);
    std::string what = fmt::format("a million edges take about {} (at {:g} edges a vertex)",
                                   Sizes(bytes), kEdgesPerVertex);
    if (limit_bytes && config.memory.spill.empty()) {
      what += fmt::format(
          "; of the limit {} it may hold about {} edges before reading is slowed "
          "down",
          FormatSize(*limit_bytes), Count(EdgesWithin(config, window, *limit_bytes)));
    }
    findings.Ok(Where(config, window), what);
  }
  if (!config.memory.spill.empty()) TellSpill(findings);
  TellKeptResults(config, limit_bytes, findings);
}

void TellLoad(const Config& config, double events_per_second, const std::string& when,
              std::optional<std::uint64_t> limit_bytes, Findings& findings) {
  ForecastBytes all;
  std::vector<std::uint64_t> runs;  // of the jobs of all windows
  for (const WindowSpec& window : config.windows) {
    const std::string rate = fmt::format("at {} events/s ({})", Count(events_per_second), when);
    const std::optional<double> edges = EdgesAtRate(window, events_per_second);
    if (edges) std::ranges::copy(RunNeeds(config, window, *edges), std::back_inserter(runs));
    if (&Payer(config, window) != &window) continue;
    if (!edges) {
      const double hour = ForecastWindow(config, window, events_per_second * 3600).held;
      findings.Ok(Where(config, window),
                  fmt::format("{} it grows by about {} an hour, without end", rate, Size(hour)));
      continue;
    }
    const ForecastBytes bytes = ForecastWindow(config, window, *edges);
    all.held += bytes.held;
    all.moment += AdvanceMoment(config, window, *edges);
    findings.Ok(Where(config, window), fmt::format("{} it holds about {} edges: about {}", rate,
                                                   Count(*edges), Sizes(bytes)));
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
  std::string what = fmt::format("all windows and kept results together take about {} at that rate",
                                 Size(all.total()));
  if (!limit_bytes) {
    findings.Ok("memory.limit", what + "; there is no limit");
    return;
  }
  what += fmt::format(", of {}", Size(static_cast<double>(*limit_bytes)));
  if (!config.memory.spill.empty()) {
    findings.Ok("memory.limit", what + "; its edges lie on disk, in memory.spill");
    return;
  }
  if (all.total() <= static_cast<double>(MemoryBudget(*limit_bytes).slow_bytes())) {
    findings.Ok("memory.limit", what);
  } else {
    findings.Warn("memory.limit", what + ": reading would be slowed down, or stop",
                  "raise it, or make windows shorter");
  }
}

}  // namespace sash
