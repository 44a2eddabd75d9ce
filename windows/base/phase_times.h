// PhaseTimes: the time spent in each phase of some work.
//
// Thread safety: a value.
//
// Invariant: (1) an instant counts in at most one phase, so the times add up.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <string_view>

#include "windows/base/clock.h"

namespace sash {

// Specialised for each enum of phases: kAll has the names of the enum's values, in their order.
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

  // Calls visit(name, time) in the order of the phases.
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
