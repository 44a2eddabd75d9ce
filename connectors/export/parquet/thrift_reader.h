// ThriftReader: reads structures in Thrift's compact protocol, which CompactThrift writes. The
// bytes may be damaged: what is not there, or of another kind, is an error and never undefined.
//
//   ThriftReader reader(bytes);
//   const std::optional<ThriftStruct> footer = reader.Struct();
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace sash {

struct ThriftValue;
using ThriftList = std::vector<ThriftValue>;

// The fields of a structure, by id. Texts point into the bytes that were read.
class ThriftStruct {
 public:
  // Nothing: there is no such field of that kind.
  std::optional<std::int64_t> Number(int id) const;
  std::optional<std::string_view> Text(int id) const;
  const ThriftStruct* Struct(int id) const;
  const ThriftList* List(int id) const;

  // The field, made if it is new.
  ThriftValue& At(int id);

 private:
  std::map<int, ThriftValue> fields_;
};

struct ThriftValue {
  // A truth value is a number, 0 or 1.
  std::variant<std::int64_t, std::string_view, ThriftList, ThriftStruct> value{};
};

class ThriftReader {
 public:
  // `bytes` outlive what is read.
  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  // The structure that begins here; nothing if the bytes are not one.
  std::optional<ThriftStruct> Struct();
  // The bytes that are left.
  std::string_view rest() const { return bytes_.substr(at_); }

 private:
  // They fill in `to`. False: the bytes are damaged.
  bool Value(unsigned type, int depth, ThriftValue& to);
  bool Fields(int depth, ThriftStruct& to);
  bool Elements(int depth, ThriftList& to);
  std::optional<std::uint64_t> Varint();
  std::optional<unsigned char> Byte();

  std::string_view bytes_;
  std::size_t at_ = 0;
};

// The inverse of ZigZag().
inline std::int64_t UnZigZag(std::uint64_t number) {
  return static_cast<std::int64_t>((number >> 1) ^ (~(number & 1) + 1));
}

// Takes a number of seven bits a byte from the front; nothing if it is longer than 64 bits, or the
// bytes end before.
std::optional<std::uint64_t> TakeVarint(std::string_view& bytes);

}  // namespace sash
