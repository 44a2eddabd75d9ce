// Responses of the API as tables for people; detail_text.h shows those of any other form.
//
// Thread safety: free functions over values.
// Invariants:
// (1) The returned text is printable, and ends with a line end unless it is empty.
// (2) Unknown members of the API are shown or ignored; missing members are shown as kNothing.
#pragma once

#include <string>

#include "daemon/control/json_value.h"

namespace sash {

std::string WindowsText(const JsonValue& windows);
std::string JobsText(const JsonValue& jobs);
std::string AlertsText(const JsonValue& alerts);
std::string LeasesText(const JsonValue& leases);

// The reason in a sentence, then everything it is based on.
std::string WhyText(const JsonValue& why);

// A path between two vertices: its vertices on one line, then its edges.
std::string PathText(const JsonValue& path);

// An edge of the tap, on one line.
std::string EdgeText(const JsonValue& edge);

// The settings that a reload has changed, and those that need a restart.
std::string ReloadText(const JsonValue& reload);

}  // namespace sash
