// The row of a result of `edge_features`, in JSON.
//
// Thread safety: a pure function.
#pragma once

#include "connectors/sinks/json_text.h"
#include "windows/jobs/result_rows.h"

namespace sash {

// An object. `longest_cycle`: it has the number of cycles for each length from 2 to this.
void WriteFeatures(const FeaturesOfPair& pair, int longest_cycle, JsonText& json);

}  // namespace sash
