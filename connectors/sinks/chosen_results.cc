#include "connectors/sinks/chosen_results.h"

#include <algorithm>
#include <utility>

#include "connectors/sinks/result_json.h"

namespace sash {

ChosenResults::ChosenResults(std::vector<std::string> jobs, VerticesWritten vertices,
                             SinkContent content, const VertexDictionary& keys)
    : jobs_(std::move(jobs)), vertices_(vertices), content_(content), keys_(keys) {}

bool ChosenResults::Wants(const std::string& job) const {
  return jobs_.empty() || std::ranges::find(jobs_, job) != jobs_.end();
}

bool ChosenResults::Compares(const JobSpec& job) const {
  return is_diffs() && Wants(job.name) && HasDiffs(job.parameters);
}

void ChosenResults::Recall(const CompletedRun& run) {
  if (is_diffs() && Wants(run.result->job)) diffs_.Begin(run.result);
}

std::optional<std::string> ChosenResults::TextOf(const CompletedRun& run,
                                                 const std::function<bool()>& admits) {
  if (!Wants(run.result->job)) return std::nullopt;
  if (is_diffs()) {
    std::optional<std::string> diff = diffs_.Next(run.result);
    if (!diff || !admits()) return std::nullopt;
    return diff;
  }
  if (!admits()) return std::nullopt;
  return ResultJson(run, {.top = {}, .vertices = vertices_}, keys_);
}

}  // namespace sash
