// The routes of leases: what a reader elsewhere gets, by ranges, and the refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "connectors/export/leases/lease_book.h"
#include "daemon/http/access.h"
#include "daemon/http/byte_range.h"
#include "daemon/http/lease_downloads.h"
#include "tests/connectors/export/frozen/small_snapshot.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/daemon/http/route_answers.h"
#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using LeaseJson = nlohmann::ordered_json;

const std::string kArray(LeaseDownloads::kPieceBytes + 10, 'x');

class LeaseRoutesTest : public ::testing::Test {
 protected:
  LeaseRoutesTest() {
    ApiSurroundings around = daemon_.surroundings();
    around.leases = [this](const std::string& window) {
      return window == "now" ? &book_ : nullptr;
    };
    around.lease_books = [this] { return std::vector<LeaseBook*>{&book_}; };
    routes_ = MakeApiRoutes(around);
  }
  static std::unique_ptr<SnapshotFolder> Open(const std::string& path) {
    Result<std::unique_ptr<SnapshotFolder>> folder = SnapshotFolder::Open(path);
    EXPECT_TRUE(folder.ok());
    return std::move(folder).value();
  }
  void Write() const { testing::WriteSmallSnapshot(*folder_, "now", 1, 1, kArray); }

  HttpResponse Send(const std::string& method, const std::string& target, std::string body = "",
                    RouteAnswers::Headers headers = {}) const {
    HttpRequest request{.method = method, .path = ParseTarget(target).value().path};
    request.headers = std::move(headers);
    request.has_body = !body.empty();
    request.body = std::move(body);
    request.headers["content-type"] = "application/json";
    request.client = "10.0.0.7";
    return routes_.Handle(request);
  }
  LeaseJson Take(const std::string& body = "{}") const {
    const HttpResponse taken = Send("POST", "/api/v1/windows/now/leases", body);
    EXPECT_EQ(taken.status, 201) << taken.body;
    return LeaseJson::parse(taken.body);
  }
  static std::string PlaceOf(const LeaseJson& lease) {
    return "/api/v1/windows/now/leases/" + lease.at("lease").get<std::string>();
  }
  HttpResponse File(const LeaseJson& lease, RouteAnswers::Headers headers = {}) const {
    return Send("GET", PlaceOf(lease) + "/files/out.indptr.npy", "", std::move(headers));
  }
  static std::string Read(const HttpResponse& answer) {
    std::string all;
    while (const auto piece = answer.stream->Next()) all += *piece;
    return all;
  }
  static std::string MessageOf(const HttpResponse& answer, int status) {
    EXPECT_EQ(answer.status, status) << answer.body;
    return LeaseJson::parse(answer.body).at("error").at("message");
  }

  const testing::SharedFolder scratch_;
  const std::unique_ptr<SnapshotFolder> folder_ = Open(scratch_.File("export"));
  ManualClock clock_;
  LeaseBook book_{{.at_most = 2}, *folder_, clock_};
  TinyDaemon daemon_;
  RouteTable routes_;
};

TEST_F(LeaseRoutesTest, ALeaseListsItsFilesAndIsRenewedAndReleased) {
  Write();
  const LeaseJson lease = Take(R"({"ttl": 90, "directions": ["out"], "snapshot": 1})");
  EXPECT_EQ(lease.at("snapshot").get<int>(), 1);
  EXPECT_EQ(lease.at("seconds_left").get<double>(), 90);
  EXPECT_EQ(lease.at("files").size(), 3u);
  const LeaseJson& file = lease.at("files").at(1);
  EXPECT_EQ(file.at("name").get<std::string>(), "out.indptr.npy");
  EXPECT_EQ(file.at("bytes").get<std::size_t>(), kArray.size());
  EXPECT_EQ(file.at("url").get<std::string>(), PlaceOf(lease) + "/files/out.indptr.npy");
  clock_.Advance(std::chrono::seconds(80));
  EXPECT_EQ(Send("GET", PlaceOf(lease)).status, 200);
  const HttpResponse renewed = Send("PUT", PlaceOf(lease), R"({"ttl": 30})");
  EXPECT_EQ(LeaseJson::parse(renewed.body).at("seconds_left").get<double>(), 30);
  EXPECT_EQ(Send("DELETE", PlaceOf(lease)).status, 204);
  EXPECT_THAT(MessageOf(Send("GET", PlaceOf(lease)), 410), HasSubstr("it was released"));
  EXPECT_THAT(MessageOf(File(lease), 410), HasSubstr("it was released"));
}

