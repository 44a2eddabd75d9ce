// Section list: the sections of a checkpoint's files, or the entries of a journal's, in one text,
// without heads and checksums, so that a fuzzer changes their content. A section is the number of
// its file (0: the manifest, n: the slice file n - 1; or the n-th file of the journal), its tag (0
// for an entry), its size in two bytes (least significant first) and its bytes.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sash::fuzz {

struct FileSection {
  std::uint8_t file = 0;
  std::uint8_t tag = 0;
  std::string bytes;
};

// Accepts any text: the last section is cut where the text ends.
std::vector<FileSection> UnpackSections(std::string_view text);

// The inverse; a section that is too long is cut.
std::string PackSections(const std::vector<FileSection>& sections);

}  // namespace sash::fuzz
