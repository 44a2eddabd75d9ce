// FrozenOutline: what the snapshot of a view holds, known before anything is written: the order of
// its vertices, and the type and length of each of its arrays.
//
// Thread safety: immutable once made.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "connectors/export/frozen/key_order.h"
#include "connectors/export/frozen/npy_file.h"
#include "windows/base/result.h"

namespace sash {

// The arrays of one direction.
struct FrozenDirection {
  NpyColumn starts;
  NpyColumn neighbours;
  NpyColumn weights;
  NpyColumn types;  // without rows unless an edge of the window has a type
};

struct FrozenOutline {
  KeyKind kind = KeyKind::kString;
  KeyOrder order{};
  std::uint64_t edges = 0;
  std::uint64_t key_bytes = 0;
  std::optional<Weight> only_weight{};       // of all edges, if they have the same
  bool has_reals = false;                    // a weight is not an integer
  std::vector<std::string_view> words{};     // the types; the first is empty, for no type
  std::vector<std::uint32_t> type_places{};  // in `words`, by TypeNumber

  bool has_types() const { return words.size() > 1; }
  bool are_alike() const { return only_weight && !has_types(); }  // the edges
  std::uint64_t vertices() const { return order.by_place.size(); }

  FrozenDirection out() const;
  FrozenDirection in() const;
  NpyColumn integer_keys() const;
  NpyColumn key_offsets() const;
  NpyColumn key_texts() const;

  // All files but snapshot.json, which comes last.
  std::vector<NpyColumn> Columns() const;
  // What all files will take, in whole pages.
  std::uint64_t bytes() const;
};

// Memory takes whole pages, and most file systems do too.
inline constexpr std::uint64_t kFrozenPage = 4096;
inline std::uint64_t InPages(std::uint64_t bytes) {
  return (bytes + kFrozenPage - 1) / kFrozenPage * kFrozenPage;
}

// Reads the out-lists once. The caller pins the view and its ids. kInvalidArgument: more vertices
// than an int32 can number. kUnavailable: stop was requested.
Result<FrozenOutline> OutlineOf(const WindowView& view, const VertexDictionary& keys,
                                const std::stop_token& stop);

}  // namespace sash
