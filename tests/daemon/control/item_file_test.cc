#include "daemon/control/item_file.h"

#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

std::string JsonOf(const std::string& content) {
  const Result<std::string> json = ItemJson("job.yaml", content);
  return json ? json.value() : "error: " + json.error().message;
}

TEST(ItemFile, YamlBecomesTheSameJson) {
  EXPECT_EQ(JsonOf("name: ranks\n"
                   "kernel: pagerank   # a comment\n"
                   "top: 5\n"
                   "parameters: {damping: 0.5, weighted: true, sources: [a, '7', 7]}\n"
                   "deadline: 250ms\n"
                   "overrun: {queue: 3}\n"
                   "empty:\n"),
            R"({"name":"ranks","kernel":"pagerank","top":5,)"
            R"("parameters":{"damping":0.5,"weighted":true,"sources":["a","7",7]},)"
            R"("deadline":"250ms","overrun":{"queue":3},"empty":null})");
  EXPECT_EQ(JsonOf("roots: [18446744073709551615, -9223372036854775808, 007, 0x10, "
                   "18446744073709551616, 1e3, 1e999]"),
            R"({"roots":[18446744073709551615,-9223372036854775808,"007","0x10",)"
            R"("18446744073709551616",1000.0,"1e999"]})");
}

TEST(ItemFile, JsonIsSentAsItIs) {
  const std::string json = "\n{\"name\" : \"a\",\n  \"top\": 1e1, \"name\": 2}\n";
  EXPECT_EQ(JsonOf(json), json);
}

TEST(ItemFile, WhatIsNoItemIsSaidWithItsPlace) {
  EXPECT_EQ(JsonOf(""),
            "error: job.yaml: holds no mapping; give one item, such as {name: ranks, "
            "kernel: pagerank, ...}");
  EXPECT_EQ(JsonOf("[1]").substr(0, 32), "error: job.yaml: holds no mappin");
  EXPECT_EQ(JsonOf("name: a\nkernel: b\nname: c\n"), "error: job.yaml:3: `name` is given twice");
  EXPECT_EQ(JsonOf("name: !include x\n"), "error: job.yaml:1: a tag has no meaning here");
  EXPECT_EQ(JsonOf("{name: [a\n").substr(0, 17), "error: job.yaml: ");
  EXPECT_EQ(JsonOf("a: \"\xff\"").substr(0, 16), "error: job.yaml:");
}

TEST(ItemFile, AFileThatCannotBeReadIsSaid) {
  for (const char* path : {"/no/such/file", "/"}) {
    const Result<std::string> json = ReadItemFile(path);
    ASSERT_FALSE(json) << path;
    EXPECT_NE(json.error().message.find("cannot be read: "), std::string::npos)
        << json.error().message;
  }
}

}  // namespace
}  // namespace sash
