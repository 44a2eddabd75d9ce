// Expander: expands a compressed stream piece by piece.
//
// gzip (RFC 1952) and zstd (RFC 8878) are recognized by their first bytes. Streams that are written
// one after the other (`cat a.gz b.gz`, bgzip, pzstd) expand to one text.
//
// Thread safety: owned by one thread.
//
// Invariants
//   (1) It keeps no more than the window of its format: 32 KiB for gzip, at most 128 MiB for zstd
//       (a frame with a larger window is refused; `zstd --long=28` and above write such frames).
//   (2) The text does not depend on how the bytes are cut into pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sash {

enum class Compression : std::uint8_t { kNone, kGzip, kZstd };

// How a stream that begins with `head` is compressed. Nothing while more bytes are needed to tell;
// kCompressionHeadBytes are always enough.
inline constexpr std::size_t kCompressionHeadBytes = 4;
std::optional<Compression> CompressionOf(std::string_view head);

class Expander {
 public:
  struct Step {
    std::size_t consumed = 0;  // bytes of the input
    std::size_t produced = 0;  // bytes in the room
    std::string why{};         // what is wrong with the stream after the consumed bytes, if it is
  };

  virtual ~Expander() = default;

  // Expands as much as the room holds. When nothing is produced, it needs more input.
  virtual Step Expand(std::string_view input, std::span<char> room) = 0;

  // Whether the stream may end after what was consumed.
  virtual bool IsWhole() const = 0;
};

// Null for kNone.
std::unique_ptr<Expander> MakeExpander(Compression compression);

}  // namespace sash
