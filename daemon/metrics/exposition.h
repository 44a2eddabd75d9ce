// Samples as text for Prometheus.
//
// Thread safety: a pure function.
#pragma once

#include <string>

#include "daemon/metrics/metric_samples.h"

namespace sash {

// The whole catalogue with `samples` in Prometheus' text format (version 0.0.4). A metric without a
// sample still shows its help and type.
std::string ExpositionText(const MetricSamples& samples);

}  // namespace sash
