// PluginLibrary: a shared object that is loaded into this process, and its kernel.
//
// Thread safety: immutable. LoadPluginLibrary() may be called by any thread.
//
// Invariants
//   (1) A library whose kernel was accepted stays loaded until the process ends: its code may have
//       started threads, and results name its texts.
//   (2) One path has one library: when the file at the path has changed since it was loaded, it is
//       refused, because the dynamic linker would answer with the old one.
#pragma once

#include <memory>
#include <string>

#include "daemon/plugins/parameter_schema.h"
#include "windows/base/result.h"
#include "windows/jobs/plugin/plugin_kernel.h"

namespace sash {

struct PluginLibrary : PluginKernel {
  ParameterSchema schema{};
};

// Checks what `table` says about the kernel, and fills the other members but `file` from it.
Status FillLibrary(PluginLibrary& library);

// Loads the file, which is permitted (plugin_file.h), and checks its ABI, its symbol and what it
// says about itself. This runs the constructors of the library. The error says what is wrong.
Result<std::shared_ptr<const PluginLibrary>> LoadPluginLibrary(const std::string& file);

}  // namespace sash
