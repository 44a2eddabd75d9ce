// StoreScript: what a test does with a store, pane by pane: which slices enter, and which windows
// open, advance and close.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "windows/ingest/slice.h"

namespace sash::testing {

struct StoreOperation {
  Operation operation = Operation::kAdd;
  VertexId source = 0;
  VertexId target = 0;  // of a remove_vertex: the source
  Weight weight;        // of an add
  TypeNumber type = kNoType;
};

inline StoreOperation Add(VertexId source, VertexId target, Weight weight = {}) {
  return {Operation::kAdd, source, target, weight};
}
inline StoreOperation Remove(VertexId source, VertexId target) {
  return {Operation::kRemove, source, target, {}};
}
inline StoreOperation RemoveVertex(VertexId vertex) {
  return {Operation::kRemoveVertex, vertex, vertex, {}};
}

// The operations of a slice, in the order of effect.
using SliceOperations = std::vector<StoreOperation>;

// The slice as the slicer would freeze it.
std::shared_ptr<const Slice> MakeSlice(std::uint64_t id, const SliceOperations& operations);

// All ids of `operations` are below this limit.
VertexId IdLimit(const SliceOperations& operations);

struct ScriptPane {
  bool silent = false;  // it has no slice, but windows advance
  SliceOperations operations;
};

// A window that holds the slices of the newest `length` panes and advances with every pane whose
// number (from 1) is a multiple of `slide`.
struct ScriptWindow {
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kForever = std::size_t{1} << 40;

  std::size_t length = 1;
  std::size_t slide = 1;
  std::size_t opens = 0;        // before the pane of this number, from 0
  std::size_t opens_with = 0;   // number of slices, if the store still has them
  std::size_t closes = kNever;  // before the pane of this number
};

struct StoreScript {
  std::uint64_t seed = 0;  // decides which views are pinned, and for how long
  std::vector<ScriptWindow> windows;
  std::vector<ScriptPane> panes;
};

std::string ToText(const StoreScript& script);

}  // namespace sash::testing
