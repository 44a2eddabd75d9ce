#include "daemon/config/source_topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace sash {

SourceTopics::SourceTopics(const SourceConfig& source) {
  if (source.is_replay()) names_ = {"replay"};
  const auto* kafka = std::get_if<KafkaSpec>(&source.connector);
  if (kafka == nullptr) return;
  names_ = kafka->topics;
  pattern_ = kafka->topic_pattern;
  if (!pattern_.empty()) choice_.emplace(*kafka);
}

bool SourceTopics::MayHave(const std::string& topic) const {
  if (choice_) return choice_->Takes(topic);
  return names_.empty() || std::ranges::find(names_, topic) != names_.end();
}

std::string SourceTopics::Text() const {
  return pattern_.empty() ? fmt::format("{}", fmt::join(names_, ", "))
                          : fmt::format("those that match `{}`", pattern_);
}

}  // namespace sash
