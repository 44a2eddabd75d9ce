// The metrics of the process: their names, types, labels and meanings, which are an interface. Add,
// never rename. README.md in this folder lists the same, and a test compares them.
//
// Thread safety: any thread may read the catalogue, which never changes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sash {

enum class MetricKind : std::uint8_t { kCounter, kGauge, kHistogram };

struct MetricDescription {
  std::string_view name;
  MetricKind kind = MetricKind::kGauge;
  std::vector<std::string_view> labels;  // bounded: never vertex keys
  std::string_view help;
};

// In the order in which they are exported.
std::span<const MetricDescription> MetricCatalogue();

}  // namespace sash
