// The id of an edge from its text.
//
// Thread safety: a pure function.
#pragma once

#include <cstdint>
#include <string_view>

#include "windows/ingest/edge_id.h"

namespace sash {

// Different texts, and equal texts of different entries, have different ids: two of 128 bits are
// equal by chance with a probability of 2^-128. The result is never the id that stands for no id.
EdgeId EdgeIdOf(std::string_view text, std::uint64_t entry);

}  // namespace sash
