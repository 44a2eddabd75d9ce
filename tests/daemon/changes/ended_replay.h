// EndedReplay: a real pipeline whose replay has ended. Its engine and its jobs still run, so
// windows and jobs can be changed, and nothing else happens meanwhile.
//
// Thread safety: belongs to the test's thread.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <optional>
#include <string>

#include "daemon/check/check_config.h"
#include "daemon/pipeline/pipeline.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {

class EndedReplay {
 public:
  // Window `w` (10 s) of four edges, and the job `ranks` on it. `more` is added to the job.
  explicit EndedReplay(const std::string& more = "")
      : config_(Load(Text(more))),
        pipeline_(config_, limit_, log,
                  {.on_round = [](const EventBatch*) {},
                   .on_advance = [](const AdvancePtr&) {},
                   .on_result = [](const CompletedRun&) {},
                   .on_end_of_source = [this] { ended_.set_value(); }}) {
    std::ofstream(folder_.File("edges.csv")) << "a,b,1\nb,c,2\nc,a,12\na,d,13\n";
    EXPECT_FALSE(pipeline_.Build().has_value());
    EXPECT_FALSE(pipeline_.Start().has_value());
    ended_.get_future().wait();
    pipeline_.jobs().Drain();
  }
  ~EndedReplay() { pipeline_.Stop(); }
  EndedReplay(const EndedReplay&) = delete;
  EndedReplay& operator=(const EndedReplay&) = delete;

  std::string file() const { return folder_.File("sashd.yaml"); }
  // Writes the configuration file.
  void Write(const std::string& text) const { std::ofstream(file()) << text; }
  std::string Text(const std::string& more = "") const {
    return "source:\n  replay: {path: " + folder_.File("edges.csv") +
           "}\n"
           "  format: {csv: {source: 1, target: 2, time: 3}}\n"
           "  time: {unit: s, disorder: 0s}\n"
           "  dead_letters: {path: " +
           folder_.File("letters.jsonl") +
           "}\n"
           "windows:\n  - {name: w, length: 10s, slide: 10s}\n"
           "jobs:\n  - {name: ranks, kernel: pagerank, window: w" +
           more + "}\n";
  }

  const Config& config() const { return config_; }
  Pipeline& pipeline() { return pipeline_; }

  KeptLog log;

 private:
  Config Load(const std::string& text) const {
    Write(text);
    ParsedConfig parsed = LoadAndCheckConfig(file());
    for (const ConfigError& error : parsed.errors) ADD_FAILURE() << error.ToString();
    return std::move(parsed.config);
  }

  const testing::ScratchFolder folder_;
  const Config config_;
  const std::optional<MemoryLimit> limit_;
  std::promise<void> ended_;
  Pipeline pipeline_;
};

}  // namespace sash
