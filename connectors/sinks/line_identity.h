// What a line of JSON in a file of results says of itself: which result it is, or a row of which.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "connectors/sinks/result_key.h"

namespace sash {

struct LineIdentity {
  std::optional<ResultIdentity> result{};  // none: the line is not one that Sash writes
  std::optional<std::uint64_t> schema{};   // also of other lines that have one
  bool is_test = false;                    // of an alert; it has no identity of its own
  bool is_final = true;                    // false, and no cut: it is not known which cut it has
  std::optional<std::uint64_t> row{};      // of a row of the result: its number, from 1
  std::uint64_t rows = 0;                  // how many the result has
};

// The line may be cut after its first 64 KiB.
LineIdentity IdentityOfLine(std::string_view line);

}  // namespace sash
