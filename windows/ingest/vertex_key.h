#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace sash {

// The user's name of a vertex. All keys of a stream have one kind. The variant orders keys as
// results do: integers numerically, strings by their UTF-8 bytes.
using VertexKey = std::variant<std::int64_t, std::string>;

}  // namespace sash
