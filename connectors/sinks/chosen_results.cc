#include "connectors/sinks/chosen_results.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "connectors/sinks/named_rows.h"
#include "connectors/sinks/result_diff.h"
#include "connectors/sinks/result_json.h"

namespace sash {
namespace {

bool IsAmong(const std::string& job, const std::vector<std::string>& jobs) {
  return jobs.empty() || std::ranges::find(jobs, job) != jobs.end();
}

}  // namespace

ChosenResults::ChosenResults(std::vector<std::string> jobs, VerticesWritten vertices,
                             SinkContent content, const VertexDictionary& keys)
    : jobs_(std::move(jobs)), vertices_(vertices), content_(content), keys_(keys) {}

bool ChosenResults::Wants(const std::string& job) const { return IsAmong(job, jobs_); }

std::optional<std::string> ChosenResults::TextOf(const CompletedRun& run,
                                                 const std::function<bool()>& admits) const {
  if (content_ == SinkContent::kAlerts || content_ == SinkContent::kRows) return std::nullopt;
  const bool diffs = content_ == SinkContent::kDiffs;
  if (!Wants(run.result->job) || (diffs && !HasDiffs(run.result->parameters))) return std::nullopt;
  if (!admits()) return std::nullopt;
  if (diffs) return DiffJson(*run.result, run.before.get());
  return ResultJson(run, {.top = {}, .vertices = vertices_}, keys_);
}

std::optional<RowList> ChosenResults::RowsOf(const CompletedRun& run,
                                             const std::function<bool()>& admits) const {
  if (content_ != SinkContent::kRows || !Wants(run.result->job) || !admits()) return std::nullopt;
  RowList rows = NamedRows(run, vertices_, keys_);
  if (rows.rows == 0) return std::nullopt;
  return rows;
}

std::optional<PastDelivery> ChosenResults::PlanPast(const std::string& job,
                                                    std::string sink) const {
  if (content_ == SinkContent::kAlerts || !Wants(job)) return std::nullopt;
  PastDelivery plan{.sink = std::move(sink)};
  if (content_ == SinkContent::kDiffs) {
    plan.why = "it gets diffs, which a result on an earlier window does not change";
  } else if (is_csv_) {
    plan.why = "its rows are CSV, which has no column for `past`";
  }
  if (!plan.why.empty()) plan.state = PastDelivery::State::kLeftOut;
  return plan;
}

bool AnyWritesDiffs(std::span<const SinkSpec> sinks, const std::string& job,
                    const JobParameters& parameters) {
  const auto writes = [&](const auto& sink) {
    if constexpr (std::is_same_v<decltype(sink), const TerminalSinkSpec&>) {
      return false;
    } else {
      return sink.content == SinkContent::kDiffs && IsAmong(job, sink.jobs);
    }
  };
  return HasDiffs(parameters) &&
         std::ranges::any_of(sinks, [&](const SinkSpec& sink) { return std::visit(writes, sink); });
}

}  // namespace sash
