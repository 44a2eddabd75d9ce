// ByteRange: the part of a file that a request asks for (RFC 9110, 14: Range, If-Range).
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "daemon/http/http_message.h"

namespace sash {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // exclusive
};

enum class RangeKind : std::uint8_t {
  kWhole,   // none was asked for, or it is not understood (several ranges, another unit)
  kPart,    // 206
  kBeyond,  // 416: the file ends before it
};

struct RequestedRange {
  RangeKind kind = RangeKind::kWhole;
  ByteRange range{};  // with kBeyond: nothing
};

// `tag`: the ETag of the file, with quotes. A range of another state of the file (If-Range) is not
// granted: the whole file is.
RequestedRange RangeOf(const HttpRequest& request, std::uint64_t file_bytes, std::string_view tag);

// The same for the value of Range alone.
RequestedRange ParseRange(std::string_view text, std::uint64_t file_bytes);

}  // namespace sash
