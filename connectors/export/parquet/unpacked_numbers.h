// The inverse of packed_numbers.h: numbers of two encodings of Parquet. The bytes may be damaged.
//
// Thread safety: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sash {

// Replaces `numbers` by exactly `size` numbers that AppendDeltas() wrote (DELTA_BINARY_PACKED).
// False: the bytes are not these; `numbers` may then hold anything.
bool ReadDeltas(std::string_view bytes, std::size_t size, std::vector<std::int64_t>& numbers);

// Replaces `numbers` by exactly `size` numbers of `width` bits (0 to 32) that AppendRuns() wrote
// (RLE and bit-packed). False: the bytes are not these.
bool ReadRuns(std::string_view bytes, unsigned width, std::size_t size,
              std::vector<std::uint32_t>& numbers);

}  // namespace sash
