// Outbox name: a stable ID of eight digits, stored in the file `name` of an outbox folder. It stays
// the same after a restart and when the folder is moved. The marks of a topic (SentMarks) refer to
// it.
//
// Thread safety: a free function; one thread at a time for a folder.
#pragma once

#include <string>

#include "windows/base/result.h"

namespace sash {

// Reads the name, or creates one if it is missing. The folder must exist, and no other process may
// use it.
Result<std::string> NameOfOutbox(const std::string& folder);

}  // namespace sash