TEST_F(LeaseRoutesTest, AFileIsReadWholeOrByRanges) {
  Write();
  const LeaseJson lease = Take();
  const HttpResponse whole = File(lease);
  EXPECT_EQ(whole.status, 200);
  EXPECT_EQ(whole.stream_bytes, kArray.size());
  EXPECT_EQ(whole.stream->lane(), WorkLane::kDownloads);
  EXPECT_EQ(RouteAnswers::Header(whole, "Accept-Ranges"), "bytes");
  const std::string tag = RouteAnswers::Header(whole, "ETag");
  EXPECT_EQ(tag, "\"" + lease.at("files").at(2).at("crc32c").get<std::string>() + "\"");
  EXPECT_EQ(Read(whole), kArray);
  const HttpResponse rest = File(lease, {{"range", "bytes=10-"}, {"if-range", tag}});
  EXPECT_EQ(rest.status, 206);
  EXPECT_EQ(RouteAnswers::Header(rest, "Content-Range"),
            "bytes 10-" + std::to_string(kArray.size() - 1) + "/" + std::to_string(kArray.size()));
  EXPECT_EQ(Read(rest), kArray.substr(10));
  EXPECT_EQ(File(lease, {{"range", "bytes=10-"}, {"if-range", "\"00000000\""}}).status, 200);
  EXPECT_EQ(File(lease, {{"if-none-match", tag}}).status, 304);
  const HttpResponse beyond = File(lease, {{"range", "bytes=99999999-"}});
  EXPECT_EQ(beyond.status, 416);
  EXPECT_EQ(RouteAnswers::Header(beyond, "Content-Range"),
            "bytes */" + std::to_string(kArray.size()));
  EXPECT_THAT(MessageOf(Send("GET", PlaceOf(lease) + "/files/x"), 404), HasSubstr("keys.npy"));
}

TEST_F(LeaseRoutesTest, ADownloadWhoseLeaseIsRevokedIsCutOff) {
  Write();
  const LeaseJson lease = Take();
  const HttpResponse whole = File(lease);
  EXPECT_EQ(whole.stream->Next()->size(), LeaseDownloads::kPieceBytes);
  const std::string all = Send("GET", "/api/v1/leases").body;
  EXPECT_THAT(all, HasSubstr("10.0.0.7"));
  EXPECT_THAT(all, ::testing::Not(HasSubstr(lease.at("lease").get<std::string>())));
  const std::string name = lease.at("name");
  EXPECT_EQ(Send("DELETE", "/api/v1/leases/" + name).status, 204);
  EXPECT_FALSE(whole.stream->Next());
  EXPECT_THAT(MessageOf(File(lease), 410), HasSubstr("it was revoked"));
  EXPECT_EQ(Send("DELETE", "/api/v1/leases/" + name).status, 404);
  EXPECT_EQ(folder_->Remove({"now", "1"}).value(), Removal::kRemoved);
}

TEST_F(LeaseRoutesTest, DownloadsAreBounded) {
  Write();
  const LeaseJson lease = Take();
  std::vector<HttpResponse> under_way;
  for (int i = 0; i < LeaseDownloads::kMost; ++i) under_way.push_back(File(lease));
  EXPECT_EQ(File(lease).status, 503);
  under_way.pop_back();
  EXPECT_EQ(File(lease).status, 200);
}

