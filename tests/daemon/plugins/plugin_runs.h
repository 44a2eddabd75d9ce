// A fixture that runs jobs of plug-ins on views.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/plugins/job_plugin.h"
#include "tests/daemon/plugins/plugin_copy.h"
#include "tests/support/manual_clock.h"
#include "windows/jobs/run_job.h"

namespace sash::testing {

class PluginRuns : public ::testing::Test {
 protected:
  JobSpec ExampleJob(const std::string& name, std::vector<PluginParameter> given = {}) const {
    return JobOf(folder_.Example(name), std::move(given));
  }
  JobSpec FixtureJob(const std::string& name, std::vector<PluginParameter> given = {}) const {
    return JobOf(folder_.Fixture(name), std::move(given));
  }
  JobSpec JobOf(const std::string& file, std::vector<PluginParameter> given) const {
    PluginParameters plugin;
    plugin.file = file;
    plugin.given = std::move(given);
    JobSpec job;
    job.parameters = std::move(plugin);
    for (const PluginFault& fault : LoadPluginOf(job, {folder_.path()})) {
      ADD_FAILURE() << fault.key << ": " << fault.message;
    }
    return job;
  }
  static std::optional<CompletedRun> Run(const JobSpec& job, const WindowView& view,
                                         const VertexDictionary& keys) {
    auto advance = std::make_shared<Advance>();
    advance->view = view;
    VisitView(view, [&](const auto& graph) {
      advance->provenance.edges = graph.edge_count();
      advance->provenance.vertices = graph.vertices().size();
    });
    std::optional<RunFailure> failure;
    auto run = RunJob(job, advance, keys, ManualClock(), {}, nullptr, false, {}, nullptr, &failure);
    if (failure) why_ = failure->why;
    return run;
  }

  const PluginFolder folder_;
  static inline std::string why_;
};

}  // namespace sash::testing
