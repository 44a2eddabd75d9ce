#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace sash {

// The user's name for a vertex. All keys of a stream are of one kind, and the variant orders keys
// of one kind as results do: integers numerically, strings by their UTF-8 bytes.
using VertexKey = std::variant<std::int64_t, std::string>;

}  // namespace sash
