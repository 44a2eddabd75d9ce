// KernelProgress: what a kernel tells while it runs, to whoever can stop it and has a clock.
//
// Thread safety: called by the thread that called the kernel, alone.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "windows/base/phase_times.h"

namespace sash {

// What a run is at, in this order; a run of several traversals, or one that is held against
// another, is in the middle three more than once. The first and the last are not the kernel's.
enum class RunPhase : std::uint8_t {
  kWaiting,     // from when the run was asked for: other runs come first
  kPreparing,   // what the kernel needs of the graph is put together: rows, simple lists, roots
  kComputing,   // the iterations, levels, rounds or the one sweep that the kernel consists of
  kFinishing,   // what was found becomes a result: by id, ranked, named
  kDelivering,  // it is handed to whoever keeps it, and to sinks
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

  // Called by a kernel after every iteration; false asks it to stop. Kernels have no clock:
  // deadlines and cancellation are decided by whoever gives this. `residual` is 0 where a kernel
  // has none.
  bool operator()(int iteration, double residual) const { return iterated_(iteration, residual); }

  // Called by a kernel once a phase. It is called in kPreparing, says when it begins to compute,
  // and has begun to finish when it returns, unless there was nothing to do.
  void Begin(RunPhase phase) const {
    if (begun_) begun_(phase);
  }

 private:
  Iterated iterated_;
  Begun begun_;
};

}  // namespace sash
