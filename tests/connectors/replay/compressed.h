// Compressed bytes for the tests, written by the libraries.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <string_view>

namespace sash {

inline std::string Gzipped(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

inline std::string Zstandard(std::string_view text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3);
  EXPECT_EQ(ZSTD_isError(size), 0u);
  bytes.resize(size);
  return bytes;
}

// A frame of the four bytes "text", whose reader needs a window of 2^`log` bytes.
inline std::string ZstandardWithWindow(int log) {
  std::string bytes("\x28\xB5\x2F\xFD\0", 5);         // a frame of unknown length
  bytes += static_cast<char>((log - 10) << 3);        // its window
  return bytes.append("\x21\0\0", 3).append("text");  // its last block, not compressed
}

}  // namespace sash
