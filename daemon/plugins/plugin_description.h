// What a plug-in says about itself, as text: its process tells sashd, which does not load it.
//
// Thread safety: pure functions.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/plugins/plugin_library.h"
#include "windows/base/result.h"

namespace sash {

// Without its function: `table.run` is not to be called.
struct DescribedLibrary : PluginLibrary {
  std::list<std::string> texts{};  // that the table points into
};

std::string DescriptionOf(const PluginLibrary& library);
// The text is checked like a table in memory; `file` is where the plug-in is.
Result<std::shared_ptr<const PluginLibrary>> LibraryFrom(std::string_view description,
                                                         const std::string& file);

}  // namespace sash
