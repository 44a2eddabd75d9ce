// EdgeRule: how one edge of a mapping is read, in every format.
//
// Thread safety: belongs to one thread.
#pragma once

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
        both_directions(mapping.both_directions) {}

  WeightReader weights;
  OperationReader operations;
  KeyBuilder source;
  KeyBuilder target;
  bool both_directions = false;
};

}  // namespace sash
