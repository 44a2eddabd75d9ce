#include "connectors/sinks/held_letters.h"

#include <algorithm>
#include <functional>
#include <string>

#include "connectors/sinks/dead_letter_line.h"
#include "connectors/sinks/file_lines.h"
#include "windows/base/sort_distinct.h"

namespace sash {
namespace {

constexpr std::string_view kDetail = R"(,"detail":")";

}  // namespace

LetterIdentity IdentityOfLetter(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  const std::hash<std::string_view> hash;
  const std::size_t detail = line.find(kDetail);  // quotes within texts are escaped
  if (detail == std::string_view::npos) return hash(line);
  std::size_t end = detail + kDetail.size();
  while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
  constexpr std::uint64_t kOdd = 0x9e37'79b9'7f4a'7c15;
  return hash(line.substr(0, detail)) * kOdd + hash(line.substr(std::min(end, line.size())));
}

bool IsLetterLine(std::string_view line) {
  constexpr std::size_t kWhole = 64 << 10;
  return line.starts_with(kDeadLetterHead) && (line.size() >= kWhole || ParseDeadLetter(line).ok());
}

Status HeldLetters::Read(const AppendFile& file) {
  return ReadLines(file, [this](std::string_view line) -> Status {
    letters_.push_back(IdentityOfLetter(line));
    if (letters_.size() > 2 * kMost) {
      letters_.erase(letters_.begin(), letters_.end() - static_cast<std::ptrdiff_t>(kMost));
    }
    return Ok{};
  });
}

void HeldLetters::Sort() {
  SortDistinct(letters_);
  letters_.shrink_to_fit();
}

bool HeldLetters::Holds(LetterIdentity letter) const {
  return std::ranges::binary_search(letters_, letter);
}

}  // namespace sash
