#include "daemon/metrics/exposition.h"

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace sash {
namespace {

prometheus::MetricType TypeOf(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter:
      return prometheus::MetricType::Counter;
    case MetricKind::kGauge:
      return prometheus::MetricType::Gauge;
    case MetricKind::kHistogram:
      break;
  }
  return prometheus::MetricType::Histogram;
}

prometheus::ClientMetric::Histogram Cumulative(const BoundedCounts& counts) {
  prometheus::ClientMetric::Histogram histogram;
  for (std::size_t i = 0; i < counts.buckets.size(); ++i) {
    histogram.sample_count += counts.buckets[i];
    const double bound =
        i < counts.bounds.size() ? counts.bounds[i] : std::numeric_limits<double>::infinity();
    histogram.bucket.push_back({histogram.sample_count, bound});
  }
  histogram.sample_sum = counts.sum;
  return histogram;
}

prometheus::ClientMetric Translate(const MetricDescription& about, const MetricSample& sample) {
  prometheus::ClientMetric metric;
  for (std::size_t i = 0; i < about.labels.size(); ++i) {
    metric.label.push_back({std::string(about.labels[i]), sample.label_values[i]});
  }
  if (const auto* counts = std::get_if<BoundedCounts>(&sample.value)) {
    metric.histogram = Cumulative(*counts);
  } else if (about.kind == MetricKind::kCounter) {
    metric.counter.value = std::get<double>(sample.value);
  } else {
    metric.gauge.value = std::get<double>(sample.value);
  }
  return metric;
}

// Hands the samples to prometheus-cpp.
class Scrape final : public prometheus::Collectable {
 public:
  explicit Scrape(const MetricSamples& samples) : samples_(samples) {}

  std::vector<prometheus::MetricFamily> Collect() const override {
    std::vector<prometheus::MetricFamily> families;
    for (const MetricDescription& about : MetricCatalogue()) {
      prometheus::MetricFamily& family = families.emplace_back();
      family.name = about.name;
      family.help = about.help;
      family.type = TypeOf(about.kind);
      for (const MetricSample& sample : samples_.Of(about.name)) {
        family.metric.push_back(Translate(about, sample));
      }
    }
    return families;
  }

 private:
  const MetricSamples& samples_;
};

}  // namespace

std::string ExpositionText(const MetricSamples& samples) {
  const prometheus::TextSerializer serializer;
  return serializer.prometheus::Serializer::Serialize(Scrape(samples).Collect());
}

}  // namespace sash
