// The comments of configs/reference.yaml: the words, default, range and change of each key, from
// its row. Values, alternatives, headings and the order of keys are written by hand in that file.
//
// Thread safety: free function.
#pragma once

#include <string>
#include <string_view>

namespace sash {

// `reference` with the comment above the first occurrence of each known key replaced by the
// comment from the key's row. Everything else stays. A comment belongs to a key if no other line is
// between them. Lines have at most 100 columns. Words that a key shares with an earlier key are
// written once; the later key refers to the earlier one.
std::string WithCommentsOfRows(std::string_view reference);

}  // namespace sash
