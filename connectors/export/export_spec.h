// ExportSpec: an export of windows, in one of the formats, or of slices (configuration: exports[]).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"

namespace sash {

enum class ExportKind : std::uint8_t { kFrozen, kParquet };

struct ExportSpec {
  std::string path{};                  // a folder
  std::vector<std::string> windows{};  // their names
  std::uint32_t every = 1;             // advances whose window end / slide is a multiple of it
  std::uint32_t keep = 2;              // snapshots of a window
  // The most bytes of all snapshots that have a name or are locked.
  std::uint64_t limit_bytes = std::uint64_t{4} << 30;
  ExportKind kind = ExportKind::kFrozen;
  // Slices of event time are written, and not windows: then `windows`, `every` and `keep` mean
  // nothing.
  bool slices = false;
  Duration keep_for = std::chrono::hours(24);  // how far slices reach back from the newest one
  // Only for frozen snapshots (LeaseBounds).
  std::uint32_t leases = 16;
  Duration lease_ttl = std::chrono::minutes(10);
  std::uint64_t lease_limit_bytes = std::uint64_t{2} << 30;

  friend bool operator==(const ExportSpec&, const ExportSpec&) = default;
};

// The key of the configuration, which is also the name in metrics.
constexpr std::string_view ExportWord(ExportKind kind) {
  return kind == ExportKind::kFrozen ? "frozen" : "parquet";
}

// The path of a key of the i-th export: "exports[0].frozen.path".
inline std::string ExportKey(const ExportSpec& spec, std::size_t i, std::string_view key) {
  return "exports[" + std::to_string(i) + "]." + std::string(ExportWord(spec.kind)) + "." +
         std::string(key);
}

}  // namespace sash
