// Parses JSON of the tests into a tree.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "daemon/control/json_value.h"

namespace sash {

inline JsonValue Json(std::string_view text) {
  Result<JsonValue> value = ReadJson(text);
  if (value) return std::move(value).value();
  ADD_FAILURE() << value.error().message;
  return {};
}

}  // namespace sash
