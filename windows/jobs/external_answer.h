// ExternalAnswer: the values that a worker found for the vertices of one advance.
//
// Thread safety: a value; the functions are pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

struct ExternalAnswer {
  // Whether the values are in the order of the keys, as in a frozen snapshot; else by VertexId.
  bool by_place = true;
  std::vector<double> scores{};       // of `returns: scores`; NaN: the vertex has none
  std::vector<std::uint32_t> sets{};  // of `returns: sets`: the number of each vertex's set
};

// Answers for `advance`, which stays pinned. kInvalidArgument, with the reason: there is not one
// value for each vertex, a key is not in the window or is given twice, or a score is infinite.
Result<ExternalAnswer> AnswerOf(std::vector<double> scores, const Advance& advance);
Result<ExternalAnswer> AnswerOf(std::vector<std::uint32_t> sets, const Advance& advance);
Result<ExternalAnswer> AnswerOf(const std::vector<KeyedValue<double>>& scores,
                                const Advance& advance, const VertexDictionary& keys);
Result<ExternalAnswer> AnswerOf(const std::vector<KeyedValue<std::uint32_t>>& sets,
                                const Advance& advance, const VertexDictionary& keys);

}  // namespace sash
