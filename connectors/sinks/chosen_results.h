// ChosenResults: selects what a sink writes for each run: the results of the sink's jobs, the
// changes since the previous result, or the rows of the results.
//
// Thread safety: immutable once it is made.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "connectors/sinks/row_list.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/result_sink.h"
#include "windows/jobs/run_result.h"

namespace sash {

class ChosenResults {
 public:
  // `keys` must outlive it.
  ChosenResults(const FileSinkSpec& spec, const VertexDictionary& keys)
      : ChosenResults(spec.jobs, spec.vertices, spec.content, keys) {
    is_csv_ = spec.format == RowFormat::kCsv;
  }
  ChosenResults(const KafkaSinkSpec& spec, const VertexDictionary& keys)
      : ChosenResults(spec.jobs, spec.vertices, spec.content, keys) {}
  ChosenResults(const WebhookSinkSpec& spec, const VertexDictionary& keys)
      : ChosenResults(spec.jobs, spec.vertices, spec.content, keys) {
    is_csv_ = spec.format == WebhookSinkSpec::Format::kCsv;
  }

  bool Wants(const std::string& job) const;

  // A result or a diff: JSON without a line end; no value when there is nothing to write for the
  // run, or when the sink writes rows. Otherwise it calls `admits` once, before it makes the JSON;
  // if `admits` returns false, it returns no value. A diff compares with CompletedRun::before.
  std::optional<std::string> TextOf(
      const CompletedRun& run, const std::function<bool()>& admits = [] { return true; }) const;

  // The rows of a result, for a sink that writes rows; no value and `admits` as for TextOf(). A
  // result without rows is not written.
  std::optional<RowList> RowsOf(
      const CompletedRun& run, const std::function<bool()>& admits = [] { return true; }) const;

  // For a result on an earlier advance: what `sink` does with it, kLeftOut or kWritten. Nothing if
  // the sink takes no results of the job.
  std::optional<PastDelivery> PlanPast(const std::string& job, std::string sink) const;

 private:
  ChosenResults(std::vector<std::string> jobs, VerticesWritten vertices, SinkContent content,
                const VertexDictionary& keys);

  const std::vector<std::string> jobs_;  // empty: every job
  const VerticesWritten vertices_;
  const SinkContent content_;
  bool is_csv_ = false;
  const VertexDictionary& keys_;
};

// Whether one of the sinks writes diffs of the results of `job`, a job with these parameters.
bool AnyWritesDiffs(std::span<const SinkSpec> sinks, const std::string& job,
                    const JobParameters& parameters);

}  // namespace sash
