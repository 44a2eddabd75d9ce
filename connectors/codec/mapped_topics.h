// MappedTopics: the topics whose records a mapping takes: those that it names, those whose names
// match its pattern, or all.
//
// Thread safety: can be used by several threads at once.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/filter/filter_pattern.h"
#include "connectors/codec/format_spec.h"
#include "windows/base/result.h"

namespace sash {

class MappedTopics {
 public:
  // The error says what RE2 rejects.
  static Result<MappedTopics> Of(const FormatSpec& mapping) {
    MappedTopics topics;
    topics.names_ = mapping.topics;
    topics.pattern_ = mapping.topic_pattern;
    if (topics.pattern_.empty()) return topics;
    Result<FilterPattern> compiled = FilterPattern::Make(topics.pattern_);
    if (!compiled.ok()) return std::move(compiled).error();
    topics.compiled_ = std::move(compiled).value();
    return topics;
  }

  const std::vector<std::string>& names() const { return names_; }
  const std::string& pattern() const { return pattern_; }
  bool are_all() const { return names_.empty() && pattern_.empty(); }
  bool Take(std::string_view topic) const {
    if (compiled_) return compiled_->Matches(topic);
    return names_.empty() || std::ranges::find(names_, topic) != names_.end();
  }

 private:
  MappedTopics() = default;

  std::vector<std::string> names_;
  std::string pattern_;
  std::optional<FilterPattern> compiled_;
};

}  // namespace sash
