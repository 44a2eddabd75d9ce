#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "daemon/console/console_files.h"
#include "tests/daemon/http/route_answers.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The files that attributes of a page refer to.
std::vector<std::string> References(const std::string& page) {
  std::vector<std::string> references;
  for (const std::string attribute : {"href=\"", "src=\""}) {
    for (std::size_t at = page.find(attribute); at != std::string::npos;
         at = page.find(attribute, at + 1)) {
      const std::size_t begin = at + attribute.size();
      references.push_back(page.substr(begin, page.find('"', begin) - begin));
    }
  }
  return references;
}

class ConsoleRoutesTest : public ::testing::Test {
 protected:
  TinyDaemon daemon_;
  const RouteAnswers routes_{daemon_};
};

TEST_F(ConsoleRoutesTest, ThePageIsAtTheRootWhateverTheParameters) {
  for (const char* target : {"/", "/?from=chat"}) {
    const HttpResponse answer = routes_.Get(target);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content_type, "text/html; charset=utf-8");
    EXPECT_THAT(answer.body, StartsWith("<!doctype html>"));
  }
}

TEST_F(ConsoleRoutesTest, EveryFileThatThePageNamesIsServedWithItsType) {
  const std::string page = routes_.Get("/").body;
  const std::map<std::string, std::string> types = {{".js", "text/javascript; charset=utf-8"},
                                                    {".css", "text/css; charset=utf-8"},
                                                    {".svg", "image/svg+xml"}};
  int files = 0;
  for (const std::string& target : References(page)) {
    const HttpResponse answer = routes_.Get(target);
    EXPECT_EQ(answer.status, 200) << target;
    EXPECT_FALSE(answer.body.empty()) << target;
    const std::size_t dot = target.rfind('.');
    const auto type = types.find(dot == std::string::npos ? "" : target.substr(dot));
    if (type != types.end()) {
      EXPECT_EQ(answer.content_type, type->second) << target;
    }
    files += target.starts_with("/console/") ? 1 : 0;
  }
  EXPECT_EQ(files, 3);
  EXPECT_THAT(routes_.Get("/console/licences.txt").body, HasSubstr("uplot"));
  EXPECT_THAT(routes_.ErrorMessage("/console/app.js.map", 404), HasSubstr("no file 'app.js.map'"));
}

TEST_F(ConsoleRoutesTest, APolicyKeepsEveryRequestAtHome) {
  for (const ConsoleFile& file : ConsoleFiles()) {
    const HttpResponse answer = routes_.Get("/console/" + std::string(file.name));
    const std::string policy = RouteAnswers::Header(answer, "Content-Security-Policy");
    EXPECT_THAT(policy, StartsWith("default-src 'none';")) << file.name;
    EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_THAT(policy, Not(HasSubstr("http")));
    EXPECT_EQ(RouteAnswers::Header(answer, "Referrer-Policy"), "no-referrer");
  }
  // The page contains nothing that the policy forbids: no inline script and no inline style.
  const std::string page = routes_.Get("/").body;
  for (const char* forbidden :
       {"<script>", "<style", " style=", " onload=", " onerror=", " onclick="}) {
    EXPECT_THAT(page, Not(HasSubstr(forbidden)));
  }
}

TEST_F(ConsoleRoutesTest, FilesHaveTagsAndAreCompressed) {
  for (const ConsoleFile& file : ConsoleFiles()) {
    const std::string target = "/console/" + std::string(file.name);
    const HttpResponse plain = routes_.Get(target);
    EXPECT_EQ(plain.body, file.text);
    const std::string tag = RouteAnswers::Header(plain, "ETag");
    EXPECT_FALSE(tag.empty());
    EXPECT_EQ(RouteAnswers::Header(plain, "Cache-Control"), "no-cache");
    EXPECT_EQ(routes_.Get(target, {{"if-none-match", tag}}).status, 304);
    if (file.text.size() < kCompressedBytes) continue;
    const HttpResponse small = routes_.Get(target, {{"accept-encoding", "gzip"}});
    EXPECT_EQ(RouteAnswers::Header(small, "Content-Encoding"), "gzip");
    EXPECT_LT(small.body.size(), file.text.size() * 6 / 10);
  }
}

TEST_F(ConsoleRoutesTest, ThePageIsSmall) {
  std::size_t size = 0;
  for (const ConsoleFile& file : ConsoleFiles()) size += file.text.size();
  EXPECT_GT(size, 50'000u) << "the libraries are missing";
  EXPECT_LT(size, 400'000u);
}

}  // namespace
}  // namespace sash
