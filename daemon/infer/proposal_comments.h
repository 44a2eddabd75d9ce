// The reasons of a proposal as YAML comments.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "daemon/infer/proposal.h"

namespace sash {

// Begins each line with "# ". Text of the sample cannot end a comment.
class CommentText {
 public:
  // Broken at blanks into lines of at most kWidth characters.
  void Say(std::string_view text, std::size_t indent = 0);
  // One line, which is cut if it is longer.
  void Line(std::string_view text);
  void Blank() { text_ += "#\n"; }
  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t kWidth = 98;

  std::string text_;
};

// Every line of `yaml` as a comment.
std::string CommentedOut(std::string_view yaml);

std::string ReasonsOf(const Proposal& proposal, const SampleText& sample);

}  // namespace sash
