// AvroSchema: an Avro schema, parsed from its JSON text (Avro 1.12, "Schema Declaration").
//
// Debian's libavro (C) keeps no logical types, so Sash parses schemas itself; tests compare what it
// reads with libavro.
//
// Thread safety: immutable once parsed.
//
// Invariants
//   (1) Types are numbered. Names are resolved, so a recursive schema is a circle of numbers.
//   (2) A logical type that does not fit its type, or is unknown, is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"

namespace sash {

struct AvroType {
  enum class Kind : std::uint8_t {
    kNull,
    kBoolean,
    kInt,
    kLong,
    kFloat,
    kDouble,
    kBytes,
    kString,
    kFixed,
    kEnum,
    kArray,
    kMap,
    kUnion,
    kRecord
  };
  enum class Logical : std::uint8_t {
    kNone,
    kDate,          // days since 1970
    kMilliseconds,  // since 1970, as the following two
    kMicroseconds,
    kNanoseconds,
    kDecimal,
    kUuid
  };
  struct Field {
    std::string name;
    std::uint32_t type = 0;
  };

  Kind kind = Kind::kNull;
  Logical logical = Logical::kNone;
  std::uint32_t size = 0;              // of a fixed, in bytes
  std::uint32_t scale = 0;             // of a decimal: its digits behind the point
  std::vector<Field> fields{};         // of a record
  std::vector<std::uint32_t> parts{};  // branches of a union; the items of an array or a map
  std::vector<std::string> symbols{};  // of an enum
};

struct AvroSchema {
  static constexpr std::size_t kMostBytes = 1 << 20;

  // `texts`: schemas whose types the later ones may name, and last the schema itself. The error
  // names the type and the field.
  static Result<AvroSchema> Parse(std::span<const std::string> texts);

  std::vector<AvroType> types;
  std::uint32_t root = 0;
};

}  // namespace sash
