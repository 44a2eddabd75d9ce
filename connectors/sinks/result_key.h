#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "windows/jobs/run_result.h"

namespace sash {

// Every key begins so.
inline constexpr std::string_view kResultKeyHead = R"({"job":)";

// An identity but for its position.
struct ResultOrigin {
  std::string job;
  std::string window;
  bool counted = false;  // windows by events: the position is the last accepted event
  friend auto operator<=>(const ResultOrigin&, const ResultOrigin&) = default;
};

struct ResultIdentity {
  ResultOrigin origin;
  std::int64_t position = 0;  // else the window's end in nanoseconds
  friend bool operator==(const ResultIdentity&, const ResultIdentity&) = default;
};

ResultIdentity IdentityOf(const RunResult& result);

// The identity of a result (DESIGN: Time and determinism) as one JSON object: {"job", "window",
// "window_end"}, the last one being "accepted" for windows by events. The same result has the same
// key for ever, so in a topic a replay overwrites what was there.
std::string ResultKey(const ResultIdentity& result);
std::string ResultKey(const RunResult& result);

// Of the result that has this key; nothing for any other text.
std::optional<ResultIdentity> IdentityOfKey(std::string_view key);

}  // namespace sash
