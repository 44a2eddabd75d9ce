#include "connectors/sinks/json_pieces.h"

#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

JsonPieces ExampleList(std::size_t rows, std::size_t most_bytes = JsonPieces::kUnlimited) {
  JsonPieces pieces(most_bytes);
  JsonText json;
  json.BeginObject().Key("a").Integer(1).Key("list").BeginArray();
  pieces.Add(json.Interrupt());
  pieces.AddList(
      rows,
      [](std::size_t i, JsonText& row) { row.BeginObject().Key("i").Unsigned(i).EndObject(); },
      [rows](std::size_t written) {
        return written < rows ? std::string("],\"cut\":true") : std::string("]");
      });
  json.Key("b").Integer(2).EndObject();
  pieces.Add(std::move(json).Take());
  return pieces;
}

TEST(JsonPiecesTest, TogetherTheyAreTheSameWhereverTheyAreCut) {
  EXPECT_EQ(ExampleList(0).Take(), R"({"a":1,"list":[],"b":2})");
  EXPECT_EQ(ExampleList(1).Take(), R"({"a":1,"list":[{"i":0}],"b":2})");
  const std::string whole = ExampleList(100).Take();
  EXPECT_TRUE(whole.starts_with(R"({"a":1,"list":[{"i":0},{"i":1},)"));
  EXPECT_TRUE(whole.ends_with(R"({"i":99}],"b":2})"));
  for (const std::size_t bytes : {1, 2, 7, 8, 50, 900, 100'000}) {
    JsonPieces pieces = ExampleList(100);
    std::string text;
    std::size_t before = 0;
    while (pieces.Append(text, bytes)) {
      EXPECT_GT(text.size(), before) << bytes;
      EXPECT_LE(text.size() - before, bytes + 20) << bytes;
      before = text.size();
    }
    EXPECT_EQ(text, whole) << bytes;
  }
}

TEST(JsonPiecesTest, AListEndsAtTheBoundAndSaysSo) {
  const std::string text = ExampleList(1'000'000, 1000).Take();
  EXPECT_LT(text.size(), 1050u);
  EXPECT_TRUE(text.ends_with(R"(}],"cut":true,"b":2})")) << text;
}

}  // namespace
}  // namespace sash
