// The keys of plug-ins: the list `plugins` of the configuration, and what a job with
// `kernel: plugin` has in place of a kernel's parameters. Whether the values fit is known only when
// the plug-in is loaded (daemon/plugins).
//
// Thread safety: free functions over values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/key_row.h"
#include "windows/jobs/kinds/plugin.h"

namespace sash {

// Paths, each once.
struct PluginPathsForm {
  std::vector<Shape> Shapes() const;
  void Read(const Section& root, const KeySpec& key, std::vector<std::string>& paths) const;
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& paths) const;
};

// The keys `plugin`, `isolate` and `parameters` of a job with `kernel: plugin`.
PluginParameters ReadPlugin(const Section& job);
// Those that a job with another kernel must not have.
void RefusePluginKeys(const Section& job, std::string_view kernel);
// Prints the keys at the depth of a job's keys.
void PrintPlugin(YamlPrinter& out, const PluginParameters& parameters);

}  // namespace sash
