#include "daemon/forecast/measured_bytes.h"

namespace sash {
namespace {

constexpr double kRetainedSlices = 2.3;  // per edge: a lane's record of its slices

MeasuredBytes WithSlices(MeasuredBytes store) {
  store.edge += kRetainedSlices;
  store.weighted_edge += kRetainedSlices;
  return store;
}

}  // namespace

MeasuredBytes KeptBytes(const StoreSpec& spec) {
  const bool weigh = spec.duplicates == DuplicatesPolicy::kWeigh;
  if (spec.kind == StoreKind::kRebuild) {
    // In weigh an edge with copies has a sum, which is stored like a weight.
    return WithSlices({.edge = weigh ? 35.0 : 17.0, .weighted_edge = 43, .vertex = 25});
  }
  if (weigh) return WithSlices({.edge = 65, .weighted_edge = 65, .vertex = 38});
  if (spec.duplicates == DuplicatesPolicy::kDrop) {
    return WithSlices({.edge = 28.5, .weighted_edge = 52.5, .vertex = 41});
  }
  if (spec.removals) return WithSlices({.edge = 32, .weighted_edge = 56, .vertex = 41});
  return WithSlices({.edge = 14, .weighted_edge = 38, .vertex = 41});
}

MeasuredBytes AdvanceBytes(const StoreSpec& spec) {
  if (spec.kind == StoreKind::kMultiversioned) return {};
  const bool weigh = spec.duplicates == DuplicatesPolicy::kWeigh;
  return {.edge = weigh ? 55.0 : 18.3, .weighted_edge = 55, .vertex = 47};
}

double KeyBytes(KeyKind kind) { return kind == KeyKind::kInteger ? 33 : 42; }

}  // namespace sash
