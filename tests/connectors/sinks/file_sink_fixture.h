// A file sink in a folder of its own, and results for it.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "connectors/sinks/file_sink.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {

class FileSinkTest : public ::testing::Test {
 protected:
  std::unique_ptr<FileSink> Open(bool replay = false) {
    Result<std::unique_ptr<FileSink>> sink =
        FileSink::Open(spec_, runs_.keys(), replay, log_, backlog_);
    EXPECT_TRUE(sink.ok()) << sink.error().ToString();
    return std::move(sink).value();
  }
  std::string OpenError(bool replay = false) {
    const Result<std::unique_ptr<FileSink>> sink =
        FileSink::Open(spec_, runs_.keys(), replay, log_);
    return sink.ok() ? "" : sink.error().message;
  }

  // The result of `job` on a window of two edges that ends `end` seconds after the epoch.
  CompletedRun RunAt(const std::string& job, std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}, {"b", "c", {}}}, testing::At(end));
    advance->number = static_cast<std::uint64_t>(end);
    return runs_.Run(testing::FinishedRuns::Job(job, ShapeParameters()), advance);
  }
  CompletedRun CountedRun(const std::string& job, std::uint64_t accepted) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, testing::At(300));
    advance->provenance.accepted = accepted;
    return runs_.Run(testing::FinishedRuns::Job(job, ShapeParameters()), advance);
  }

  // "job end" of each line, in seconds.
  std::vector<std::string> Held() const { return HeldBy(spec_.path); }
  static std::vector<std::string> HeldBy(const std::string& path) {
    std::vector<std::string> held;
    for (const std::string& line : testing::Lines(path)) {
      const auto json = nlohmann::ordered_json::parse(line);
      held.push_back(json.at("job").get<std::string>() + " " +
                     json.at("window_end").get<std::string>().substr(14, 5));
    }
    return held;
  }

  using Strings = std::vector<std::string>;

  // Delivers results of `x` that end at these seconds, and makes them durable.
  void Give(FileSink& sink, const std::vector<std::int64_t>& ends) {
    for (const std::int64_t end : ends) sink.Deliver(RunAt("x", end));
    const Status flushed = sink.Flush();
    EXPECT_TRUE(flushed.ok()) << flushed.error().message;
  }

  testing::ScratchFolder folder_;
  KeptLog log_;
  testing::FinishedRuns runs_;
  FileSinkSpec spec_{folder_.File("results.jsonl"), {}, VerticesWritten::kTop};
  std::size_t backlog_ = FileSink::kBacklogBytes;
};

}  // namespace sash
