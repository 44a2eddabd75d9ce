// AvroBytes: writes data in Avro's binary encoding by hand, right or wrong.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sash::testing {

class AvroBytes {
 public:
  AvroBytes& Long(std::int64_t value) {
    auto bits = static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
    for (; bits >= 0x80; bits >>= 7) bytes_ += static_cast<char>(bits | 0x80);
    bytes_ += static_cast<char>(bits);
    return *this;
  }
  AvroBytes& Text(std::string_view text) {
    Long(static_cast<std::int64_t>(text.size()));
    return Raw(text);
  }
  AvroBytes& Raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  template <typename Real>
  AvroBytes& RealNumber(Real value) {
    char bytes[sizeof(Real)];
    std::memcpy(bytes, &value, sizeof(Real));
    return Raw({bytes, sizeof(Real)});
  }

  operator std::string_view() const { return bytes_; }
  const std::string& str() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace sash::testing
