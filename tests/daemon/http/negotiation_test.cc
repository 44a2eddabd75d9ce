#include "daemon/http/negotiation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace sash {
namespace {

std::string Header(const HttpResponse& response, const std::string& name) {
  std::string found;
  for (const auto& [key, value] : response.headers) {
    if (key != name) continue;
    EXPECT_TRUE(found.empty()) << name << " is repeated";
    found = value;
  }
  return found;
}

std::string Unzipped(const std::string& body, std::size_t size) {
  std::string plain(size + 1, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

// Numbers: compressible without repetition.
std::string ManyLines(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += "{\"vertex\":" + std::to_string(i * 7919) + "},\n";
  return text;
}

HttpResponse Ask(const HttpResponse& answer, std::map<std::string, std::string> headers = {}) {
  HttpRequest request{.method = "GET"};
  request.headers.insert(headers.begin(), headers.end());
  return Negotiated([&](const HttpRequest&) { return answer; })(request);
}

TEST(NegotiationTest, ATaggedAnswerIsSentOnceAndThenNotAgain) {
  const HttpResponse answer{.body = "{\"a\":1}", .tagged = true};
  const HttpResponse first = Ask(answer);
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.body, answer.body);
  EXPECT_EQ(Header(first, "Cache-Control"), "no-cache");
  const std::string tag = Header(first, "ETag");
  EXPECT_THAT(tag, ::testing::MatchesRegex("W/\"[0-9a-f-]+\""));

  const HttpResponse second = Ask(answer, {{"if-none-match", tag}});
  EXPECT_EQ(second.status, 304);
  EXPECT_EQ(second.body, "");
  EXPECT_EQ(Header(second, "ETag"), tag);
  EXPECT_EQ(Header(second, "Vary"), Header(first, "Vary"));
  EXPECT_EQ(Header(second, "Cache-Control"), "no-cache");

  const HttpResponse changed = Ask({.body = "{\"a\":2}", .tagged = true}, {{"if-none-match", tag}});
  EXPECT_EQ(changed.status, 200);
  EXPECT_NE(Header(changed, "ETag"), tag);
}

TEST(NegotiationTest, OtherAnswersAndErrorsHaveNoTag) {
  EXPECT_EQ(Header(Ask({.body = "x"}), "ETag"), "");
  EXPECT_EQ(Ask({.body = "x"}, {{"if-none-match", "*"}}).status, 200);
  const HttpResponse error = Ask({.status = 404, .body = ManyLines(1000), .tagged = true},
                                 {{"if-none-match", "*"}, {"accept-encoding", "gzip"}});
  EXPECT_EQ(error.status, 404);
  EXPECT_EQ(error.body, ManyLines(1000));
  EXPECT_TRUE(error.headers.empty());
}

TEST(NegotiationTest, FindsItsTagAmongOthers) {
  const std::string tag = "W/\"12-3\"";
  for (const char* named :
       {"W/\"12-3\"", "\"12-3\"", "*", "\"a\", W/\"12-3\"", " \"a\" ,\"12-3\" "}) {
    EXPECT_TRUE(NamesTag(named, tag)) << named;
  }
  for (const char* other :
       {"", "\"12\"", "12-3", "W/", "\"12-3", "\"a\",\"b\"", ",,", "w/\"12-3\""}) {
    EXPECT_FALSE(NamesTag(other, tag)) << other;
  }
}

TEST(NegotiationTest, TakesGzipWhenTheClientSaysSo) {
  for (const char* accepted : {"gzip", "GZIP", "x-gzip", "deflate, gzip;q=1.0, *;q=0.5", "*",
                               "br;q=1.0,gzip;q=0.001", "gzip ; q=0.5", "identity, *"}) {
    EXPECT_TRUE(TakesGzip(accepted)) << accepted;
  }
  for (const char* accepted : {"", "identity", "br", "gzip;q=0", "gzip; q=0.000", "*;q=0",
                               "*, gzip;q=0", "gzip;q=0, *", "gzipped", ";", ",;,"}) {
    EXPECT_FALSE(TakesGzip(accepted)) << accepted;
  }
}

TEST(NegotiationTest, LargeBodiesAreCompressedForThoseWhoTakeIt) {
  const std::string large = ManyLines(5000);
  const HttpResponse zipped = Ask({.body = large}, {{"accept-encoding", "gzip"}});
  EXPECT_EQ(Header(zipped, "Content-Encoding"), "gzip");
  EXPECT_EQ(Header(zipped, "Vary"), "Accept-Encoding");
  EXPECT_LT(zipped.body.size() * 2, large.size());
  EXPECT_EQ(Unzipped(zipped.body, large.size()), large);

  const HttpResponse plain = Ask({.body = large});
  EXPECT_EQ(plain.body, large);
  EXPECT_EQ(Header(plain, "Content-Encoding"), "");
  EXPECT_EQ(Header(plain, "Vary"), "Accept-Encoding");
}

TEST(NegotiationTest, SmallBodiesAreSentAsTheyAre) {
  const std::string least(kCompressedBytes, 'x');
  const std::map<std::string, std::string> gzip = {{"accept-encoding", "gzip"}};
  EXPECT_EQ(Header(Ask({.body = least}, gzip), "Content-Encoding"), "gzip");
  const HttpResponse small = Ask({.body = least.substr(1)}, gzip);
  EXPECT_EQ(Header(small, "Content-Encoding"), "");
  EXPECT_EQ(small.body, least.substr(1));
}

TEST(NegotiationTest, CompressedOrNotTheTagIsTheSame) {
  const HttpResponse answer{.body = ManyLines(5000), .tagged = true};
  const std::string tag = Header(Ask(answer), "ETag");
  EXPECT_EQ(Header(Ask(answer, {{"accept-encoding", "gzip"}}), "ETag"), tag);
  EXPECT_EQ(Ask(answer, {{"accept-encoding", "gzip"}, {"if-none-match", tag}}).status, 304);
}

// Incompressible: the worst case for the output buffer.
TEST(NegotiationTest, NoiseSurvivesCompression) {
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 100'000; ++i) {
    state = state * 1664525 + 1013904223;
    noise.push_back(static_cast<char>(state >> 24));
  }
  const HttpResponse zipped = Ask({.body = noise}, {{"accept-encoding", "gzip"}});
  EXPECT_EQ(Unzipped(zipped.body, noise.size()), noise);
}

}  // namespace
}  // namespace sash
