// The default of each key, as configurations write it. It is what a configuration without the key
// prints. The JSON Schema and the reference show it.
//
// Thread safety: free function; it parses a configuration at each call.
#pragma once

#include <map>
#include <string>

namespace sash {

// By pattern ("jobs[].parameters<bfs>.direction"), as text. Required keys have values too, which
// mean nothing. Keys without a default, or with one that depends on other keys, are missing.
using KeyDefaults = std::map<std::string, std::string>;

KeyDefaults FindDefaults();

}  // namespace sash
