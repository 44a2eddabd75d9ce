// PluginKernel: a kernel of a plug-in that is loaded, as the engine knows it: what the plug-in says
// about itself, and its functions. The daemon loads plug-ins (daemon/plugins); the engine calls
// them.
//
// Thread safety: immutable. Any thread may call the functions of the table.
//
// Invariants
//   (1) The table is complete: its size was checked, its texts are not null, its output is one of
//       the four, and the library that it points into stays loaded.
//   (2) Values of parameters fit the schema of the plug-in: each of its parameters has one.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "windows/jobs/plugin/sash/kernel.h"

namespace sash {

using PluginValue = std::variant<bool, std::int64_t, double, std::string>;

struct PluginParameter {
  std::string name{};
  PluginValue value{};
  friend bool operator==(const PluginParameter&, const PluginParameter&) = default;
};

struct PluginKernel {
  std::string file{};
  std::string title{};  // "reciprocity 1.0"
  std::vector<std::string> figures{};
  sash_kernel table{};
};

}  // namespace sash
