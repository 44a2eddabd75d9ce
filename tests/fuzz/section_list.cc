#include "tests/fuzz/section_list.h"

#include <algorithm>

namespace sash::fuzz {
namespace {

constexpr std::size_t kHeadBytes = 4;
constexpr std::size_t kMostBytes = 0xFFFF;

}  // namespace

std::vector<FileSection> UnpackSections(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  std::vector<FileSection> sections;
  while (text.size() >= kHeadBytes) {
    FileSection& section = sections.emplace_back();
    section.file = byte(0);
    section.tag = byte(1);
    const std::size_t size = byte(2) | std::size_t{byte(3)} << 8;
    text.remove_prefix(kHeadBytes);
    section.bytes = text.substr(0, size);
    text.remove_prefix(section.bytes.size());
  }
  return sections;
}

std::string PackSections(const std::vector<FileSection>& sections) {
  std::string text;
  for (const FileSection& section : sections) {
    const std::size_t size = std::min(section.bytes.size(), kMostBytes);
    text += static_cast<char>(section.file);
    text += static_cast<char>(section.tag);
    text += static_cast<char>(size & 0xFF);
    text += static_cast<char>(size >> 8);
    text.append(section.bytes, 0, size);
  }
  return text;
}

}  // namespace sash::fuzz
