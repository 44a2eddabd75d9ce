// PhaseTimes: how long something was in each of its phases.
//
// Thread safety: a value.
//
// Invariant: (1) an instant counts in one phase at most, so that times add up.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <string_view>

#include "windows/base/clock.h"

namespace sash {

// What an enum of phases provides beside itself: kAll, the names of its values in their order.
template <typename Phase>
struct PhaseNames;

template <typename Phase>
std::string_view PhaseName(Phase phase) {
  return PhaseNames<Phase>::kAll[static_cast<std::size_t>(phase)];
}

template <typename Phase>
class PhaseTimes {
 public:
  Duration& operator[](Phase phase) { return times_[static_cast<std::size_t>(phase)]; }
  Duration operator[](Phase phase) const { return times_[static_cast<std::size_t>(phase)]; }

  PhaseTimes& operator+=(const PhaseTimes& other) {
    for (std::size_t i = 0; i < times_.size(); ++i) times_[i] += other.times_[i];
    return *this;
  }

  Duration total() const { return std::accumulate(times_.begin(), times_.end(), Duration()); }

  // visit(name, time), in the order of the phases.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (std::size_t i = 0; i < times_.size(); ++i) visit(PhaseNames<Phase>::kAll[i], times_[i]);
  }

  friend bool operator==(const PhaseTimes&, const PhaseTimes&) = default;

 private:
  std::array<Duration, PhaseNames<Phase>::kAll.size()> times_{};
};

inline double ToSeconds(Duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace sash
