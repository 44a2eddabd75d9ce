// What the readers of a manifest's sections share: their error, and sections that may be missing.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "windows/base/result.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/manifest_sections.h"
#include "windows/durable/sectioned_file.h"

namespace sash {

inline Error MalformedManifest(const std::string& what) {
  return {ErrorCode::kCorruption, "the manifest's " + what};
}

// Reads a section with get(reader), which must read all of it. Without the section, what it would
// read keeps its values. `malformed` completes the error: "the manifest's ...".
template <typename Get>
Status ReadIfThere(const SectionedFile& file, ManifestSection section, const char* malformed,
                   const Get& get) {
  const Result<std::string_view> bytes = file.Find(section);
  if (!bytes) return Ok{};
  ByteReader reader(bytes.value());
  get(reader);
  if (!reader.done()) return MalformedManifest(malformed);
  return Ok{};
}

}  // namespace sash
