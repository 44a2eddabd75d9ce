// SourceTopics: the topics of a source, as far as its configuration names them.
//
// Thread safety: can be used by several threads at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/kafka/topic_choice.h"
#include "daemon/config/config.h"

namespace sash {

class SourceTopics {
 public:
  explicit SourceTopics(const SourceConfig& source);

  // None: there is a pattern, or the topics are invalid.
  const std::vector<std::string>& names() const { return names_; }
  bool MayHave(const std::string& topic) const;
  // For messages: "a, b".
  std::string Text() const;

 private:
  std::vector<std::string> names_;
  std::string pattern_;
  std::optional<TopicChoice> choice_;  // if there is a pattern
};

}  // namespace sash
