// SchemaFrame: what a serializer of a Schema Registry puts before the content of a record: byte 0
// and the number of the schema in four bytes, the most significant one first.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sash {

inline constexpr std::size_t kFrameBytes = 5;

struct SchemaFrame {
  std::uint32_t id = 0;
  std::string_view content;
};

// Why a record without a frame is refused, after a name for the record.
inline constexpr std::string_view kNoFrame =
    "has no schema number before its content (byte 0 and four bytes), which the serializers of a "
    "Schema Registry write";

// Nothing when the record has no frame.
inline std::optional<SchemaFrame> ParseFrame(std::string_view record) {
  if (record.size() < kFrameBytes || record[0] != '\0') return std::nullopt;
  SchemaFrame frame;
  for (const char c : record.substr(1, kFrameBytes - 1)) {
    frame.id = frame.id << 8 | static_cast<unsigned char>(c);
  }
  frame.content = record.substr(kFrameBytes);
  return frame;
}

}  // namespace sash
