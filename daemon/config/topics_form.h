// TopicsForm: `topics` of a source or mapping: a list of names, or {pattern: TEXT}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/key_row.h"
#include "daemon/config/text_shapes.h"

namespace sash {

// Form for a struct with members `topics` and `topic_pattern`, of which at most one is set.
struct TopicsForm {
  std::string_view pattern_section;  // its name in the table of keys: PatternSection()
  std::string_view example;          // "a list of topics, such as [payments]"
  bool is_required = false;

  std::vector<Shape> Shapes() const {
    return {Items{kTopic, is_required}, SectionShape{pattern_section}};
  }
  template <typename Spec>
  void Read(const Section& section, const KeySpec& key, Spec& spec) const {
    ReadTopics(section, key.name, spec.topics, spec.topic_pattern);
  }
  template <typename Spec>
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const Spec& spec) const {
    out.Line(depth, key.name, TopicsText(spec.topics, spec.topic_pattern));
  }
  template <typename Spec>
  bool Same(const Spec& a, const Spec& b) const {
    return a.topics == b.topics && a.topic_pattern == b.topic_pattern;
  }

 private:
  void ReadTopics(const Section& section, std::string_view key, std::vector<std::string>& topics,
                  std::string& pattern) const;
  void ReadList(const Section& section, std::string_view key,
                std::vector<std::string>& topics) const;
  static std::string TopicsText(const std::vector<std::string>& topics, const std::string& pattern);
};

// The section of a pattern. TopicsForm reads and prints it.
SectionSpec PatternSection(std::string_view name, std::string_view about);

}  // namespace sash
