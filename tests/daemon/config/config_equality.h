// Equality of configurations. Keys are compared by their rows; kernel parameters are compared field
// by field, so that a test notices a field that is not printed.
#pragma once

#include <algorithm>
#include <tuple>
#include <variant>

#include "daemon/config/config.h"
#include "daemon/config/parse_config.h"

namespace sash {

inline auto Fields(const PageRankParameters& p) {
  return std::tie(p.damping, p.tolerance, p.max_iterations, p.warm_start, p.check_every, p.weighted,
                  p.sources);
}
inline auto Fields(const BfsParameters& p) {
  return std::tie(p.roots, p.direction, p.separate, p.parents, p.warm_start, p.check_every);
}
inline auto Fields(const SsspParameters& p) { return std::tie(p.roots, p.direction, p.delta); }
inline auto Fields(const CdlpParameters& p) { return std::tie(p.max_iterations); }
inline auto Fields(const DegreeParameters& p) { return std::tie(p.direction); }
inline auto Fields(const FanoutParameters& p) { return std::tie(p.direction); }
// Kernels without parameters.
template <typename Parameters>
requires(std::is_empty_v<Parameters> &&
         !Parameters::kKernel.empty()) inline auto Fields(const Parameters&) {
  return std::tuple<>();
}

inline bool SameParameters(const JobSpec& a, const JobSpec& b) {
  return std::visit(
      [](const auto& left, const auto& right) {
        if constexpr (std::is_same_v<decltype(left), decltype(right)>) {
          return Fields(left) == Fields(right);
        }
        return false;
      },
      a.parameters, b.parameters);
}

inline bool Same(const Config& a, const Config& b) {
  return SameConfig(a, b) && std::ranges::equal(a.jobs, b.jobs, SameParameters);
}

}  // namespace sash
