// The names of items in lists (windows, jobs, alerts): what is written, what exists, what is taken.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/yaml_section.h"

namespace sash {

// The names of the items of `key` ("windows", "jobs"), including invalid ones: a reference to an
// invalid name is not reported a second time.
std::vector<std::string> WrittenNames(const Section& root, std::string_view key);

// Reads `key`, which is required and names an item of the list `key` + "s": one of `known`.
void RequireNameOf(const Section& section, std::string_view key,
                   const std::vector<std::string>& known, std::string& name);

// Reads `key` ("windows", "jobs"), which lists names of items of the list of this name: each one of
// `known`, none twice, at least one. `expected`: the forms of the value, for messages.
void ReadNamesOf(const Section& section, std::string_view key, std::string_view expected,
                 const std::vector<std::string>& known, std::vector<std::string>& names);

// Reads the name of one item and adds it to `taken`, where it must not exist yet.
void ReadDistinctName(const Section& item, std::vector<std::string>& taken, std::string& name);

}  // namespace sash
