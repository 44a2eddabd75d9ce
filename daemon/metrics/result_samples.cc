#include <string>
#include <vector>

#include "daemon/metrics/part_samples.h"

namespace sash {

std::vector<MetricDescription> ResultMetrics() {
  using enum MetricKind;
  const Labels job = {"job"};
  const Labels alert = {"alert"};
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
      {"sash_alert_fired_total", kCounter, alert,
       "Alerts sent to the receivers since the start, without tests."},
      {"sash_alert_suppressed_total", kCounter, alert,
       "Alerts that were not sent: at_most held them back."},
      {"sash_alert_left_out_total", kCounter, alert,
       "Alerts that were not sent: one result gave more than 1,000."},
      {"sash_alert_failures_total", kCounter, alert,
       "Rows for which the filter of the alert has no value."},
      {"sash_alert_holding", kGauge, alert,
       "Subjects for which the condition holds in the newest result."},
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

void AddAlertSamples(const AlertStatus& alert, MetricSamples& samples) {
  const SamplesOf set(samples, {alert.spec.name});
  set("sash_alert_fired_total", alert.fired);
  set("sash_alert_suppressed_total", alert.suppressed);
  set("sash_alert_left_out_total", alert.left_out);
  set("sash_alert_failures_total", alert.failures);
  set("sash_alert_holding", alert.holding);
}

}  // namespace sash
