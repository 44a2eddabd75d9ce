// EveryScript: runs all scripts of a given length over some operations on a store and compares it
// with the model.
//
// Thread safety: belongs to one thread.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/script_run.h"
#include "tests/support/store_script.h"
#include "tests/support/store_specs.h"

namespace sash::testing {

// The n-th add of a script has weight 2^n, so a sum of weights tells which copies it contains.
class EveryScript {
 public:
  // `letters`: each is an operation. One more step, after the letters, ends the slice and advances.
  EveryScript(StoreSpec spec, SliceOperations letters)
      : spec_(spec), letters_(std::move(letters)) {}

  // Runs every script of `length` steps. Each is followed by advances until everything has aged
  // out, so all shorter scripts are included. `wanted`: whether to run the scripts with this first
  // letter, to skip mirror images.
  void RunAll(
      std::size_t length,
      const std::function<bool(const StoreOperation&)>& wanted = [](const auto&) { return true; }) {
    std::vector<std::size_t> steps(length);
    do {
      const auto first =
          std::ranges::find_if(steps, [&](std::size_t step) { return step < letters_.size(); });
      if (first != steps.end() && !wanted(letters_[*first])) continue;
      StoreScript script = ScriptOf(steps);
      ScriptRun run(spec_, script);
      const std::string difference = run.FirstDifference();
      ASSERT_EQ(difference, "") << ToText(script);
      ++scripts_;
      views_ += run.publications();
    } while (Next(steps));
    std::printf("             %zu scripts of %zu steps, %zu views\n", scripts_, length, views_);
  }

 private:
  bool Next(std::vector<std::size_t>& steps) const {
    for (std::size_t& step : steps) {
      if (++step <= letters_.size()) return true;
      step = 0;
    }
    return false;
  }

  StoreScript ScriptOf(const std::vector<std::size_t>& steps) const {
    StoreScript script;
    script.windows = {{.length = 3}, {.length = 1}, {.length = 2}};
    script.panes.emplace_back();
    std::int64_t weight = 1;
    for (const std::size_t step : steps) {
      if (step == letters_.size()) {
        script.panes.emplace_back();
        continue;
      }
      StoreOperation operation = letters_[step];
      if (operation.operation == Operation::kAdd) operation.weight = Weight::Integer(weight);
      weight *= 2;
      script.panes.back().operations.push_back(operation);
    }
    script.panes.resize(script.panes.size() + 3);
    return script;
  }

  const StoreSpec spec_;
  const SliceOperations letters_;
  std::size_t scripts_ = 0;
  std::size_t views_ = 0;
};

}  // namespace sash::testing
