// The bytes that a text has allocated outside its object.
//
// Thread safety: a pure function.
#pragma once

#include <cstddef>
#include <string>

#include "windows/base/allocated_bytes.h"

namespace sash {

inline std::size_t TextBytes(const std::string& text) {
  // Short texts are stored inside the string.
  return text.capacity() > std::string().capacity() ? AllocatedBytes(text.capacity() + 1) : 0;
}

}  // namespace sash
