// PageHeader: what precedes the bytes of a page.
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <string>

namespace sash {

// Numbers of the format: PLAIN, RLE, DELTA_BINARY_PACKED, RLE_DICTIONARY.
enum class ParquetEncoding : std::int32_t { kPlain = 0, kRuns = 3, kDeltas = 5, kPlaces = 8 };

struct PageHeader {
  bool is_dictionary = false;
  std::uint64_t values = 0;  // rows, those without a value included
  ParquetEncoding encoding = ParquetEncoding::kPlain;
  std::uint64_t raw_bytes = 0;
  std::uint64_t bytes = 0;     // in the file
  std::uint32_t checksum = 0;  // CRC-32 of these

  std::string Text() const;
};

}  // namespace sash
