// KeyBuilder: makes a key from the texts of its fields, as the long form of a mapped key says. Each
// part is trimmed and put in its case; then the parts are joined, behind the prefix.
//
// Thread safety: belongs to one thread. It allocates only until its buffer is large enough.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "connectors/codec/format_spec.h"
#include "connectors/codec/letter_case.h"

namespace sash {

class KeyBuilder {
 public:
  template <typename Field>
  explicit KeyBuilder(const KeyParts<Field>& parts)
      : text_(parts.text),
        separator_(parts.rest.separator),
        parts_(1 + parts.rest.more.size()),
        is_plain_(parts_ == 1 && text_ == KeySpelling()) {}

  std::size_t parts() const { return parts_; }
  // Whether the key is the text of its only field as it is. Then the builder is not needed.
  bool is_plain() const { return is_plain_; }

  void Begin() {
    key_ = text_.prefix;
    is_first_ = true;
  }
  // False if nothing is left of the part. `part` is valid UTF-8.
  bool Add(std::string_view part) {
    if (text_.trim) part = Trimmed(part);
    if (part.empty()) return false;
    if (!std::exchange(is_first_, false)) key_ += separator_;
    AppendInCase(part, text_.letters, key_);
    return true;
  }
  // Valid until Begin().
  std::string_view key() const { return key_; }

 private:
  static std::string_view Trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n\v\f";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
  }

  const KeySpelling text_;
  const std::string separator_;
  const std::size_t parts_;
  const bool is_plain_;
  std::string key_;
  bool is_first_ = true;
};

}  // namespace sash