TEST_F(LeaseRoutesTest, RefusalsSayWhatWouldBeRight) {
  const auto refused = [&](const std::string& body, int status) {
    return MessageOf(Send("POST", "/api/v1/windows/now/leases", body), status);
  };
  EXPECT_THAT(refused("{}", 409), HasSubstr("no frozen snapshot yet"));
  Write();
  EXPECT_THAT(refused("[]", 400), HasSubstr("must be a JSON object"));
  EXPECT_THAT(refused(R"({"ttl": 3600})", 422), HasSubstr("at most 600 seconds (lease_ttl)"));
  EXPECT_THAT(refused(R"({"ttl": 1e300})", 422), HasSubstr("at most 600 seconds"));
  EXPECT_THAT(refused(R"({"ttl": -1})", 422), HasSubstr("ttl: must be a number of seconds"));
  EXPECT_THAT(refused(R"({"directions": ["up"]})", 422), HasSubstr("directions: must be a list"));
  EXPECT_THAT(refused(R"({"snapshot": "x"})", 422), HasSubstr("snapshot: must be the number"));
  EXPECT_THAT(refused(R"({"time": 1})", 422), HasSubstr("time: unknown key"));
  EXPECT_THAT(refused(R"({"snapshot": 9})", 404), HasSubstr("no frozen snapshot 9"));
  EXPECT_THAT(MessageOf(Send("POST", "/api/v1/windows/sums/leases", "{}"), 409),
              HasSubstr("no export writes frozen snapshots of window 'sums'"));
  EXPECT_EQ(Send("POST", "/api/v1/windows/none/leases", "{}").status, 404);
  EXPECT_EQ(Send("GET", "/api/v1/windows/now/leases/0").status, 404);
  (void)Take();
  (void)Take();
  const HttpResponse full = Send("POST", "/api/v1/windows/now/leases", "{}");
  EXPECT_THAT(MessageOf(full, 503), HasSubstr("of 10.0.0.7 holds snapshot now/1"));
  EXPECT_EQ(RouteAnswers::Header(full, "Retry-After"), "1");
}

TEST(LeaseAccessTest, TheTokenForReadingIsEnoughForALeaseAndNotToRevokeOne) {
  const SystemClock clock;
  Access access(AccessTokens{"read-token", "admin-token"}, clock);
  HttpRequest take{.method = "POST", .path = {"api", "v1", "windows", "w", "leases"}};
  take.client = "127.0.0.1";
  take.headers["authorization"] = "Bearer read-token";
  EXPECT_FALSE(access.Admit(take));
  HttpRequest revoke = take;
  revoke.method = "DELETE";
  revoke.path = {"api", "v1", "leases", "3f2a91bc"};
  EXPECT_EQ(access.Admit(revoke)->status, 403);
  take.headers["sec-fetch-site"] = "cross-site";
  EXPECT_EQ(access.Admit(take)->status, 403) << "from a page of another origin";
}

TEST(ByteRangeTest, OneRangeIsUnderstood) {
  const auto part = [](std::string_view text) {
    const RequestedRange asked = ParseRange(text, 100);
    EXPECT_EQ(asked.kind, RangeKind::kPart) << text;
    return std::pair(asked.range.begin, asked.range.end);
  };
  EXPECT_EQ(part("bytes=0-9"), std::pair(0ul, 10ul));
  EXPECT_EQ(part("bytes=99-"), std::pair(99ul, 100ul));
  EXPECT_EQ(part("bytes=90-999999999999999999999999"), std::pair(90ul, 100ul));
  EXPECT_EQ(part("bytes=-5"), std::pair(95ul, 100ul));
  EXPECT_EQ(part("bytes=-500"), std::pair(0ul, 100ul));
  for (const auto* text : {"bytes=100-", "bytes=-0", "bytes=100-200"}) {
    EXPECT_EQ(ParseRange(text, 100).kind, RangeKind::kBeyond) << text;
  }
  for (const auto* text :
       {"bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=0-1,3-4", "x=0-1"}) {
    EXPECT_EQ(ParseRange(text, 100).kind, RangeKind::kWhole) << text;
  }
}

}  // namespace
}  // namespace sash
