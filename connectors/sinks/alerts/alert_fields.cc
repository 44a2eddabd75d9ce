#include "connectors/sinks/alerts/alert_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "connectors/sinks/alerts/alert_facts.h"
#include "connectors/sinks/result_diff.h"
#include "connectors/sinks/supplied_rows.h"
#include "windows/base/check.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/run_job.h"
#include "windows/store/window_view.h"

namespace sash {
namespace {

CompletedRun EmptyRun(const JobSpec& job, KeyKind kind) {
  const VertexDictionary keys(kind);
  const SystemClock clock;
  auto advance = std::make_shared<Advance>();
  advance->provenance.window = job.window;
  advance->provenance.empty = true;
  advance->view = EmptyView();
  std::optional<CompletedRun> run = RunJob(job, advance, keys, clock, KernelProgress());
  SASH_CHECK(run);  // nothing asks it to stop
  return *std::move(run);
}

// The members of a result as a whole that only some results have.
std::vector<std::string> RareMembers(const JobSpec& job) {
  if (HasDrift(job.parameters)) return {"error", "drift"};
  return {"error"};
}

// The kinds of conditions that results with this table allow, for messages.
std::string_view AllowedOn(const ResultTable& table, bool has_diffs) {
  if (table.lists.empty()) return "result";
  if (!table.lists.front().is_of_vertices()) return "edge or result";
  return has_diffs ? "row, entered, left, changed or result" : "row or result";
}

Error NotOn(AlertOn on, const JobSpec& job, const ResultTable& table) {
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("is `{}`, but the results of job `{}` (kernel {}) have no such rows; "
                           "give {}",
                           NameOf(on), job.name, KernelOf(job.parameters),
                           AllowedOn(table, HasDiffs(job.parameters)))};
}

}  // namespace

Result<std::vector<std::string>> AlertFields(AlertOn on, const JobSpec& job, KeyKind keys) {
  const CompletedRun run = EmptyRun(job, keys);
  const ResultTable table = DescribeResult(*run.result);
  std::vector<std::string> names;
  if (on == AlertOn::kResult) {
    AlertFacts facts(run);
    for (const Fact& fact : facts.Whole().facts) names.push_back(fact.name);
    for (std::string& rare : RareMembers(job)) {
      if (std::ranges::find(names, rare) == names.end()) names.push_back(std::move(rare));
    }
    return names;
  }
  if (table.lists.empty()) return NotOn(on, job, table);
  const ResultList& list = table.lists.front();
  if (list.is_of_vertices() == (on == AlertOn::kEdge)) return NotOn(on, job, table);
  if (ComparesResults(on) && !HasDiffs(job.parameters)) return NotOn(on, job, table);
  if (!ComparesResults(on)) {
    names = ColumnsOfList(list, ListColumns::kAllThatAJobHas);
    if (!table.parts.empty() && list.root != nullptr) names.insert(names.begin(), "root");
    return names;
  }
  names = {std::string(list.one)};
  const std::string value(list.value);
  if (on != AlertOn::kLeft) names.insert(names.end(), {"rank", value});
  if (list.compared != nullptr && on != AlertOn::kLeft) {
    names.insert(names.end(), {"baseline_score", "baseline_rank", "rank_change", "surprise"});
  }
  if (on != AlertOn::kEntered) names.insert(names.end(), {"rank_before", value + "_before"});
  return names;
}

const std::vector<std::string>& AlertTextFields() {
  static const std::vector<std::string> names = {"alert", "job", "window", "window_end", "subject"};
  return names;
}

}  // namespace sash
