// EdgeRule: how one edge of a mapping is read, in every format.
//
// Thread safety: belongs to one thread.
#pragma once

#include <optional>
#include <string>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/key_builder.h"
#include "connectors/codec/weight_reader.h"

namespace sash {

struct EdgeRule {
  template <typename Mapping>
  explicit EdgeRule(const Mapping& mapping)
      : weights(mapping.weight_text),
        operations(mapping.operation_words),
        source(mapping.source_parts),
        target(mapping.target_parts),
        both_directions(mapping.both_directions),
        type_word(mapping.type_word) {
    if (mapping.type) type.emplace(mapping.type_parts);
    if (mapping.id) id.emplace(mapping.id_parts);
  }

  bool has_labels() const { return type || id || !type_word.empty(); }

  WeightReader weights;
  OperationReader operations;
  KeyBuilder source;
  KeyBuilder target;
  bool both_directions = false;
  std::optional<KeyBuilder> type{};
  std::optional<KeyBuilder> id{};
  std::string type_word;  // without `type`
};

}  // namespace sash
