// The normal form of a path: equal for paths to the same place. Does not follow links.
//
// Thread safety: a function; it reads the working directory.
#pragma once

#include <string>

namespace sash {

std::string NormalPath(const std::string& path);

}  // namespace sash
