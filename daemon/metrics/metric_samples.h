// MetricSamples: the values of one scrape.
//
// Thread safety: a value; owned by one thread.
//
// Invariant: (1) every sample belongs to a metric of the catalogue, and has a value for each label.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/metrics/histogram.h"
#include "daemon/metrics/metric_catalogue.h"

namespace sash {

// A histogram with its own bounds.
struct BoundedCounts {
  std::span<const double> bounds;      // must live as long as the process
  std::vector<std::uint64_t> buckets;  // not cumulative; one more than bounds
  double sum = 0;
};

struct MetricSample {
  std::vector<std::string> label_values;  // in the order of the metric's labels
  std::variant<double, BoundedCounts> value;
};

class MetricSamples {
 public:
  void Set(std::string_view metric, std::vector<std::string> label_values, double value);
  void Set(std::string_view metric, std::vector<std::string> label_values,
           const HistogramCounts& value);
  void Set(std::string_view metric, std::vector<std::string> label_values, BoundedCounts value);

  const std::vector<MetricSample>& Of(std::string_view metric) const;

 private:
  std::map<std::string_view, std::vector<MetricSample>> samples_;
};

}  // namespace sash
