#include "windows/base/checksum.h"

#include <isa-l/crc.h>

namespace sash {

std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // the library counts in int
  std::uint32_t crc = ~before;
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kMost);
    // The function only reads, but its declaration lacks const.
    auto* const begin = reinterpret_cast<unsigned char*>(const_cast<char*>(part.data()));
    crc = crc32_iscsi(begin, static_cast<int>(part.size()), crc);
    bytes.remove_prefix(part.size());
  }
  return ~crc;
}

std::uint32_t Crc32(std::string_view bytes, std::uint32_t before) {
  const auto* const begin = reinterpret_cast<const unsigned char*>(bytes.data());
  return crc32_gzip_refl(before, begin, bytes.size());
}

}  // namespace sash
