// The OpenAPI document of the HTTP API: the text of openapi.json beside this file, which the build
// puts into the program.
#pragma once

#include <string_view>

namespace sash {

std::string_view OpenApiDocument();

}  // namespace sash
