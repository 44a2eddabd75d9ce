// The filter of a window as one text (FilterTexts): the types of the edges that it lets pass, and
// the expression that it asks of their records. Equal filters have equal texts.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

struct WindowFilter {
  std::vector<std::string> types{};  // sorted, each once; empty: edges of all types and of none
  std::string where{};               // empty: all records
};

// The expression alone if there are no types; otherwise `types: "a", "b"; EXPRESSION`, and no
// expression begins like that. Empty: all edges pass.
std::string FilterText(std::span<const std::string> types, std::string_view where);

// The filter of such a text. A text that is broken is an expression.
WindowFilter ParseFilterText(std::string_view text);

}  // namespace sash
