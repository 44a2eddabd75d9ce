#include "daemon/http/result_rows.h"

#include <fmt/format.h>

#include <utility>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/row_list.h"
#include "daemon/http/row_list.h"
#include "windows/jobs/kinds/kinds.h"
#include "windows/jobs/result_table.h"

namespace sash {

HttpResponse ResultRows(const CompletedRun& run, const Listing& listing,
                        const VertexDictionary& keys, ListFormat format,
                        const LargeAnswers& answers) {
  const RunResult& result = *run.result;
  const ResultTable table = DescribeResult(result);
  if (table.lists.empty()) {
    return OnlyJson(fmt::format("a result of job '{}' (kernel {})", result.job, result.kernel));
  }
  const RowSupply supply{.listing = listing, .run = &run, .keys = &keys};
  auto [rows, wanted, available] = JoinedRowsOf(table, supply, ListColumns::kOfItsRows);
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
