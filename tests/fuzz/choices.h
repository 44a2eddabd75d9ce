// Choices: uses the first bytes of an input as options for processing the rest. Digits and letters
// choose in their natural order: '0' is the first of every choice.
//
// Thread safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sash::fuzz {

class Choices {
 public:
  explicit Choices(std::string_view input) : rest_(input) {}

  // A number below `count`; 0 when no input is left.
  std::size_t Below(std::size_t count) {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(rest_.front() - '0');
    rest_.remove_prefix(1);
    return byte % count;
  }

  // The text up to the next line break, or the rest.
  std::string_view Line() {
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return line;
  }

  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace sash::fuzz
