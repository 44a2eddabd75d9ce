#include "connectors/export/parquet/compact_thrift.h"

#include "windows/base/check.h"

namespace sash {

void CompactThrift::Header(int id, Type type) {
  constexpr int kMostStep = 15;
  const int step = id - last_.back();
  SASH_CHECK(step > 0);
  const auto code = static_cast<unsigned>(type);
  if (step <= kMostStep) {
    out_ += static_cast<char>(static_cast<unsigned>(step) << 4 | code);
  } else {
    out_ += static_cast<char>(code);
    PutVarint(ZigZag(id), out_);
  }
  last_.back() = id;
}

CompactThrift& CompactThrift::Number(int id, Type type, std::int64_t value) {
  Header(id, type);
  PutVarint(ZigZag(value), out_);
  return *this;
}

CompactThrift& CompactThrift::Bool(int id, bool value) {
  Header(id, value ? Type::kTrue : Type::kFalse);
  return *this;
}

CompactThrift& CompactThrift::Byte(int id, std::int8_t value) {
  Header(id, Type::kByte);
  out_ += static_cast<char>(value);
  return *this;
}

CompactThrift& CompactThrift::Binary(int id, std::string_view value) {
  Header(id, Type::kBinary);
  return Element(value);
}

CompactThrift& CompactThrift::BeginStruct(int id) {
  Header(id, Type::kStruct);
  return BeginElement();
}

CompactThrift& CompactThrift::EndStruct() {
  SASH_CHECK(!last_.empty());
  last_.pop_back();
  out_ += '\0';
  return *this;
}

CompactThrift& CompactThrift::List(int id, Type type, std::size_t size) {
  constexpr std::size_t kShort = 15;
  Header(id, Type::kList);
  const auto code = static_cast<unsigned>(type);
  if (size < kShort) {
    out_ += static_cast<char>(static_cast<unsigned>(size) << 4 | code);
  } else {
    out_ += static_cast<char>(0xF0U | code);
    PutVarint(size, out_);
  }
  return *this;
}

CompactThrift& CompactThrift::BeginElement() {
  last_.push_back(0);
  return *this;
}

CompactThrift& CompactThrift::Element(std::int32_t value) {
  PutVarint(ZigZag(value), out_);
  return *this;
}

CompactThrift& CompactThrift::Element(std::string_view value) {
  PutVarint(value.size(), out_);
  out_ += value;
  return *this;
}

}  // namespace sash
