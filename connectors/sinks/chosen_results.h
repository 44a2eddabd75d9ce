// ChosenResults: selects what a sink writes for each run: the results of the sink's jobs, or the
// changes since the previous result.
//
// Thread safety: Recall() and TextOf() belong to one thread; the rest may be called from any
// thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "connectors/sinks/result_diff.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class ChosenResults {
 public:
  // `keys` must outlive it.
  ChosenResults(const FileSinkSpec& spec, const VertexDictionary& keys)
      : ChosenResults(spec.jobs, spec.vertices, spec.content, keys) {}
  ChosenResults(const KafkaSinkSpec& spec, const VertexDictionary& keys)
      : ChosenResults(spec.jobs, spec.vertices, spec.content, keys) {}

  bool Wants(const std::string& job) const;

  // See ResultSink.
  bool Compares(const JobSpec& job) const;
  void Recall(const CompletedRun& run);

  // JSON without a line end; no value when there is nothing to write for the run. If there is, it
  // calls `admits` once and writes nothing if that returns false. The JSON of a result (not of a
  // diff) is made only after that.
  std::optional<std::string> TextOf(
      const CompletedRun& run, const std::function<bool()>& admits = [] { return true; });

 private:
  ChosenResults(std::vector<std::string> jobs, VerticesWritten vertices, SinkContent content,
                const VertexDictionary& keys);

  bool is_diffs() const { return content_ == SinkContent::kDiffs; }

  const std::vector<std::string> jobs_;  // empty: every job
  const VerticesWritten vertices_;
  const SinkContent content_;
  const VertexDictionary& keys_;
  ResultDiffs diffs_;
};

}  // namespace sash
