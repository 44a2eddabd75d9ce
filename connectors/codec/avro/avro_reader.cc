#include "connectors/codec/avro/avro_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "connectors/codec/avro/decimal_text.h"

namespace sash {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr const char* kTooShort = "it ends within a value";

JsonElement::Count CountOf(AvroType::Logical logical) {
  using Logical = AvroType::Logical;
  using Count = JsonElement::Count;
  switch (logical) {
    case Logical::kDate:
      return Count::kDays;
    case Logical::kMilliseconds:
      return Count::kMilliseconds;
    case Logical::kMicroseconds:
      return Count::kMicroseconds;
    case Logical::kNanoseconds:
      return Count::kNanoseconds;
    default:
      return Count::kNothing;
  }
}

bool IsUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

}  // namespace

const char* AvroReader::Read(const AvroPlan& plan, std::string_view datum, JsonScanner& fields) {
  plan_ = &plan;
  fields_ = &fields;
  begin_ = next_ = datum.data();
  end_ = begin_ + datum.size();
  why_ = nullptr;
  values_left_ = kMostValues;
  fields.Forget();
  if (!ReadValue(plan.root, 0)) return why_;
  return next_ == end_ ? nullptr : why_ = "something follows its value";
}

bool AvroReader::ReadValue(std::uint32_t number, unsigned depth) {
  if (depth > kMostDepth) return Fail("it is nested too deeply");
  if (values_left_-- == 0) return Fail("it has too many values");
  const AvroNode& node = plan_->nodes[number];
  switch (node.kind) {
    case Kind::kNull:
      return true;
    case Kind::kBoolean:
      return ReadBoolean(node);
    case Kind::kInt:
    case Kind::kLong:
      return ReadInteger(node);
    case Kind::kFloat:
    case Kind::kDouble:
      return ReadReal(node);
    case Kind::kString:
      return ReadString(node);
    case Kind::kBytes:
    case Kind::kFixed:
      return ReadBytes(node);
    case Kind::kEnum:
      return ReadEnum(node);
    case Kind::kUnion:
      return ReadUnion(node, depth);
    case Kind::kRecord:
      return ReadRecord(node, depth);
    case Kind::kArray:
    case Kind::kMap:
      break;
  }
  return ReadItems(node, depth);
}

bool AvroReader::TakeLong(std::int64_t& value) {
  std::uint64_t bits = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (next_ == end_) return Fail(kTooShort);
    const auto byte = static_cast<unsigned char>(*next_++);
    if (shift == 63 && byte > 1) return Fail("a number has more than 64 bits");
    bits |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      value = static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
      return true;
    }
  }
  return Fail("a number has more than 64 bits");
}

bool AvroReader::TakeBytes(std::size_t count, std::string_view& bytes) {
  if (count > static_cast<std::size_t>(end_ - next_)) return Fail(kTooShort);
  bytes = {next_, count};
  next_ += count;
  return true;
}

bool AvroReader::TakeText(std::string_view& text) {
  std::int64_t size = 0;
  if (!TakeLong(size)) return false;
  if (size < 0) return Fail("a length is negative");
  return TakeBytes(static_cast<std::size_t>(size), text);
}

bool AvroReader::ReadBoolean(const AvroNode& node) {
  if (next_ == end_) return Fail(kTooShort);
  const char byte = *next_;
  if (byte != 0 && byte != 1) return Fail("a boolean is neither 0 nor 1");
  ++next_;
  if (node.here != 0) {
    Keep(node.here, {.kind = JsonElement::Kind::kBoolean, .is_true = byte == 1});
  }
  return true;
}

bool AvroReader::ReadInteger(const AvroNode& node) {
  std::int64_t value = 0;
  if (!TakeLong(value)) return false;
  const bool fits = value >= std::numeric_limits<std::int32_t>::min() &&
                    value <= std::numeric_limits<std::int32_t>::max();
  if (node.kind == Kind::kInt && !fits) return Fail("an int has more than 32 bits");
  if (node.here == 0) return true;
  auto& room = RoomOf(node.here);
  const char* const end = std::to_chars(room.data(), room.data() + room.size(), value).ptr;
  Keep(node.here, {.kind = JsonElement::Kind::kInteger,
                   .integer = value,
                   .is_short = true,
                   .counts = CountOf(node.logical),
                   .text = {room.data(), static_cast<std::size_t>(end - room.data())}});
  return true;
}

bool AvroReader::ReadReal(const AvroNode& node) {
  std::string_view bytes;
  if (!TakeBytes(node.kind == Kind::kFloat ? sizeof(float) : sizeof(double), bytes)) return false;
  if (node.here == 0) return true;
  double value = 0;
  if (node.kind == Kind::kFloat) {
    float single = 0;
    std::memcpy(&single, bytes.data(), sizeof single);
    value = single;
  } else {
    std::memcpy(&value, bytes.data(), sizeof value);
  }
  auto& room = RoomOf(node.here);
  char* end = std::to_chars(room.data(), room.data() + room.size() - 2, value).ptr;
  // As keys and weights, 3 and 3.0 differ, so a whole real number gets a point.
  if (std::none_of(room.data(), end, [](char c) { return c == '.' || c == 'e' || c == 'n'; })) {
    *end++ = '.';
    *end++ = '0';
  }
  Keep(node.here, {.kind = JsonElement::Kind::kReal,
                   .text = {room.data(), static_cast<std::size_t>(end - room.data())}});
  return true;
}

