#include "connectors/sinks/letter_trail.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <string>
#include <utility>

namespace sash {
namespace {

constexpr int kNumberBase = 16;  // of the names, which are hashes

}  // namespace

LetterTrail::LetterTrail(FileTrail trail) : trail_(std::move(trail)) {
  for (const std::string& name : trail_->moved()) {
    LetterIdentity letter = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), letter, kNumberBase);
    if (end.ec == std::errc()) moved_.push_back(letter);
  }
}

std::optional<FileMark> LetterTrail::last_file() const {
  return trail_ ? trail_->file() : std::nullopt;
}

void LetterTrail::Note(LetterIdentity letter) {
  newest_.push_back(letter);
  if (newest_.size() > kMost) newest_.pop_front();
}

void LetterTrail::NoteMoved() {
  moved_.insert(moved_.end(), newest_.begin(), newest_.end());
  newest_.clear();
}

Status LetterTrail::Keep(const FileMark& file) {
  if (!trail_) return Ok{};
  while (moved_.size() > kMost) moved_.pop_front();
  std::set<std::string> names;
  for (const LetterIdentity letter : moved_) names.insert(fmt::format("{:x}", letter));
  return trail_->Follow(file, std::move(names));
}

}  // namespace sash
