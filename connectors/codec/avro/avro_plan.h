// AvroPlan: how the data of one schema are read, compiled from the schema and the pointers of a
// mapping. Each node says how a value is read, and which fields of the mapping it is.
//
// Pointers name fields as in the JSON of the same record: unions have no level of their own, the
// entries of a map are named by key, the items of an array by number.
//
// Thread safety: immutable once compiled.
//
// Invariants
//   (1) A pointer is finite, so a recursive schema gives a finite plan: inside a value that no
//       pointer names, each type has one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "connectors/codec/avro/avro_schema.h"
#include "connectors/codec/json_pointer.h"

namespace sash {

struct AvroNode {
  AvroType::Kind kind = AvroType::Kind::kNull;
  AvroType::Logical logical = AvroType::Logical::kNone;
  FieldSet here = 0;   // the fields that this value is
  FieldSet below = 0;  // these, and the fields in it
  // In AvroPlan::children: the fields of a record, the branches of a union, the items of an array
  // or a map. Of an enum: its symbols, in AvroPlan::symbols.
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  // In AvroPlan::named: items of an array or a map with a node of their own.
  std::uint32_t first_named = 0;
  std::uint32_t count_named = 0;
  std::uint32_t size = 0;   // of a fixed
  std::uint32_t scale = 0;  // of a decimal
};

struct AvroPlan {
  struct Named {
    std::string name;                  // of the entry of a map
    std::optional<std::size_t> index;  // of the item of an array
    std::uint32_t node = 0;
  };

  static AvroPlan Compile(const AvroSchema& schema, const PointerNode& pointers);

  std::vector<AvroNode> nodes;
  std::vector<std::uint32_t> children;
  std::vector<Named> named;
  std::vector<std::string> symbols;
  std::uint32_t root = 0;
};

}  // namespace sash
