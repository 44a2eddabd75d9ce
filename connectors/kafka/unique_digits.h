// Unique digits: by which brokers and readers tell one life of a process, or one folder, from all
// others.
//
// Thread safety: any thread.
#pragma once

#include <string>

namespace sash {

// Eight hexadecimal digits that nobody else has.
std::string UniqueDigits();

}  // namespace sash
