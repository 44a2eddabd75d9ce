// Every key of the configuration, declared once. A section reader cannot ask for a key that is not
// here, a key in a file that is not here is an error, and a test holds configs/reference.yaml
// against this list.
//
// Patterns are dotted paths in which every index is "[]" and every free name is "*".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

// The keys of a section. The parameters of a job differ by kernel: "jobs[].parameters<bfs>".
std::span<const std::string_view> KeysOf(std::string_view section);

// All patterns, sections included ("windows", "windows[].name"), sorted, kernels merged.
std::vector<std::string> KnownKeys();

// Whether a later release will know this key.
bool IsPlannedKey(std::string_view pattern);

}  // namespace sash
