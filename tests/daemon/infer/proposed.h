// Proposed: the proposal for records that a test writes, by the lines of its configuration.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "daemon/infer/proposal.h"

namespace sash::testing {

class Proposed {
 public:
  explicit Proposed(std::string text, const std::string& path = "f.txt")
      : Proposed(std::move(text), SampleOrigin{.name = path}) {}
  Proposed(std::string text, const SampleOrigin& origin)
      : proposal_(Propose(origin, SampleText{.text = std::move(text)})) {}

  const Proposal& proposal() const { return proposal_; }
  const std::string& yaml() const { return proposal_.yaml; }
  const std::string& trouble() const { return proposal_.trouble; }
  std::size_t edges() const { return proposal_.trial.edges; }
  std::size_t records() const { return proposal_.trial.records; }

  // The rest of the line of the configuration, not of a comment, that begins with `key`.
  std::string Line(std::string_view key) const {
    std::string_view rest = proposal_.yaml;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
      if (line.starts_with(key)) return std::string(line.substr(key.size()));
    }
    return "";
  }
  // The comments, each sentence on one line.
  std::string said() const {
    std::string text;
    for (const char c : proposal_.yaml) {
      if (c == ' ' && text.ends_with(' ')) continue;
      text += c == '\n' || c == '#' ? ' ' : c;
      if (text.ends_with("  ")) text.pop_back();
    }
    return text;
  }
  std::string csv() const { return Line("csv: "); }
  std::string json() const { return Line("json: "); }
  std::string keys() const { return Line("keys: "); }
  std::string time() const { return Line("time: "); }
  std::string nulls() const { return Line("nulls: "); }

 private:
  const Proposal proposal_;
};

}  // namespace sash::testing
