#include "daemon/control/api_client.h"

#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

TEST(ApiClient, AddressesAreChecked) {
  for (const auto& [given, checked] :
       {std::pair("127.0.0.1:9640", "http://127.0.0.1:9640"),
        {"http://localhost:9640/", "http://localhost:9640"},
        {"https://sash.example/behind/a/proxy/", "https://sash.example/behind/a/proxy"},
        {"http://[::1]:9640", "http://[::1]:9640"}}) {
    const Result<std::string> url = CheckedUrl(given);
    ASSERT_TRUE(url) << given << ": " << url.error().message;
    EXPECT_EQ(url.value(), checked);
  }
  for (const char* given : {"", "ftp://a", "http://", "http://a b", "http://a:99999",
                            "http://a?q=1", "http://a#x", "file:///etc/passwd"}) {
    const Result<std::string> url = CheckedUrl(given);
    ASSERT_FALSE(url) << given << " became " << url.value();
    EXPECT_NE(url.error().message.find("is not an address of a daemon"), std::string::npos);
  }
}

TEST(ApiClient, ASecretInAnAddressIsRefusedAndNotRepeated) {
  const Result<std::string> url = CheckedUrl("https://me:hush@sash.example");
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().message.find("hush"), std::string::npos);
}

TEST(ApiClient, ATokenDoesNotGoOverTheNetworkInPlainText) {
  const auto ok = [](std::string url, std::string token) {
    return Check({std::move(url), std::move(token), ""}).ok();
  };
  EXPECT_TRUE(ok("http://127.0.0.1:9640", "t"));
  EXPECT_TRUE(ok("http://localhost:9640", "t"));
  EXPECT_TRUE(ok("http://[::1]:9640", "t"));
  EXPECT_TRUE(ok("https://sash.example", "t"));
  EXPECT_TRUE(ok("http://sash.example", ""));
  EXPECT_FALSE(ok("http://sash.example", "t"));
  EXPECT_FALSE(ok("http://127.sash.example", "t"));
  EXPECT_FALSE(ok("https://sash.example", "a\r\nb: c"));
  EXPECT_FALSE(Check({"https://sash.example", "", "/no/such/file"}).ok());
}

TEST(ApiClient, RefusalsAreTheMessageOfTheApi) {
  EXPECT_EQ(RefusalText({404, R"({"error": {"code": "x", "message": "no job 'a\u001b'"}})"}),
            "no job 'a\\u001b'");
  EXPECT_EQ(RefusalText({422, R"({"error": {"message": "one\ntwo"}})"}), "one\ntwo");
  EXPECT_EQ(RefusalText({502, "<html>\x1b</html>"}), "status 502: <html>\\u001b</html>");
  EXPECT_EQ(RefusalText({500, ""}), "status 500");
  EXPECT_LT(RefusalText({500, std::string(100'000, 'x')}).size(), 300U);
}

}  // namespace
}  // namespace sash
