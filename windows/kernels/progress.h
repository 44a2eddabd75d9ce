// KernelProgress: what a kernel reports while it runs. The receiver has a clock and can stop the
// kernel.
//
// Thread safety: called only by the thread that called the kernel.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "windows/base/phase_times.h"

namespace sash {

// The phases of a run, in order. A run of several traversals, or one that is compared with another
// run, goes through the middle three more than once. The first and the last are outside the kernel.
enum class RunPhase : std::uint8_t {
  kWaiting,     // from the request for the run on: other runs come first
  kPreparing,   // the kernel's inputs are built: rows, simple lists, roots
  kComputing,   // the iterations, levels, rounds or the one sweep that the kernel consists of
  kFinishing,   // the findings become a result: by id, ranked, named
  kDelivering,  // the result is handed to the history and to sinks
};

template <>
struct PhaseNames<RunPhase> {
  static constexpr std::array<std::string_view, 5> kAll = {"waiting", "preparing", "computing",
                                                           "finishing", "delivering"};
};
using RunPhases = PhaseTimes<RunPhase>;

class KernelProgress {
 public:
  using Iterated = std::function<bool(int iteration, double residual)>;
  using Begun = std::function<void(RunPhase)>;

  KernelProgress() = default;
  template <typename Function>
  requires(!std::same_as<Function, KernelProgress> && std::convertible_to<Function, Iterated>)
      KernelProgress(Function iterated, Begun begun = {})
      : iterated_(std::move(iterated)), begun_(std::move(begun)) {}

  explicit operator bool() const { return iterated_ != nullptr; }

  // Called by a kernel after every iteration; false asks it to stop. Kernels have no clock: the
  // caller that gives this object decides on deadlines and cancellation. `residual` is 0 for
  // kernels without one.
  bool operator()(int iteration, double residual) const { return iterated_(iteration, residual); }

  // Called by a kernel at the start of each phase. A kernel is called in kPreparing and reports
  // when it begins to compute. It has begun to finish when it returns, unless there was nothing to
  // do.
  void Begin(RunPhase phase) const {
    if (begun_) begun_(phase);
  }

 private:
  Iterated iterated_;
  Begun begun_;
};

}  // namespace sash
