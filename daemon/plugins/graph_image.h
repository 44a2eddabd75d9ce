// The task of a plug-in's process: a request in JSON, and the frozen snapshot of a window, in a
// file in memory that has no name. Vertices are places in the list of the view's vertices, so ids
// have no holes; their order is that of the ids.
//
// Thread safety: free functions; a file belongs to one thread.
//
// Invariants
//   (1) The file is sealed before anybody else gets it: its reader cannot change it.
//   (2) The image has the weights, types, keys and lists of the view. Only the order within a list
//       may differ.
#pragma once

#include <functional>
#include <string_view>

#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/store/window_view.h"

namespace sash {

// A file in memory, closed at the end.
class TaskFile {
 public:
  explicit TaskFile(int descriptor) : descriptor_(descriptor) {}
  TaskFile(TaskFile&& other) noexcept;
  TaskFile& operator=(TaskFile&&) = delete;
  ~TaskFile();
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// Without a window: a request alone.
Result<TaskFile> WriteTask(std::string_view request);
// Asks `goes_on` now and then; nothing in the file is whole after it has said no, and the error is
// kUnavailable.
Result<TaskFile> WriteTask(std::string_view request, const WindowView& view,
                           const VertexDictionary& keys, const std::function<bool()>& goes_on);

}  // namespace sash
