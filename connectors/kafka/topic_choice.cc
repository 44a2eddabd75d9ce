#include "connectors/kafka/topic_choice.h"

#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

constexpr const char* kOwnPrefix = "__";  // of Kafka

}  // namespace

TopicChoice::TopicChoice(const KafkaSpec& spec) : names_(spec.topics.begin(), spec.topics.end()) {
  if (spec.topic_pattern.empty()) return;
  Result<FilterPattern> pattern = FilterPattern::Make(spec.topic_pattern);
  SASH_CHECK(pattern.ok());
  pattern_ = std::move(pattern).value();
  names_ = {spec.own_topics.begin(), spec.own_topics.end()};
}

Status TopicChoice::Check(const std::string& pattern) {
  if (const Result<FilterPattern> made = FilterPattern::Make(pattern); !made) return made.error();
  return Ok{};
}

bool TopicChoice::Takes(const std::string& topic) const {
  if (!pattern_) return names_.contains(topic);
  return !topic.starts_with(kOwnPrefix) && !names_.contains(topic) && pattern_->Matches(topic);
}

std::vector<std::string> TopicsOf(const std::vector<TopicPartition>& pairs) {
  std::set<std::string> topics;
  for (const TopicPartition& pair : pairs) topics.insert(pair.topic);
  return {topics.begin(), topics.end()};
}

}  // namespace sash
