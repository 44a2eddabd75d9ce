// The vertices of a window by their keys: in the order of keys, by prefix, page by page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kKeys = "/api/v1/windows/now/keys";

std::vector<std::string> KeysIn(const Json& answer) {
  std::vector<std::string> keys;
  for (const Json& row : answer.at("vertices")) keys.push_back(row.at("vertex").dump());
  return keys;
}

// Windows of 10 s: an-ann, anna-b, b-a; then only an-z.
void FillWithNames(TinyDaemon& daemon) {
  for (const auto& [source, target] : {std::pair("an", "ann"), {"anna", "b"}, {"b", "a"}}) {
    daemon.Add(std::string(source), std::string(target), 1);
  }
  daemon.Add(std::string("an"), std::string("z"), 11);
  daemon.EndSource();
}

TEST(KeyRoutesTest, KeysThatBeginWithAPrefixComeInTheirOrderWithDegrees) {
  TinyDaemon daemon(KeyKind::kString, {std::string("a")}, {}, std::chrono::seconds(20));
  FillWithNames(daemon);
  const RouteAnswers api(daemon);
  EXPECT_EQ(api.Json(kKeys + "?prefix=an&snapshot=1"), Json::parse(R"({
    "snapshot": 1,
    "vertices": [{"vertex": "an", "out_degree": 1, "in_degree": 0},
                 {"vertex": "ann", "out_degree": 0, "in_degree": 1},
                 {"vertex": "anna", "out_degree": 1, "in_degree": 0}]})"));
  // Only vertices of the window that is asked for.
  EXPECT_THAT(KeysIn(api.Json(kKeys + "?prefix=an")), ElementsAre("\"an\""));
  EXPECT_THAT(KeysIn(api.Json(kKeys)), ElementsAre("\"an\"", "\"z\""));
  EXPECT_THAT(KeysIn(api.Json(kKeys + "?prefix=annabel&snapshot=1")), ElementsAre());
  EXPECT_EQ(api.Get(kKeys + "?prefix=an&snapshot=1&format=csv").body,
            "vertex,out_degree,in_degree\r\nan,1,0\r\nann,0,1\r\nanna,1,0\r\n");
}

TEST(KeyRoutesTest, PagesFollowEachOther) {
  TinyDaemon daemon(KeyKind::kString, {std::string("a")}, {}, std::chrono::seconds(20));
  FillWithNames(daemon);
  const RouteAnswers api(daemon);
  std::vector<std::string> seen;
  for (std::string target = kKeys + "?prefix=a&limit=3&snapshot=1"; !target.empty();) {
    const HttpResponse page = api.Get(target);
    const Json json = Json::parse(page.body);
    for (const std::string& key : KeysIn(json)) seen.push_back(key);
    const std::string link = RouteAnswers::Header(page, "Link");
    EXPECT_EQ(json.contains("truncated"), !link.empty());
    if (!link.empty()) {
      EXPECT_EQ(json.at("rows"), 4);
    }
    target = link.empty() ? "" : link.substr(1, link.find('>') - 1);
  }
  EXPECT_THAT(seen, ElementsAre("\"a\"", "\"an\"", "\"ann\"", "\"anna\""));
  EXPECT_EQ(RouteAnswers::Header(api.Get(kKeys + "?limit=0"), "Link"), "");
}

TEST(KeyRoutesTest, IntegerKeysAreFoundByTheirDigits) {
  TinyDaemon daemon(KeyKind::kInteger, {std::int64_t{1}});
  for (const std::int64_t target : {10, 2, 103, -10, 1}) {
    daemon.Add(INT64_MIN, target, 1);
  }
  daemon.EndSource();
  const RouteAnswers api(daemon);
  EXPECT_THAT(KeysIn(api.Json(kKeys + "?prefix=10")), ElementsAre("10", "103"));
  EXPECT_THAT(KeysIn(api.Json(kKeys + "?prefix=1&after=1")), ElementsAre("10", "103"));
  EXPECT_THAT(KeysIn(api.Json(kKeys + "?prefix=-")),
              ElementsAre("-9223372036854775808", "-10"));
  EXPECT_THAT(api.ErrorMessage(kKeys + "?after=x", 400), HasSubstr("after: the keys of this"));
}

TEST(KeyRoutesTest, RefusalsSayWhy) {
  TinyDaemon daemon;
  const RouteAnswers api(daemon);
  EXPECT_EQ(api.Get(kKeys).status, 404) << "before the first advance";
  FillWithNames(daemon);
  EXPECT_EQ(api.Get("/api/v1/windows/none/keys").status, 404);
  EXPECT_THAT(api.ErrorMessage(kKeys + "?limit=10001", 400), HasSubstr("limit"));
  EXPECT_EQ(api.Get(kKeys + "?format=xml").status, 400);
}

}  // namespace
}  // namespace sash
