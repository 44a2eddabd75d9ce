#include "connectors/export/frozen/frozen_arrays.h"

#include <limits>

#include "connectors/export/snapshot_folder.h"

namespace sash {
namespace {

constexpr std::uint64_t kMostInt32 = std::numeric_limits<std::int32_t>::max();

// The type of positions up to `most`.
NpyType PositionType(std::uint64_t most) {
  return most <= kMostInt32 ? NpyType::kInt32 : NpyType::kInt64;
}

NpyType TypePlaceType(std::size_t words) {
  if (words <= 1 << 8) return NpyType::kUint8;
  return words <= 1 << 16 ? NpyType::kUint16 : NpyType::kInt32;
}

struct FrozenDirectionNames {
  std::string_view starts;
  std::string_view neighbours;
  std::string_view weights;
  std::string_view types;
};

FrozenDirection DirectionOf(const WindowOutline& of, const FrozenDirectionNames& names) {
  return {{names.starts, PositionType(of.edges), of.vertices() + 1},
          {names.neighbours, NpyType::kInt32, of.edges},
          {names.weights, of.has_reals ? NpyType::kFloat64 : NpyType::kInt64, of.edges},
          {names.types, TypePlaceType(of.words.size()), of.has_types() ? of.edges : 0}};
}

}  // namespace

FrozenDirection OutArrays(const WindowOutline& outline) {
  return DirectionOf(outline,
                     {"out.indptr.npy", "out.indices.npy", "out.weights.npy", "out.types.npy"});
}

FrozenDirection InArrays(const WindowOutline& outline) {
  return DirectionOf(outline,
                     {"in.indptr.npy", "in.indices.npy", "in.weights.npy", "in.types.npy"});
}

NpyColumn IntegerKeys(const WindowOutline& outline) {
  return {"keys.npy", NpyType::kInt64, outline.vertices()};
}

NpyColumn KeyOffsets(const WindowOutline& outline) {
  return {"keys.offsets.npy", PositionType(outline.key_bytes), outline.vertices() + 1};
}

NpyColumn KeyTexts(const WindowOutline& outline) {
  return {"keys.bytes.npy", NpyType::kUint8, outline.key_bytes};
}

std::vector<NpyColumn> FrozenArrays(const WindowOutline& outline) {
  std::vector<NpyColumn> columns;
  for (const FrozenDirection& each : {OutArrays(outline), InArrays(outline)}) {
    columns.insert(columns.end(), {each.starts, each.neighbours, each.weights});
    if (outline.has_types()) columns.push_back(each.types);
  }
  if (outline.kind == KeyKind::kInteger) {
    columns.push_back(IntegerKeys(outline));
  } else {
    columns.insert(columns.end(), {KeyOffsets(outline), KeyTexts(outline)});
  }
  return columns;
}

std::uint64_t FrozenBytes(const WindowOutline& outline) {
  std::uint64_t bytes = 0;
  for (const NpyColumn& column : FrozenArrays(outline)) bytes += InPages(column.bytes());
  return bytes;
}

}  // namespace sash
