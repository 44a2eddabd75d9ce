#include "daemon/config/topics_form.h"

#include <fmt/format.h>

#include <algorithm>

#include "connectors/kafka/topic_choice.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

// A pattern in the list is a likely mistake.
Result<std::string> ParseListedTopic(std::string_view text) {
  Result<std::string> topic = ParseTopic(text);
  if (topic.ok() || text.find_first_of("^$*+?()[]|\\") == std::string_view::npos) return topic;
  return Wrong(topic.error().message +
               "; for topics whose names match a pattern, give topics: {pattern: TEXT}");
}

Result<std::string> ParseTopicPattern(std::string_view text) {
  Result<std::string> pattern = ParseNonEmpty(text);
  if (!pattern.ok()) return pattern;
  if (const Status checked = TopicChoice::Check(pattern.value()); !checked) {
    return Wrong(
        fmt::format("`{}` is not a regular expression of RE2: {}", text, checked.error().message));
  }
  return pattern;
}

}  // namespace

void TopicsForm::ReadTopics(const Section& section, std::string_view key,
                            std::vector<std::string>& topics, std::string& pattern) const {
  if (!section.Has(key)) {
    if (is_required) section.FailMissing(key, fmt::format("give {}", example));
    return;
  }
  if (section.At(key).node->kind != YamlNode::Kind::kMapping) {
    return ReadList(section, key, topics);
  }
  section.Child(key, pattern_section)
      .Require("pattern", pattern, "a regular expression, such as \"^pay-\"", ParseTopicPattern);
}

void TopicsForm::ReadList(const Section& section, std::string_view key,
                          std::vector<std::string>& topics) const {
  const Place place = section.At(key);
  const std::size_t items = place.node->items.size();
  for (const Place& item :
       ItemsAt(place, fmt::format("{}, or {{pattern: TEXT}}", example), section.errors())) {
    std::string topic;
    if (!ReadAt(item, topic, "a topic name", ParseListedTopic, section.errors())) continue;
    if (std::ranges::find(topics, topic) != topics.end()) {
      section.errors().Add(item, fmt::format("topic `{}` is listed twice; keep one", topic));
      continue;
    }
    topics.push_back(topic);
  }
  const YamlNode::Kind kind = place.node->kind;
  const bool is_list = kind == YamlNode::Kind::kList || kind == YamlNode::Kind::kEmpty;
  if (is_required && is_list && items == 0) {
    section.Fail(key, "must name at least one topic, as in [interactions]");
  }
}

std::string TopicsForm::TopicsText(const std::vector<std::string>& topics,
                                   const std::string& pattern) {
  return pattern.empty() ? QuoteAll(topics) : fmt::format("{{pattern: {}}}", Quote(pattern));
}

SectionSpec PatternSection(std::string_view name, std::string_view about) {
  return {name, {{"pattern", {kAnyText}, about, kRequired}}, {}};
}

}  // namespace sash
