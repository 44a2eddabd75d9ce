#include "daemon/metrics/metric_catalogue.h"

#include "daemon/metrics/part_samples.h"

namespace sash {
namespace {

std::vector<MetricDescription> MakeCatalogue() {
  std::vector<MetricDescription> all = {
      {"sash_build_info",
       MetricKind::kGauge,
       {"version", "compiler", "librdkafka", "microhttpd", "jemalloc"},
       "Always 1; the labels give the versions of sashd, the compiler and the libraries."},
  };
  for (const auto& part : {StreamMetrics(), WindowMetrics(), ExportMetrics(), ResultMetrics(),
                           MemoryMetrics(), ProcessMetrics()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

std::span<const MetricDescription> MetricCatalogue() {
  static const std::vector<MetricDescription> catalogue = MakeCatalogue();
  return catalogue;
}

}  // namespace sash
