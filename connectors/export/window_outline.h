// WindowOutline: what the snapshot of a view holds, known before anything is written: the order of
// its vertices, and what its edges have.
//
// Thread safety: immutable once made.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/base/weight.h"
#include "windows/jobs/key_order.h"

namespace sash {

struct WindowOutline {
  KeyKind kind = KeyKind::kString;
  KeyOrder order{};
  std::uint64_t edges = 0;
  std::uint64_t key_bytes = 0;
  std::optional<Weight> only_weight{};  // of all edges, if they have the same
  bool has_reals = false;               // a weight is not an integer
  std::int64_t least_integer = 0;       // of the weights that are integers
  std::int64_t greatest_integer = 0;
  std::vector<std::string_view> words{};     // the types; the first is empty, for no type
  std::vector<std::uint32_t> type_places{};  // in `words`, by TypeNumber

  bool has_types() const { return words.size() > 1; }
  bool are_alike() const { return only_weight && !has_types(); }  // the edges
  std::uint64_t vertices() const { return order.by_place.size(); }
};

// Reads the out-lists once. The caller pins the view and its ids. kUnavailable: stop was requested.
Result<WindowOutline> OutlineOf(const WindowView& view, const VertexDictionary& keys,
                                const std::stop_token& stop);

}  // namespace sash
