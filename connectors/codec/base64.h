// Base64 (RFC 4648), as members of JSON hold bytes.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sash {

// Decodes the text into `bytes`, in place of their content. False if the text is not Base64 with
// its padding.
bool DecodeBase64(std::string_view text, std::string& bytes);

}  // namespace sash
