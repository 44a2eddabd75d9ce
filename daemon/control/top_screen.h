// The screen of `sashctl top`: lines of text from the known state.
//
// Thread safety: free functions over values.
// Invariants:
// (1) Lines are printable, and fit the given width and height.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daemon/control/json_value.h"

namespace sash {

struct TopState {
  std::string job;
  JsonValue now;     // the newest result; null: none yet
  JsonValue before;  // the one before it; null: none
  std::string note;  // a problem with the connection; empty: none
};

// Takes a new result. A result of the same snapshot replaces the newest one; an older one is
// dropped.
void TakeResult(JsonValue result, TopState& state);

// One table of at most `rows` rows, with no limit on width.
std::string TopText(const TopState& state, std::size_t rows);

// A full screen: the first line is the title, the last one lists the keys.
std::vector<std::string> TopScreen(const TopState& state, std::size_t rows, std::size_t width,
                                   std::size_t height);

}  // namespace sash
