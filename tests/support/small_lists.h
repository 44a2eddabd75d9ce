// List sizes that make lists change their form often: a list of a few edges is already long, chunks
// hold four to eight edges, and index segments about six entries.
#pragma once

#include "windows/store/lists/list_sizes.h"

namespace sash::testing {

inline constexpr ListSizes kSmallLists = {.most_short = 6,
                                          .fewest_long = 3,
                                          .fewest_indexed = 8,
                                          .least_spare = 2,
                                          .slot_bits = 3,
                                          .least_slots = 2,
                                          .segment_entries = 6,
                                          .segment_capacity = 4};

}  // namespace sash::testing
