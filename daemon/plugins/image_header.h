// ImageHeader: where the parts of a task are in its file (graph_image.h).
//
// Thread safety: a plain value.
#pragma once

#include <cstdint>

#include "windows/ingest/vertex_dictionary.h"

namespace sash {

inline constexpr std::uint64_t kImageMagic = 0x31'6b73'6174'7361;  // "astask1"

// At the beginning of the file. The sections follow each other in this order.
struct ImageHeader {
  std::uint64_t magic = kImageMagic;
  std::uint64_t request_bytes = 0;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t key_bytes = 0;  // of texts
  std::uint64_t words = 0;
  std::uint64_t word_bytes = 0;
  std::uint8_t has_window = 0;
  std::uint8_t has_integer_keys = 0;
  std::uint8_t weights = 0;     // WeightColumn::Kind
  std::uint8_t type_width = 0;  // TypeWidth; types are written as four bytes

  // Offsets of the sections.
  std::uint64_t degrees() const { return sizeof(ImageHeader) + request_bytes; }
  std::uint64_t targets() const { return degrees() + vertices * sizeof(std::uint32_t); }
  std::uint64_t weight_bits() const { return targets() + edges * sizeof(VertexId); }
  std::uint64_t reals() const { return weight_bits() + edges * sizeof(std::int64_t); }
  std::uint64_t types() const { return reals() + edges; }
  std::uint64_t keys() const { return types() + edges * sizeof(TypeNumber); }
  std::uint64_t key_texts() const {
    return keys() + vertices * (has_integer_keys != 0 ? sizeof(std::int64_t) : sizeof(uint32_t));
  }
  std::uint64_t word_lengths() const { return key_texts() + key_bytes; }
  std::uint64_t word_texts() const { return word_lengths() + words * sizeof(std::uint32_t); }
  std::uint64_t end() const { return word_texts() + word_bytes; }
};

}  // namespace sash
