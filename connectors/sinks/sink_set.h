// SinkSet: several sinks as one.
//
// Thread safety: like ResultSink. Sinks are added before the first result is delivered.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "connectors/sinks/sink_spec.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class SinkSet final : public ResultSink {
 public:
  void Add(std::unique_ptr<ResultSink> sink) { sinks_.push_back(std::move(sink)); }

  void Deliver(const CompletedRun& run) override;
  void Complete(const AdvanceReport& report) override;

  // Flushes every sink, whatever the others say; the first error.
  Status Flush() override;

 private:
  std::vector<std::unique_ptr<ResultSink>> sinks_;
};

// The sinks that `specs` name; terminals are standard output. `truncate` is for replays. The first
// error, naming the place in `specs` as the configuration does ("sinks[1]").
Result<std::unique_ptr<SinkSet>> OpenSinks(std::span<const SinkSpec> specs,
                                           const VertexDictionary& keys, bool truncate);

}  // namespace sash
