// CompactThrift: writes structures in Thrift's compact protocol, in which Parquet has its headers
// and footer.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Fields of a structure are written in the order of ascending ids.
//   (2) EndStruct() ends what BeginStruct() or BeginElement() began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

// Seven bits a byte, the lowest first.
inline void PutVarint(std::uint64_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

// Small numbers of both signs become small: 0, -1, 1, -2.
inline std::uint64_t ZigZag(std::int64_t number) {
  return (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
}

class CompactThrift {
 public:
  enum class Type : std::uint8_t {
    kTrue = 1,
    kFalse = 2,
    kByte = 3,
    kI16 = 4,
    kI32 = 5,
    kI64 = 6,
    kBinary = 8,
    kList = 9,
    kStruct = 12,
  };

  // The outermost structure is open at once; `out` outlives the writer.
  explicit CompactThrift(std::string& out) : out_(out) {}

  CompactThrift& Bool(int id, bool value);
  CompactThrift& Byte(int id, std::int8_t value);
  CompactThrift& I16(int id, std::int16_t value) { return Number(id, Type::kI16, value); }
  CompactThrift& I32(int id, std::int32_t value) { return Number(id, Type::kI32, value); }
  CompactThrift& I64(int id, std::int64_t value) { return Number(id, Type::kI64, value); }
  CompactThrift& Binary(int id, std::string_view value);

  CompactThrift& BeginStruct(int id);
  CompactThrift& EndStruct();

  // So many elements follow.
  CompactThrift& List(int id, Type type, std::size_t size);
  CompactThrift& BeginElement();  // a structure
  CompactThrift& Element(std::int32_t value);
  CompactThrift& Element(std::string_view value);

 private:
  void Header(int id, Type type);
  CompactThrift& Number(int id, Type type, std::int64_t value);

  std::string& out_;
  std::vector<int> last_ = {0};  // the newest id of each open structure
};

}  // namespace sash
