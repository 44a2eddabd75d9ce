// The OpenAPI document of the HTTP API: the text of openapi.json in this folder, which the build
// embeds into the program. "<kernels>" in the file is replaced by the names of all kernels.
//
// Thread safety: pure.
#pragma once

#include <string_view>

namespace sash {

std::string_view OpenApiDocument();

}  // namespace sash
