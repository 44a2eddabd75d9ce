// AskedExport: what becomes of a window that a user wants to be exported now.
#pragma once

#include <cstdint>
#include <string>

namespace sash {

struct AskedExport {
  enum class State : std::uint8_t { kWaiting, kWritten };
  std::string name{};             // of the export: "parquet:export"
  std::string folder{};           // of the window's snapshots: an absolute path
  State state = State::kWaiting;  // kWritten: the newest advance is written already
};

}  // namespace sash
