// Reads the whole vector of a run: more rows than its result holds, and the values of one vertex.
//
// Thread safety: pure functions; the run pins its view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_table.h"

namespace sash {

std::span<const VertexId> VerticesOf(const CompletedRun& run);

// The first `count` rows of `list`, a list of the run's result.
void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<RankedVertex>& rows);
void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<RatedVertex>& rows);
void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<ReachedVertex>& rows);
void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<DistantVertex>& rows);
void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<CountedVertex>& rows);
void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<WeighedVertex>& rows);

struct VertexCell {
  using Value = std::variant<std::monostate, std::uint64_t, std::int64_t, std::int32_t, double,
                             std::string, VertexKey>;

  std::string_view name;
  Value value{};  // std::monostate: null
};

// The values of a vertex of the window in `list`. `error` is the table's.
std::vector<VertexCell> CellsOf(const ResultList& list, const std::string& error,
                                const CompletedRun& run, VertexId vertex,
                                const VertexDictionary& keys);

}  // namespace sash
