// SinkSet: several sinks as one.
//
// Thread safety: like ResultSink. Any thread may call the members that only some sinks have. All
// sinks must be added before the first result is delivered.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "connectors/sinks/file_sink.h"
#include "connectors/sinks/kafka/kafka_sink.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/event_log.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class SinkSet final : public ResultSink {
 public:
  void Add(std::unique_ptr<ResultSink> sink) { sinks_.push_back(std::move(sink)); }

  void Deliver(const CompletedRun& run) override;
  void Complete(const AdvanceReport& report) override;

  // Flushes every sink, also after an error. Returns the first error.
  Status Flush() override;
  void Acknowledged(std::uint64_t advances) override;

  // For sinks that write to files: see FileSink::Look(). Any thread may call LookAtFiles().
  void Add(std::unique_ptr<FileSink> sink);
  void LookAtFiles();

  // For sinks that deliver in their own thread.
  void Add(std::unique_ptr<KafkaSink> sink);
  void Begin();
  // Returns the first error; see KafkaSink.
  Status Drain(const std::function<bool()>& go_on, bool only_while_ready);
  std::vector<std::string> NotReady() const;
  std::vector<KafkaSinkCounts> KafkaCounts() const;  // each with a unique `sink` name

 private:
  std::vector<std::unique_ptr<ResultSink>> sinks_;
  std::vector<KafkaSink*> kafka_;  // of sinks_
  std::vector<FileSink*> files_;
};

// Opens the sinks in `specs`; a terminal sink writes to standard output. `log` must outlive them.
// Returns the first error, which names the place in `specs` as in the configuration ("sinks[1]").
Result<std::unique_ptr<SinkSet>> OpenSinks(std::span<const SinkSpec> specs,
                                           const VertexDictionary& keys, OutputMode mode,
                                           EventLog& log);

}  // namespace sash
