// Types of edges as numbers (TypeTable), and a column of them. The column stores nothing while no
// edge has a type, and one, two or four bytes an edge otherwise, as the greatest number needs.
//
// Thread safety: like a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "windows/base/allocated_bytes.h"

namespace sash {

using TypeNumber = std::uint32_t;
// The number of edges without a type.
inline constexpr TypeNumber kNoType = 0;
// In place of a type: edges of all types, and of none.
inline constexpr TypeNumber kAnyType = 0xFFFF'FFFF;

// The bytes that a column has for each edge.
enum class TypeWidth : std::uint8_t { kNone = 0, kOne = 1, kTwo = 2, kFour = 4 };

inline TypeWidth WidthOf(TypeNumber type) {
  if (type == kNoType) return TypeWidth::kNone;
  if (type <= 0xFF) return TypeWidth::kOne;
  return type <= 0xFFFF ? TypeWidth::kTwo : TypeWidth::kFour;
}

// The bytes of a column for `size` edges.
inline std::size_t TypeBytes(std::size_t size, TypeWidth width) {
  return size * static_cast<std::size_t>(width);
}

// An element of a column of this width, which begins at `column`.
inline TypeNumber ReadType(const std::byte* column, TypeWidth width, std::size_t i) {
  const auto read = [column, i](auto type) {
    std::memcpy(&type, column + i * sizeof(type), sizeof(type));
    return TypeNumber{type};
  };
  switch (width) {
    case TypeWidth::kNone:
      return kNoType;
    case TypeWidth::kOne:
      return read(std::uint8_t{});
    case TypeWidth::kTwo:
      return read(std::uint16_t{});
    case TypeWidth::kFour:
      break;
  }
  return read(std::uint32_t{});
}
// The width can hold the type.
inline void WriteType(std::byte* column, TypeWidth width, std::size_t i, TypeNumber type) {
  const auto write = [column, i](auto as) {
    std::memcpy(column + i * sizeof(as), &as, sizeof(as));
  };
  switch (width) {
    case TypeWidth::kNone:
      return;
    case TypeWidth::kOne:
      return write(static_cast<std::uint8_t>(type));
    case TypeWidth::kTwo:
      return write(static_cast<std::uint16_t>(type));
    case TypeWidth::kFour:
      break;
  }
  write(std::uint32_t{type});
}

class TypeColumn {
 public:
  TypeColumn() = default;
  // A column of edges without a type.
  TypeColumn(std::size_t size, TypeWidth width) : width_(width), bytes_(TypeBytes(size, width)) {}

  TypeWidth width() const { return width_; }
  bool empty() const { return width_ == TypeWidth::kNone; }

  TypeNumber operator[](std::size_t i) const { return ReadType(bytes_.data(), width_, i); }
  // The column's width can hold the type.
  void Set(std::size_t i, TypeNumber type) { WriteType(bytes_.data(), width_, i, type); }
  // Widens the column, which is empty or has `size` edges, so that it can hold this width too.
  // Returns the bytes that it takes in addition.
  std::size_t Widen(std::size_t size, TypeWidth width) {
    if (width <= width_) return 0;
    TypeColumn wider(size, width);
    for (std::size_t i = 0; i < size; ++i) wider.Set(i, (*this)[i]);
    const std::size_t grown = wider.bytes() - bytes();
    *this = std::move(wider);
    return grown;
  }

  std::size_t bytes() const { return AllocatedBytes(bytes_); }

 private:
  TypeWidth width_ = TypeWidth::kNone;
  std::vector<std::byte> bytes_;
};

}  // namespace sash
