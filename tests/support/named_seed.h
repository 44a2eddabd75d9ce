// NamedSeed: the seed of a test that draws other values in every run. It is the number in
// SASH_SEED, or a new one; it is printed, and named in failures. To repeat a failure, run the test
// with the SASH_SEED that it named.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <random>
#include <source_location>
#include <string>

#include "tests/support/seed_range.h"

namespace sash::testing {

class NamedSeed {
 public:
  explicit NamedSeed(const std::source_location& at = std::source_location::current())
      : value_(NumberFromEnvironment("SASH_SEED", std::random_device()())),
        trace_(at.file_name(), static_cast<int>(at.line()), text()) {
    std::cout << text() << std::endl;  // at once: a crash does not name it
  }

  std::uint64_t value() const { return value_; }

 private:
  std::string text() const { return "SASH_SEED=" + std::to_string(value_); }

  const std::uint64_t value_;
  const ::testing::ScopedTrace trace_;  // while this exists, failures name the seed
};

}  // namespace sash::testing
