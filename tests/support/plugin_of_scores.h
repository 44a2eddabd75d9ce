// A plug-in without a shared object: the degree of each vertex in both directions.
#pragma once

#include <memory>
#include <vector>

#include "windows/jobs/kinds/plugin.h"

namespace sash::testing {

inline PluginParameters PluginOfScores() {
  auto kernel = std::make_shared<PluginKernel>();
  kernel->title = "degrees 1.0";
  kernel->table.output = SASH_SCORES;
  kernel->table.bytes_per_vertex = 16;
  kernel->table.run = [](const sash_run* run) {
    std::vector<double> scores(run->id_limit);
    std::vector<std::uint32_t> degrees(run->vertex_count);
    for (const int direction : {SASH_OUT, SASH_IN}) {
      run->degrees(run, direction, 0, run->vertex_count, degrees.data());
      for (std::size_t i = 0; i < degrees.size(); ++i) scores[run->vertices[i]] += degrees[i];
    }
    return run->put_scores(run, scores.data(), nullptr, scores.size());
  };
  PluginParameters plugin;
  plugin.file = "degrees.so";
  plugin.json = "{}";
  plugin.kernel = std::move(kernel);
  return plugin;
}

}  // namespace sash::testing
