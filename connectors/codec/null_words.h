// NullWords: the texts that mean "there is no value" in the records of a format
// (source.format.nulls), for example "-" or "NULL".
//
// Thread safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sash {

class NullWords {
 public:
  explicit NullWords(std::vector<std::string> words) : words_(std::move(words)) {
    for (const std::string& word : words_) longest_ = std::max(longest_, word.size());
  }

  bool empty() const { return words_.empty(); }

  // Whether `text` is one of the words, byte by byte.
  bool Holds(std::string_view text) const {
    return text.size() <= longest_ && !words_.empty() &&
           std::ranges::find(words_, text) != words_.end();
  }

  // Completes a message that names the text.
  static constexpr std::string_view kWhy =
      "is among source.format.nulls, so there is no value; correct the record, or take the text "
      "out of nulls";

 private:
  const std::vector<std::string> words_;
  std::size_t longest_ = 0;
};

}  // namespace sash
