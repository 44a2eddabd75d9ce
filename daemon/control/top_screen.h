// What `sashctl top` shows: lines of text, from what is known.
//
// Thread safety: free functions over values.
// Invariants:
// (1) Lines are printable, and at most as wide and as many as there is room for.
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
  std::string note;  // what is wrong with the connection; empty: nothing
};

// A result that has come. One of the same snapshot replaces the newest, an older one is left out.
void TakeResult(JsonValue result, TopState& state);

// One table, of at most `rows` rows, as wide as it is.
std::string TopText(const TopState& state, std::size_t rows);

// As a screen: the first line is the title, the last one says which keys do what.
std::vector<std::string> TopScreen(const TopState& state, std::size_t rows, std::size_t width,
                                   std::size_t height);

}  // namespace sash
