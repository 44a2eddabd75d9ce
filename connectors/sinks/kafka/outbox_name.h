// Outbox name: by what a folder of an outbox is known to those who read what came by way of it,
// over restarts and wherever it is moved: eight digits that it is given at first, in its file
// `name`.
#pragma once

#include <string>

#include "windows/base/result.h"

namespace sash {

// The folder must be there, and used by no other process. A name that is lost is replaced.
Result<std::string> NameOfOutbox(const std::string& folder);

}  // namespace sash
