#include "daemon/http/result_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/supplied_rows.h"
#include "daemon/http/row_list.h"
#include "windows/jobs/kinds/kinds.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

struct JoinedLists {
  struct Part {
    std::string root;  // JSON; empty: rows have no root
    std::size_t end = 0;
    JsonPieces::WriteRow write;
  };
  std::vector<Part> parts;

  void Write(std::size_t row, JsonText& to) const {
    const auto part = std::ranges::upper_bound(parts, row, {}, &Part::end);
    const std::size_t begin = part == parts.begin() ? 0 : (part - 1)->end;
    if (part->root.empty()) {
      part->write(row - begin, to);
      return;
    }
    JsonText text;
    part->write(row - begin, text);
    to.Raw("{\"root\":" + part->root + "," + text.text().substr(1));
  }
};

}  // namespace

HttpResponse ResultRows(const CompletedRun& run, const Listing& listing,
                        const VertexDictionary& keys, ListFormat format,
                        const LargeAnswers& answers) {
  const RunResult& result = *run.result;
  const ResultTable table = DescribeResult(result);
  if (table.lists.empty()) {
    return OnlyJson(fmt::format("a result of job '{}' (kernel {})", result.job, result.kernel));
  }
  auto joined = std::make_shared<JoinedLists>();
  std::uint64_t wanted = 0;
  std::uint64_t available = 0;
  std::size_t listed = 0;
  for (const ResultList& list : table.lists) {
    SuppliedRows rows = RowsOfList(list, {.listing = listing, .run = &run, .keys = &keys});
    wanted += rows.wanted;
    available += rows.available;
    listed += rows.listed;
    const bool has_root = !table.parts.empty() && list.root != nullptr;
    joined->parts.push_back({.root = has_root ? KeyJson(*list.root) : std::string(),
                             .end = listed,
                             .write = std::move(rows.write)});
  }
  RowList rows{.columns = ColumnsOfList(table.lists.front()),
               .rows = std::min(listed, listing.most_rows),
               .write = [joined](std::size_t i, JsonText& to) { joined->Write(i, to); }};
  if (!joined->parts.front().root.empty()) rows.columns.insert(rows.columns.begin(), "root");
  // The header fields precede the rows, so it must be known before how many fit.
  const RowMeasure measure = RowsWithin(rows, listing.most_bytes);
  rows.rows = measure.rows;
  RowHeaders about{.available = available, .truncated = measure.rows < wanted};
  about.error = table.error;
  if (about.error.empty() && measure.lost_numbers > 0) {
    about.error = LostNumbersText(measure.lost_numbers);
  }
  return ResultRowsAnswer(std::move(rows), format, about, result.provenance, answers);
}

}  // namespace sash
