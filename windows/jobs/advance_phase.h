// AdvancePhase: the phases of an advance of a window, the same for every store.
//
// Slices that several windows hold are frozen once, and each store takes them in once. That time
// counts in each of these windows.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "windows/base/phase_times.h"

namespace sash {

enum class AdvancePhase : std::uint8_t {
  // From the moment when the engine sees that the window's end has passed: other windows move, or a
  // job holds the stream. Not in Advance::seconds.
  kWaiting,
  kFreezing,  // a slice closes: its logs are merged into the order of effect, its vertices counted
  kSorting,   // its edges are put in the order of the store's lists (multiversioned)
  kEntering,  // they enter the lists, and end what they replace or remove (multiversioned)
  kAgeing,    // the oldest slices leave the window, and the lists when no other holds them
  kPublishing,  // the view is made; rebuild: sorted, folded and built from all slices
  kReleasing,   // slices that no window holds are freed, with the references to their vertices
  kOther,       // accounts, provenance, slices handed to the checkpoint writer
};

template <>
struct PhaseNames<AdvancePhase> {
  static constexpr std::array<std::string_view, 8> kAll = {
      "waiting", "freezing", "sorting", "entering", "ageing", "publishing", "releasing", "other"};
};
using AdvancePhases = PhaseTimes<AdvancePhase>;

// The duration of an advance without the waiting.
inline double WorkSeconds(const AdvancePhases& phases) {
  return ToSeconds(phases.total() - phases[AdvancePhase::kWaiting]);
}

}  // namespace sash
