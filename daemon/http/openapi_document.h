// The OpenAPI document of the HTTP API: the text of openapi.json beside this file, which the build
// puts into the program. Where it says "<kernels>", the document has the names of all kernels.
//
// Thread safety: pure.
#pragma once

#include <string_view>

namespace sash {

std::string_view OpenApiDocument();

}  // namespace sash
