#include "daemon/forecast/capacity_report.h"

#include <fmt/format.h>

#include "daemon/config/scalar_text.h"
#include "daemon/forecast/memory_forecast.h"
#include "daemon/memory/memory_budget.h"
#include "daemon/memory/memory_limit.h"

namespace sash {
namespace {

constexpr double kMillion = 1e6;

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

// Before the first run it is not known whether the graph has hubs.
void TellSpill(Findings& findings) {
  findings.Warn("memory.spill",
                "edges are on disk, the data of vertices is not: on a graph with hubs (R-MAT "
                "scale 18, 8 M edges) PageRank takes 83 times as long in two thirds of the memory "
                "needed, and had not ended after 9 minutes in one third",
                "use it for graphs without hubs; give others the memory, or shorter windows");
}

}  // namespace

void TellCapacity(const Config& config, std::optional<std::uint64_t> limit_bytes,
                  Findings& findings) {
  for (const WindowSpec& window : config.windows) {
    const WindowSpec& payer = PayerOf(config, window);
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
  for (const WindowSpec& window : config.windows) {
    const std::string rate = fmt::format("at {} events/s ({})", Count(events_per_second), when);
    const std::optional<double> edges = EdgesAtRate(window, events_per_second);
    if (&PayerOf(config, window) != &window) continue;
    if (!edges) {
      const double hour = ForecastWindow(config, window, events_per_second * 3600).held;
      findings.Ok(Where(config, window),
                  fmt::format("{} it grows by about {} an hour, without end", rate, Size(hour)));
      continue;
    }
    const ForecastBytes bytes = ForecastWindow(config, window, *edges);
    findings.Ok(Where(config, window), fmt::format("{} it holds about {} edges: about {}", rate,
                                                   Count(*edges), Sizes(bytes)));
  }
  const ForecastBytes all = ForecastAll(config, events_per_second);
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
