// ShapeRemarks: parts of records that the proposal does not use: envelopes, lists, JSON in strings.
// Each remark names the key of the configuration that reads it.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "daemon/infer/sample_table.h"

namespace sash {

// Sentences for people. `has_edge`: source and target are known; then lists are not mentioned.
std::vector<std::string> ShapeRemarks(const SampleTable& table, bool has_edge);

}  // namespace sash
