#include "daemon/metrics/metric_samples.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

const MetricDescription& Describe(std::string_view metric) {
  const auto catalogue = MetricCatalogue();
  const auto found = std::ranges::find(catalogue, metric, &MetricDescription::name);
  SASH_CHECK(found != catalogue.end());
  return *found;
}

}  // namespace

void MetricSamples::Set(std::string_view metric, std::vector<std::string> label_values,
                        double value) {
  const MetricDescription& about = Describe(metric);
  SASH_CHECK(about.kind != MetricKind::kHistogram && about.labels.size() == label_values.size());
  samples_[about.name].push_back({std::move(label_values), value});
}

void MetricSamples::Set(std::string_view metric, std::vector<std::string> label_values,
                        const HistogramCounts& value) {
  Set(metric, std::move(label_values),
      BoundedCounts{.bounds = kSecondsBounds,
                    .buckets = {value.buckets.begin(), value.buckets.end()},
                    .sum = value.sum});
}

void MetricSamples::Set(std::string_view metric, std::vector<std::string> label_values,
                        BoundedCounts value) {
  const MetricDescription& about = Describe(metric);
  SASH_CHECK(about.kind == MetricKind::kHistogram && about.labels.size() == label_values.size());
  SASH_CHECK(value.buckets.size() == value.bounds.size() + 1);
  samples_[about.name].push_back({std::move(label_values), std::move(value)});
}

const std::vector<MetricSample>& MetricSamples::Of(std::string_view metric) const {
  static const std::vector<MetricSample> none;
  const auto found = samples_.find(metric);
  return found == samples_.end() ? none : found->second;
}

}  // namespace sash
