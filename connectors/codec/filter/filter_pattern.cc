#include "connectors/codec/filter/filter_pattern.h"

#include <re2/re2.h>

#include <utility>

namespace sash {

class FilterPattern::Compiled {
 public:
  explicit Compiled(const std::string& pattern) : re2(pattern, RE2::Quiet) {}
  const RE2 re2;
};

Result<FilterPattern> FilterPattern::Make(const std::string& pattern) {
  auto compiled = std::make_shared<const Compiled>(pattern);
  if (!compiled->re2.ok()) return Error{ErrorCode::kInvalidArgument, compiled->re2.error()};
  return FilterPattern(std::move(compiled));
}

bool FilterPattern::Matches(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled_->re2);
}

}  // namespace sash
