// FileText: a sectioned file as one string, for tests that change its bytes.
#pragma once

#include <string>
#include <vector>

#include "windows/durable/sectioned_file.h"

namespace sash::testing {

inline std::string FileText(FileKind kind, const std::vector<FileSection>& sections) {
  std::string text = SectionedFile::Head(kind, sections);
  for (const FileSection& section : sections) {
    text += section.bytes;
    text.resize((text.size() + 7) / 8 * 8, '\0');
  }
  return text;
}

}  // namespace sash::testing
