#include <string>
#include <vector>

#include "daemon/metrics/part_samples.h"

namespace sash {

std::vector<MetricDescription> ResultMetrics() {
  using enum MetricKind;
  const Labels job = {"job"};
  return {
      {"sash_result_value",
       kGauge,
       {"job", "figure"},
       "A number of the job's newest due result; the figure is its member in JSON. Absent before "
       "the first result since the start, for a number without a value, and if the result has an "
       "error."},
      {"sash_result_error", kGauge, job,
       "1 if that result has an error: its numbers are missing or partial."},
      {"sash_result_end_timestamp_seconds", kGauge, job,
       "End of the window of that result, in event time."},
  };
}

void AddResultSamples(const std::string& job, const ResultFigures& figures,
                      MetricSamples& samples) {
  for (const ResultFigures::Number& number : figures.numbers) {
    samples.Set("sash_result_value", {job, number.name}, number.value);
  }
  const SamplesOf set(samples, {job});
  set("sash_result_error", figures.has_error);
  set("sash_result_end_timestamp_seconds", ToSeconds(figures.window_end.time_since_epoch()));
}

}  // namespace sash
