// The task of a plug-in's process (graph_image.h), as that process reads it.
//
// Thread safety: a free function.
#pragma once

#include <memory>
#include <string>

#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/store/window_view.h"

namespace sash {

struct ReadTask {
  std::string request{};
  std::unique_ptr<VertexDictionary> keys{};  // null: a request alone
  WindowView view{};
};

// Reads the descriptor, and closes it as soon as its content was read.
Result<ReadTask> ReadTaskFile(int descriptor);

}  // namespace sash
