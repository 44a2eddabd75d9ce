// What a worker or a plug-in says about its failure, as far as it is kept: the text goes to the
// log, to the API and into the memory of ended runs, and may be of any length.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "windows/base/utf8.h"

namespace sash {

inline constexpr std::size_t kMostReasonKept = 4 << 10;  // bytes

inline std::string KeptReason(std::string why) {
  if (why.size() <= kMostReasonKept) return why;
  return std::string(Beginning(why, kMostReasonKept)) + "...";
}

}  // namespace sash