bool AvroReader::ReadString(const AvroNode& node) {
  std::string_view text;
  if (!TakeText(text)) return false;
  if (!IsUtf8(text)) return Fail("the string before this byte is not UTF-8");
  if (node.here != 0) KeepText(node, text);
  return true;
}

bool AvroReader::ReadBytes(const AvroNode& node) {
  std::string_view bytes;
  if (node.kind == Kind::kFixed ? !TakeBytes(node.size, bytes) : !TakeText(bytes)) return false;
  return node.here == 0 || KeepBytes(node, bytes);
}

bool AvroReader::KeepBytes(const AvroNode& node, std::string_view bytes) {
  if (node.logical == Logical::kDecimal) return KeepDecimal(node, bytes);
  if (node.logical == Logical::kUuid) {
    KeepUuid(node, bytes);
  } else if (IsUtf8(bytes)) {
    KeepText(node, bytes);
  } else {
    Keep(node.here, {.kind = JsonElement::Kind::kBytes, .text = bytes});
  }
  return true;
}

bool AvroReader::KeepDecimal(const AvroNode& node, std::string_view bytes) {
  if (bytes.empty()) return Fail("a decimal has no bytes");
  if (bytes.size() > kMostDecimalBytes || node.scale > kMostScale) {
    return Fail("a decimal that the mapping names has more than 256 bits or 77 digits");
  }
  auto& room = RoomOf(node.here);
  const std::size_t size = WriteDecimal(bytes, node.scale, room.data());
  using ElementKind = JsonElement::Kind;
  Keep(node.here, {.kind = node.scale == 0 ? ElementKind::kInteger : ElementKind::kReal,
                   .text = {room.data(), size}});
  return true;
}

void AvroReader::KeepUuid(const AvroNode& node, std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  auto& room = RoomOf(node.here);
  char* end = room.data();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *end++ = '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    *end++ = kDigits[byte >> 4];
    *end++ = kDigits[byte & 0xF];
  }
  KeepText(node, {room.data(), static_cast<std::size_t>(end - room.data())});
}

bool AvroReader::ReadEnum(const AvroNode& node) {
  std::int64_t symbol = 0;
  if (!TakeLong(symbol)) return false;
  if (symbol < 0 || symbol >= node.count) return Fail("an enum has no symbol of this number");
  if (node.here != 0) KeepText(node, plan_->symbols[node.first + static_cast<std::size_t>(symbol)]);
  return true;
}

bool AvroReader::ReadUnion(const AvroNode& node, unsigned depth) {
  std::int64_t branch = 0;
  if (!TakeLong(branch)) return false;
  if (branch < 0 || branch >= node.count) return Fail("a union has no branch of this number");
  return ReadValue(plan_->children[node.first + static_cast<std::size_t>(branch)], depth + 1);
}

bool AvroReader::ReadRecord(const AvroNode& node, unsigned depth) {
  if (node.here != 0) Keep(node.here, {.kind = JsonElement::Kind::kObject});
  for (std::uint32_t i = 0; i < node.count; ++i) {
    if (!ReadValue(plan_->children[node.first + i], depth + 1)) return false;
  }
  return true;
}

// Blocks of items, until one is empty. A negative number of items is followed by the block's size.
bool AvroReader::ReadItems(const AvroNode& node, unsigned depth) {
  using ElementKind = JsonElement::Kind;
  if (node.here != 0) {
    Keep(node.here, {.kind = node.kind == Kind::kMap ? ElementKind::kObject : ElementKind::kArray});
  }
  for (std::size_t index = 0;;) {
    std::int64_t count = 0;
    if (!TakeLong(count)) return false;
    if (count == 0) return true;
    std::int64_t size = -1;
    if (count < 0) {
      if (!TakeLong(size)) return false;
      if (size < 0 || size > end_ - next_) return Fail("a block is longer than the record");
      if (count == std::numeric_limits<std::int64_t>::min()) return Fail("a block is too long");
      count = -count;
    }
    const char* const block = next_;
    for (; count > 0; --count, ++index) {
      if (!ReadItem(node, index, depth)) return false;
    }
    if (size >= 0 && next_ - block != size) return Fail("a block has another size than it says");
  }
}

bool AvroReader::ReadItem(const AvroNode& node, std::size_t index, unsigned depth) {
  std::string_view key;
  if (node.kind == Kind::kMap) {
    if (!TakeText(key)) return false;
    if (!IsUtf8(key)) return Fail("the key before this byte is not UTF-8");
  }
  std::uint32_t item = plan_->children[node.first];
  for (std::uint32_t i = 0; i < node.count_named; ++i) {
    const AvroPlan::Named& named = plan_->named[node.first_named + i];
    if (node.kind == Kind::kMap ? named.name != key : named.index != index) continue;
    item = named.node;
    fields_->Forget(plan_->nodes[item].below);
  }
  return ReadValue(item, depth + 1);
}

void AvroReader::KeepText(const AvroNode& node, std::string_view text) {
  Keep(node.here, {.kind = JsonElement::Kind::kString, .text = text});
}

void AvroReader::Keep(FieldSet here, const JsonElement& element) {
  for (FieldSet rest = here; rest != 0; rest &= rest - 1) {
    fields_->Put(static_cast<std::size_t>(std::countr_zero(rest)), element);
  }
}

std::array<char, 96>& AvroReader::RoomOf(FieldSet here) {
  return rooms_[static_cast<std::size_t>(std::countr_zero(here))];
}

}  // namespace sash
