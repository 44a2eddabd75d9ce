// FilterPattern: a regular expression of matches() (RE2's syntax, as in CEL), or of topics.
//
// Thread safety: a pattern can be used by several threads at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "windows/base/result.h"

namespace sash {

class FilterPattern {
 public:
  // The error's message says what RE2 rejects.
  static Result<FilterPattern> Make(const std::string& pattern);

  // Whether any part of `text` matches; ^ and $ anchor. RE2's automaton takes memory when it meets
  // texts of a new kind, up to a fixed limit, and none after that.
  bool Matches(std::string_view text) const;

 private:
  class Compiled;
  explicit FilterPattern(std::shared_ptr<const Compiled> compiled)
      : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace sash
