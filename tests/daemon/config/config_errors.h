// A configuration with one fault, and the one error that it gives.
#pragma once

#include <gtest/gtest.h>

#include "tests/daemon/config/config_text.h"

namespace sash {

// kGood with `to` in place of `from`.
struct Fault {
  const char* name;
  const char* from;
  const char* to;
  int line;
  const char* key;
  const char* remedy;  // part of the message
};

class ConfigErrorsTest : public ::testing::TestWithParam<Fault> {};

// Parts of kGood.
inline constexpr const char* kJson = "json: {source: /s, target: /t, time: /ts}";

}  // namespace sash
