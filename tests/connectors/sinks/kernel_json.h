// KernelJsonTest: the JSON of results of kernels on a small graph.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "connectors/sinks/result_json.h"
#include "tests/connectors/sinks/finished_runs.h"

namespace sash::testing {

inline constexpr VerticesWritten kTop = VerticesWritten::kTop;
inline constexpr VerticesWritten kAll = VerticesWritten::kAll;

// A triangle a, b, c with a tail d, and a pair x, y.
class KernelJsonTest : public ::testing::Test {
 protected:
  // The text from "parameters" on, without the members that every result has.
  std::string Written(JobParameters parameters, std::size_t top, VerticesWritten vertices) {
    return Written(std::move(parameters), top, vertices, advance_);
  }
  std::string Written(JobParameters parameters, std::size_t top, VerticesWritten vertices,
                      const AdvancePtr& advance, const AdvancePtr& previous = nullptr) {
    const CompletedRun run =
        runs_.Run(FinishedRuns::Job("j", std::move(parameters), top), advance, previous);
    auto json = nlohmann::ordered_json::parse(
        ResultJson(run, {.top = {}, .vertices = vertices}, runs_.keys()));
    nlohmann::ordered_json rest;
    bool begun = false;
    for (const auto& [key, value] : json.items()) {
      begun = begun || key == "parameters";
      if (!begun || key == "mode" || key == "seconds" || key == "iterations") continue;
      rest[key] = value;
    }
    return rest.dump();
  }

  FinishedRuns runs_;
  const AdvancePtr advance_ = runs_.MakeAdvance({{"b", "a", Weight::Integer(4)},
                                                 {"a", "c", Weight::Real(0.5)},
                                                 {"c", "b", {}},
                                                 {"c", "d", {}},
                                                 {"d", "d", {}},
                                                 {"y", "x", {}}},
                                                At(300));
};

}  // namespace sash::testing
