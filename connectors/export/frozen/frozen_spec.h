// FrozenSpec: an export of windows as frozen snapshots (configuration: exports[].frozen).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sash {

struct FrozenSpec {
  std::string path{};                  // a folder
  std::vector<std::string> windows{};  // their names
  std::uint32_t every = 1;             // advances whose window end / slide is a multiple of it
  std::uint32_t keep = 2;              // snapshots of a window
  // Of all snapshots that have a name or are locked.
  std::uint64_t limit_bytes = std::uint64_t{4} << 30;

  friend bool operator==(const FrozenSpec&, const FrozenSpec&) = default;
};

using ExportSpec = std::variant<FrozenSpec>;

}  // namespace sash
