// sashd --infer FILE: prints a configuration for a file whose format is not known.
#pragma once

#include <string>

namespace sash {

// "-" is standard input. Returns the exit code: 1 when the file cannot be read, when source and
// target cannot be told, or when standard output cannot be written.
int InferFile(const std::string& path);

}  // namespace sash
