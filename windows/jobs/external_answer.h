// ExternalAnswer: the values that a worker found for the vertices of one advance, or its rows.
//
// Thread safety: a value; the functions are pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/kinds/external.h"

namespace sash {

// `Value`: a score (NaN: the vertex has none), or the number of a set.
template <typename Value>
struct KeyedValue {
  VertexKey key;
  Value value{};
};

struct PairedKeys {
  VertexKey source;
  VertexKey target;
};

// Pairs of vertices, each with a number.
struct ExternalRows {
  std::vector<std::pair<VertexId, VertexId>> pairs{};
  std::vector<double> scores{};  // one for each pair, or empty: they have none
};

struct ExternalAnswer {
  static constexpr std::size_t kMostRows = 1'000'000;

  // Whether the values are in the order of the keys, as in a frozen snapshot; else by VertexId.
  // Likewise the ids in rows: places in this order, or a VertexId each.
  bool by_place = true;
  std::vector<double> scores{};       // of `returns: scores`; NaN: the vertex has none
  std::vector<std::uint32_t> sets{};  // of `returns: sets`: the number of each vertex's set
  ExternalRows rows{};                // of `returns: rows`
};

// Answers for `advance`, which stays pinned. kInvalidArgument, with the reason: there is not one
// value for each vertex, a key is not in the window or is given twice, a score is infinite, or the
// number of a set is too great: it must be below the number of vertices.
Result<ExternalAnswer> AnswerOf(std::vector<double> scores, const Advance& advance);
Result<ExternalAnswer> AnswerOf(std::vector<std::uint32_t> sets, const Advance& advance);
Result<ExternalAnswer> AnswerOf(const std::vector<KeyedValue<double>>& scores,
                                const Advance& advance, const VertexDictionary& keys);
Result<ExternalAnswer> AnswerOf(const std::vector<KeyedValue<std::uint32_t>>& sets,
                                const Advance& advance, const VertexDictionary& keys);
// Rows whose ids are places. kInvalidArgument: too many rows, not one score for each pair, an id
// without a vertex, a pair that is given twice, or a score that is not finite.
Result<ExternalAnswer> AnswerOf(ExternalRows rows, const Advance& advance);
// The same for pairs of keys.
Result<ExternalAnswer> AnswerOf(const std::vector<PairedKeys>& pairs, std::vector<double> scores,
                                const Advance& advance, const VertexDictionary& keys);
// Why an answer cannot have this number of rows; none: it can.
std::optional<Error> WhyTooManyRows(std::size_t rows);

}  // namespace sash
