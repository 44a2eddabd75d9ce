#include "windows/jobs/registered_job.h"

#include "windows/jobs/run_bytes.h"

namespace sash {

bool RegisteredJob::IsDue(const Advance& advance) const {
  return !IsLive(settings) && !status.paused && settings.window == advance.provenance.window &&
         advance.ordinal % settings.every == 0;
}

void RegisteredJob::NoteRunBytes(const Advance& advance) {
  if (settings.window != advance.provenance.window) return;
  run_bytes = VisitView(advance.view, [&](const auto& graph) {
    return RunBytes(settings, advance.provenance.edges, graph.id_limit(), graph.on_disk());
  });
}

}  // namespace sash
