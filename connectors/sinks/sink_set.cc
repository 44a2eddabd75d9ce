#include "connectors/sinks/sink_set.h"

#include <unistd.h>

#include <optional>
#include <string>
#include <utility>

#include "connectors/sinks/file_sink.h"
#include "connectors/sinks/terminal_sink.h"

namespace sash {

void SinkSet::Deliver(const CompletedRun& run) {
  for (const auto& sink : sinks_) sink->Deliver(run);
}

void SinkSet::Complete(const AdvanceReport& report) {
  for (const auto& sink : sinks_) sink->Complete(report);
}

Status SinkSet::Flush() {
  Status first = Ok{};
  for (const auto& sink : sinks_) {
    Status flushed = sink->Flush();
    if (first.ok() && !flushed.ok()) first = std::move(flushed);
  }
  return first;
}

Result<std::unique_ptr<SinkSet>> OpenSinks(std::span<const SinkSpec> specs,
                                           const VertexDictionary& keys, bool truncate) {
  auto sinks = std::make_unique<SinkSet>();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto* file = std::get_if<FileSinkSpec>(&specs[i]);
    if (file == nullptr) {
      sinks->Add(std::make_unique<TerminalSink>(STDOUT_FILENO));
      continue;
    }
    Result<std::unique_ptr<FileSink>> opened = FileSink::Open(*file, keys, truncate);
    if (!opened) return std::move(opened).error().Within("sinks[" + std::to_string(i) + "]");
    sinks->Add(std::move(opened).value());
  }
  return sinks;
}

}  // namespace sash
