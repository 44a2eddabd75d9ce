// How far a window reaches: its keys length, slide, offset and retain, which count time or events
// (key `by`). This file reads and prints them, and says which of them are too many for memory.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "daemon/config/yaml_section.h"
#include "windows/slide/window_spec.h"

namespace sash {

// Reads the four keys into `spec`, whose axis is known, and reports to the section which of them
// are wrong: by themselves, together, or too short and too many.
void ReadExtents(const Section& window, WindowSpec& spec);

// A length, slide, offset or retain as its key is written: "10s", "1000".
std::string FormatExtent(std::int64_t extent, WindowAxis axis);

// Why the window would have too many slices if its axis is cut into panes of `pane`: more than
// kMostPanes, or (WhyNotWithin) more than fit into `limit_bytes`. None: it would not.
std::optional<std::string> WhyTooManyPanes(const WindowSpec& window, std::int64_t pane);
std::optional<std::string> WhyNotWithin(const WindowSpec& window, std::int64_t pane,
                                        std::uint64_t limit_bytes);

}  // namespace sash
