#include "connectors/export/parquet/thrift_reader.h"

#include <utility>

#include "connectors/export/parquet/compact_thrift.h"

namespace sash {
namespace {

using Type = CompactThrift::Type;

constexpr int kMostDepth = 16;  // the structures that Sash writes have six levels

template <typename Value>
const Value* FieldOf(const std::map<int, ThriftValue>& fields, int id) {
  const auto found = fields.find(id);
  return found == fields.end() ? nullptr : std::get_if<Value>(&found->second.value);
}

}  // namespace

std::optional<std::int64_t> ThriftStruct::Number(int id) const {
  const auto* const number = FieldOf<std::int64_t>(fields_, id);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<std::string_view> ThriftStruct::Text(int id) const {
  const auto* const text = FieldOf<std::string_view>(fields_, id);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

const ThriftStruct* ThriftStruct::Struct(int id) const {
  return FieldOf<ThriftStruct>(fields_, id);
}

const ThriftList* ThriftStruct::List(int id) const { return FieldOf<ThriftList>(fields_, id); }

ThriftValue& ThriftStruct::At(int id) { return fields_[id]; }

std::optional<std::uint64_t> TakeVarint(std::string_view& bytes) {
  constexpr unsigned kBits = 7;
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += kBits) {
    if (bytes.empty()) return std::nullopt;
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ThriftReader::Varint() {
  std::string_view left = rest();
  const std::optional<std::uint64_t> number = TakeVarint(left);
  at_ = bytes_.size() - left.size();
  return number;
}

std::optional<unsigned char> ThriftReader::Byte() {
  if (at_ == bytes_.size()) return std::nullopt;
  return static_cast<unsigned char>(bytes_[at_++]);
}

std::optional<ThriftStruct> ThriftReader::Struct() {
  ThriftStruct result;
  if (!Fields(0, result)) return std::nullopt;
  return result;
}

bool ThriftReader::Fields(int depth, ThriftStruct& to) {
  if (depth > kMostDepth) return false;
  for (std::int64_t id = 0;;) {
    const std::optional<unsigned char> head = Byte();
    if (!head) return false;
    if (*head == 0) return true;
    const unsigned type = *head & 0xFU;
    if (const unsigned step = *head >> 4; step > 0) {
      id += step;
    } else {
      const std::optional<std::uint64_t> coded = Varint();
      if (!coded) return false;
      id = UnZigZag(*coded);
    }
    if (id < 0 || id > INT16_MAX) return false;
    ThriftValue& value = to.At(static_cast<int>(id));
    // Within a structure, the type is the value of a truth.
    if (type == static_cast<unsigned>(Type::kTrue) || type == static_cast<unsigned>(Type::kFalse)) {
      value.value = std::int64_t{type == static_cast<unsigned>(Type::kTrue) ? 1 : 0};
    } else if (!Value(type, depth + 1, value)) {
      return false;
    }
  }
}

bool ThriftReader::Value(unsigned type, int depth, ThriftValue& to) {
  switch (static_cast<Type>(type)) {
    case Type::kByte: {
      const std::optional<unsigned char> byte = Byte();
      to.value = std::int64_t{static_cast<std::int8_t>(byte.value_or(0))};
      return byte.has_value();
    }
    case Type::kI16:
    case Type::kI32:
    case Type::kI64: {
      const std::optional<std::uint64_t> coded = Varint();
      to.value = UnZigZag(coded.value_or(0));
      return coded.has_value();
    }
    case Type::kBinary: {
      const std::optional<std::uint64_t> length = Varint();
      if (!length || *length > bytes_.size() - at_) return false;
      to.value = bytes_.substr(at_, *length);
      at_ += *length;
      return true;
    }
    case Type::kList:
      return Elements(depth, to.value.emplace<ThriftList>());
    case Type::kStruct:
      return Fields(depth, to.value.emplace<ThriftStruct>());
    case Type::kTrue:
    case Type::kFalse: {
      const std::optional<unsigned char> byte = Byte();
      to.value = std::int64_t{byte == 1 ? 1 : 0};
      return byte.has_value();
    }
  }
  return false;
}

bool ThriftReader::Elements(int depth, ThriftList& to) {
  constexpr unsigned kLong = 15;
  if (depth > kMostDepth) return false;
  const std::optional<unsigned char> head = Byte();
  if (!head) return false;
  std::optional<std::uint64_t> size = *head >> 4;
  if (size == kLong) size = Varint();
  // An element takes at least a byte.
  if (!size || *size > bytes_.size() - at_) return false;
  to.resize(*size);
  for (ThriftValue& each : to) {
    if (!Value(*head & 0xFU, depth + 1, each)) return false;
  }
  return true;
}

}  // namespace sash
