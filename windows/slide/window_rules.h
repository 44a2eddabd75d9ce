// WindowRules: which windows an engine accepts. An error names the key of the window that is wrong,
// and says what would be right.
//
// Thread safety: pure functions.
#pragma once

#include <string>

#include "windows/base/result.h"
#include "windows/ingest/axis_position.h"
#include "windows/slide/window_spec.h"

namespace sash {

// kInvalidArgument.
Error RefusedWindow(std::string reason);

// The window by itself, without regard to other windows and to the engine.
Status CheckWindow(const WindowSpec& spec);

// Whether the window, which is sound by itself, can join windows of its axis that have this pane.
Status CheckPane(const WindowSpec& spec, Position pane);

}  // namespace sash
