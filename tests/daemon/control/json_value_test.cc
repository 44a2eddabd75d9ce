#include "daemon/control/json_value.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/daemon/control/json_reading.h"

namespace sash {
namespace {

TEST(JsonValue, KeepsOrderAndTheTextOfNumbers) {
  const JsonValue value =
      Json(R"({"z": 0.30000000000000004, "a": [1, "x", null, false], "m": {}})");
  ASSERT_EQ(value.members.size(), 3U);
  EXPECT_EQ(value.members[0].name, "z");
  EXPECT_EQ(value["z"].text, "0.30000000000000004");
  EXPECT_DOUBLE_EQ(*value["z"].AsNumber(), 0.3);
  EXPECT_EQ(value["a"].items.size(), 4U);
  EXPECT_EQ(value["a"].items[1].text, "x");
  EXPECT_TRUE(value["m"].is_object());
}

TEST(JsonValue, WhatIsNotThereIsNull) {
  const JsonValue value = Json("[1]");
  EXPECT_TRUE(value["name"].is_null());
  EXPECT_TRUE(value["name"]["other"].is_null());
  EXPECT_FALSE(value.AsNumber());
}

TEST(JsonValue, WhatIsNoJsonIsSaid) {
  for (const std::string& text :
       {std::string("<html>"), std::string("{\"a\": "), std::string(), std::string(10'000, '[')}) {
    const Result<JsonValue> value = ReadJson(text);
    ASSERT_FALSE(value) << text.substr(0, 20);
    EXPECT_NE(value.error().message, "");
  }
}

}  // namespace
}  // namespace sash
