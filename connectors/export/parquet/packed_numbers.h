// Encodings of numbers that Parquet calls DELTA_BINARY_PACKED and RLE.
//
// Thread safety: pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sash {

// Appends numbers as the differences of neighbours, in blocks whose differences have as few bits
// as they need. Pays for numbers that ascend, and for small ones.
void AppendDeltas(std::span<const std::int64_t> numbers, std::string& out);

// Appends small numbers as runs of equal ones, and packed between. `width`: the bits of the
// greatest number.
void AppendRuns(std::span<const std::uint32_t> numbers, unsigned width, std::string& out);

}  // namespace sash
