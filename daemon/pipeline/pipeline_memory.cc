#include "daemon/pipeline/pipeline_memory.h"

#include <fmt/format.h>

#include "daemon/memory/memory_limit.h"

namespace sash {

ReplayStanding PipelineMemory::Replayed() const {
  const EngineStats& stats = pipeline_.stats();
  ReplayStanding standing{.held = pipeline_.source().status().held,
                          .queue_empty = pipeline_.queue().bytes() == 0,
                          .events = stats.accepted,
                          .slices = stats.slices_closed,
                          .rounds = stats.rounds};
  for (const JobStatus& job : pipeline_.jobs().Statuses()) {
    standing.jobs_busy = standing.jobs_busy || job.running || job.waiting > 0;
    standing.runs += job.runs;
  }
  return standing;
}

std::string PipelineMemory::Holders() const {
  const EngineStats& stats = pipeline_.stats();
  std::string holders;
  for (const WindowStatus& window : pipeline_.engine().Windows()) {
    const AdvancePtr& newest = window.newest;
    if (newest == nullptr) continue;
    holders += fmt::format("window {} {} ({} edges in {} slices), ", newest->provenance.window,
                           SizeText(newest->bytes), newest->provenance.edges, newest->slices);
  }
  const std::uint64_t results = pipeline_.history().bytes() + pipeline_.jobs().baseline_bytes();
  return holders +
         fmt::format("slices that have not closed {} ({} events), vertex keys {}, results {}",
                     SizeText(stats.open_bytes), stats.open_events.load(),
                     SizeText(pipeline_.keys().bytes()), SizeText(results));
}

std::uint64_t PipelineMemory::ReservedBytes() const {
  return pipeline_.stats().advance_bytes + pipeline_.jobs().reserved_bytes();
}

}  // namespace sash
