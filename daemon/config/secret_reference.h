// References to values outside the file: ${env:NAME} and ${file:PATH}, anywhere in a scalar.
// `$${env:` and `$${file:` are escapes for the text itself.
//
// Thread safety: pure functions, but for the files and environment variables that are read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"

namespace sash {

struct ResolvedText {
  std::string text;
  bool has_references = false;
};

// Fails if a variable is not set, a file cannot be read or is larger than 64 KiB, or a brace is
// missing. Errors name the reference, never a value. One line break at the end of a file is
// removed.
Result<ResolvedText> ResolveReferences(std::string_view written);

// The paths in the ${file:PATH} references of a text that resolves.
std::vector<std::string> FilesReferenced(std::string_view written);

// Text that resolves to `text`.
std::string EscapeReferences(std::string_view text);

// Whether a librdkafka option of this name holds something that must not be printed.
bool IsSecretOption(std::string_view option);

inline constexpr std::string_view kRedacted = "<redacted>";

}  // namespace sash
