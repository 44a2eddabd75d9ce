// Unique digits, by which brokers and readers distinguish runs of a process, or folders.
//
// Thread safety: any thread.
#pragma once

#include <string>

namespace sash {

// Eight hexadecimal digits, different in each call.
std::string UniqueDigits();

}  // namespace sash
