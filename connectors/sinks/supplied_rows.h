// SuppliedRows: the rows of one list of a result, as JSON objects that are written on demand: the
// rows that the result holds, or more of them from the whole vector.
//
// Thread safety: everything may be called from any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "connectors/sinks/json_pieces.h"
#include "connectors/sinks/result_json.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/run_result.h"

namespace sash {

// Where the rows come from. `run` and `keys` are null when only the result itself is available;
// then the result must outlive the rows.
struct RowSupply {
  Listing listing;
  const CompletedRun* run = nullptr;
  const VertexDictionary* keys = nullptr;

  bool lists_all() const { return listing.vertices == VerticesWritten::kAll; }
  bool has_view() const { return run != nullptr && run->advance != nullptr; }
  std::size_t Wanted(std::size_t held) const {
    if (lists_all()) return std::numeric_limits<std::size_t>::max();
    return listing.top.value_or(held);
  }
  std::size_t skipped() const { return listing.offset.value_or(0); }
};

struct SuppliedRows {
  std::size_t listed = 0;       // rows that `write` can write; at most Listing::most_rows
  std::uint64_t wanted = 0;     // rows that are wanted and available; of a page: all available
  std::uint64_t available = 0;  // rows that exist
  JsonPieces::WriteRow write;   // keeps the run alive
};

SuppliedRows RowsOfList(const ResultList& list, const RowSupply& supply);

// Some members are only in lists whose rows need them: the types of edges.
enum class ListColumns : std::uint8_t { kOfItsRows, kAllThatAJobHas };

// The names of the members of each row, in their order.
std::vector<std::string> ColumnsOfList(const ResultList& list,
                                       ListColumns of = ListColumns::kOfItsRows);

}  // namespace sash
