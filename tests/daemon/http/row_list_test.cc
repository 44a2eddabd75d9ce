// Lists as CSV and JSON Lines: the format that a request gets, and rows that are those of the JSON.
#include "daemon/http/row_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/result_json.h"
#include "daemon/http/result_rows.h"
#include "tests/daemon/http/route_answers.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

ListFormat FormatFor(const std::string& accept) {
  HttpRequest request;
  request.headers["accept"] = accept;
  const FormatChoice choice = ChosenFormat(request);
  EXPECT_FALSE(choice.refusal) << accept;
  return choice.format;
}

TEST(ListFormatTest, AcceptDecides) {
  using enum ListFormat;
  EXPECT_FALSE(ChosenFormat({}).refusal);
  EXPECT_EQ(ChosenFormat({}).format, kJson);
  for (const char* accept : {"", "*/*", "application/json", "application/*", "text/html, */*;q=0.8",
                             "text/csv;q=0.5, application/json", "text/csv;q=0, */*",
                             "application/json;q=1, text/csv"}) {
    EXPECT_EQ(FormatFor(accept), kJson) << accept;
  }
  for (const char* accept :
       {"text/csv", "Text/CSV ; q=0.3", "text/*", "text/csv, */*", "*/*, text/csv",
        "application/json;q=0.9, text/csv;q=0.91", "text/csv; header=present, application/json",
        "text/*;q=0, text/csv", "image/png, text/csv;q=0.1"}) {
    EXPECT_EQ(FormatFor(accept), kCsv) << accept;
  }
  for (const char* accept : {"application/x-ndjson", "application/x-ndjson, application/json",
                             "application/json;q=0.5, application/*"}) {
    EXPECT_EQ(FormatFor(accept), kJsonLines) << accept;
  }
}

TEST(ListFormatTest, ARequestThatTakesNoneIsRefusedWithTheList) {
  for (const char* accept : {"text/html", "application/xml, text/csv;q=0", "*/*;q=0", "nonsense"}) {
    HttpRequest request;
    request.headers["accept"] = accept;
    const FormatChoice choice = ChosenFormat(request);
    ASSERT_TRUE(choice.refusal) << accept;
    EXPECT_EQ(choice.refusal->status, 406) << accept;
    EXPECT_THAT(choice.refusal->body, HasSubstr("not_acceptable"));
    EXPECT_THAT(choice.refusal->body,
                HasSubstr("application/json, text/csv and application/x-ndjson"));
  }
}

TEST(ListFormatTest, TheParameterIsStrongerThanAccept) {
  HttpRequest request;
  request.headers["accept"] = "text/html";
  for (const auto& [name, format] : {std::pair("json", ListFormat::kJson),
                                     {"csv", ListFormat::kCsv},
                                     {"jsonl", ListFormat::kJsonLines}}) {
    request.query["format"] = name;
    EXPECT_FALSE(ChosenFormat(request).refusal);
    EXPECT_EQ(ChosenFormat(request).format, format);
  }
  request.query["format"] = "CSV";
  ASSERT_TRUE(ChosenFormat(request).refusal);
  EXPECT_EQ(ChosenFormat(request).refusal->status, 400);
}

TEST(RowListTest, CsvQuotesWhatMustBeQuotedAndChangesNothing) {
  const Json rows = {{{"a", "plain"}, {"b", 1}},
                     {{"a", "with,comma"}, {"b", -0.5}},
                     {{"a", "say \"so\""}, {"b", true}},
                     {{"a", "two\r\nlines"}, {"b", nullptr}},
                     {{"a", "=1+1"}, {"b", {1, "x"}}},
                     {{"b", 18446744073709551615u}, {"a", ""}},
                     {{"b", " spaced "}}};
  const HttpResponse answer = WholeRows(RowsOfArray(rows, {"a", "b"}), ListFormat::kCsv);
  EXPECT_EQ(answer.content_type, "text/csv; charset=utf-8; header=present");
  EXPECT_TRUE(answer.tagged);
  EXPECT_EQ(answer.body,
            "a,b\r\n"
            "plain,1\r\n"
            "\"with,comma\",-0.5\r\n"
            "\"say \"\"so\"\"\",true\r\n"
            "\"two\r\nlines\",\r\n"
            "=1+1,\"[1,\"\"x\"\"]\"\r\n"
            "\"\",18446744073709551615\r\n"
            ", spaced \r\n");
  EXPECT_EQ(WholeRows(RowsOfArray(Json::array(), {"a", "b"}), ListFormat::kCsv).body, "a,b\r\n")
      << "the header row is there without rows";
  EXPECT_EQ(WholeRows(RowsOfArray(Json::array(), {"a"}), ListFormat::kJsonLines).body, "");
}

TEST(RowListTest, TheTextIsTheSameForEverySizeOfPieces) {
  Json rows = Json::array();
  for (int i = 0; i < 50; ++i) rows.push_back({{"n", i}});
  for (const ListFormat format : {ListFormat::kCsv, ListFormat::kJsonLines}) {
    const std::string whole = WholeRows(RowsOfArray(rows, {"n"}), format).body;
    for (const std::size_t bytes : {1u, 7u, 100u}) {
      const auto source = RowSource(RowsOfArray(rows, {"n"}), format);
      std::string text;
      int pieces = 1;
      while (source(text, bytes)) ++pieces;
      EXPECT_EQ(text, whole);
      EXPECT_GT(pieces, 1);
    }
  }
}

Json LinesOf(const std::string& body) {
  Json rows = Json::array();
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) rows.push_back(Json::parse(line));
  return rows;
}

class ResultRowsTest : public ::testing::Test {
 protected:
  ResultRowsTest() : api_(Surroundings()) {
    for (const char* target : {"b", "say \"c\", please", "=d"}) {
      daemon_.Add(std::string("a"), std::string(target), 1);
    }
    daemon_.Add(std::string("b"), std::string("a"), 2, Weight::Integer(7));
    daemon_.EndSource();
  }

  ApiSurroundings Surroundings() {
    ApiSurroundings around = daemon_.surroundings();
    around.result = [this](const CompletedRun& run, const Listing& listing) {
      return ResultPieces(run, listing, daemon_.keys);
    };
    return around;
  }

  Json Lines(const std::string& target) {
    const HttpResponse answer = api_.Get(target, {{"accept", "application/x-ndjson"}});
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.content_type, "application/x-ndjson");
    EXPECT_EQ(RouteAnswers::Header(answer, "Vary"), "Accept, Accept-Encoding");
    return LinesOf(answer.body);
  }

  TinyDaemon daemon_{KeyKind::kString,
                     {std::string("a")},
                     {NewEdgesParameters(), CyclesParameters(),
                      PathsParameters{{std::string("a")}, {std::string("b"), std::string("=d")}},
                      EdgeFeaturesParameters{.max_length = 2}}};
  const RouteAnswers api_;
};

TEST_F(ResultRowsTest, AreThoseOfTheJson) {
  for (const auto& [job, list] : {std::pair("ranks", "top"),
                                  {"reach", "top"},
                                  {"new_edges", "top_edges"},
                                  {"cycles", "top_cycles"},
                                  {"paths", "top_paths"},
                                  {"edge_features", "top_features"}}) {
    const std::string latest = "/api/v1/jobs/" + std::string(job) + "/results/latest";
    const Json whole = api_.Json(latest);
    ASSERT_GT(whole.at(list).size(), 0u) << job;
    EXPECT_EQ(Lines(latest), whole.at(list));
    const std::string snapshot = std::to_string(whole.at("snapshot").get<int>());
    EXPECT_EQ(Lines("/api/v1/jobs/" + std::string(job) + "/results/" + snapshot), whole.at(list));
    const HttpResponse csv = api_.Get(latest + "?format=csv");
    EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Rows"), std::to_string(whole.at(list).size()));
    EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Truncated"), "");
    EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Error"), "");
    EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Snapshot"), snapshot);
    EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Window-End"),
              whole.at("window_end").get<std::string>());
  }
  EXPECT_EQ(Lines("/api/v1/jobs/ranks/results/latest?top=2"),
            api_.Json("/api/v1/jobs/ranks/results/latest?top=2").at("top"));
}

TEST_F(ResultRowsTest, InCsvTheyHaveTheColumnsOfTheirKernel) {
  const auto csv = [this](const std::string& job) {
    return api_.Get("/api/v1/jobs/" + job + "/results/latest?format=csv").body;
  };
  EXPECT_EQ(csv("reach"),
            "vertex,rank,depth\r\n"
            "a,1,0\r\n"
            "=d,2,1\r\n"
            "b,3,1\r\n"
            "\"say \"\"c\"\", please\",4,1\r\n");
  EXPECT_EQ(csv("split"),
            "root,vertex,rank,depth\r\n"
            "a,a,1,0\r\n"
            "a,=d,2,1\r\n"
            "a,b,3,1\r\n"
            "a,\"say \"\"c\"\", please\",4,1\r\n");
  EXPECT_TRUE(csv("new_edges").starts_with("source,target,edges,weight\r\na,=d,1,1\r\n"))
      << csv("new_edges");
  EXPECT_EQ(csv("cycles"), "vertices,weight\r\n\"[\"\"a\"\",\"\"b\"\"]\",1\r\n");
  EXPECT_EQ(csv("paths"),
            "from,to,hops,weight,vertices\r\n"
            "a,=d,1,1,\"[\"\"a\"\",\"\"=d\"\"]\"\r\n"
            "a,b,1,1,\"[\"\"a\"\",\"\"b\"\"]\"\r\n");
  EXPECT_TRUE(csv("edge_features")
                  .starts_with("source,target,edges,weight,source_out_fan,source_out_degree,"
                               "source_out_sum,source_out_mean,source_out_min,source_out_max,"
                               "source_out_variance,source_in_fan,"))
      << csv("edge_features");
  EXPECT_THAT(csv("edge_features"),
              HasSubstr("target_in_variance,cycles_2,scatter_gathers,intermediates\r\n"));
}

TEST_F(ResultRowsTest, AResultWithoutAListIsAvailableInJsonOnly) {
  const HttpResponse refused = api_.Get("/api/v1/jobs/shape/results/latest?format=csv");
  EXPECT_EQ(refused.status, 406);
  EXPECT_THAT(refused.body, HasSubstr("a result of job 'shape' (kernel window) has no list"));
  EXPECT_EQ(
      api_.Get("/api/v1/jobs/shape/results/latest", {{"accept", "text/csv, */*;q=0.1"}}).status,
      406);
  EXPECT_EQ(api_.Get("/api/v1/jobs/shape/results/latest").status, 200);
}

TEST_F(ResultRowsTest, ACutListSaysSoInItsHeader) {
  const CompletedRun run = *daemon_.history.Latest("ranks");
  const LargeAnswers answers;
  const Json whole = Json::parse(ResultJson(run, {}, daemon_.keys)).at("top");
  struct Case {
    Listing listing;
    std::size_t rows;
    bool truncated;
  };
  for (const Case& each : {Case{{.most_rows = 3, .tell_cut = true}, 3, true},
                           Case{{.most_bytes = 60, .tell_cut = true}, 2, true},
                           Case{{.top = 2, .tell_cut = true}, 2, true}, Case{{}, 4, false}}) {
    const HttpResponse answer =
        ResultRows(run, each.listing, daemon_.keys, ListFormat::kJsonLines, answers);
    const Json first(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(each.rows));
    EXPECT_EQ(LinesOf(answer.body), first);
    EXPECT_EQ(RouteAnswers::Header(answer, "Sash-Truncated"), each.truncated ? "true" : "");
    EXPECT_EQ(RouteAnswers::Header(answer, "Sash-Rows"), "4");
  }
}

TEST_F(ResultRowsTest, DiffsAreOneListOfWhatChanged) {
  const std::string path = "/api/v1/jobs/ranks/diffs/latest";
  const Json whole = api_.Json(path);
  Json expected = Json::array();
  for (const char* change : {"entered", "left", "changed"}) {
    for (const Json& each : whole.at(change)) {
      Json row = {{"change", change}};
      row.update(each);
      expected.push_back(row);
    }
  }
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(Lines(path), expected);
  const HttpResponse csv = api_.Get(path + "?format=csv&top=1");
  EXPECT_TRUE(csv.body.starts_with("change,vertex,rank,score,rank_before,score_before\r\n"))
      << csv.body;
  EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Rows"), std::to_string(expected.size()));
  EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Truncated"), expected.size() > 1 ? "true" : "");
  EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Window-End"),
            whole.at("window_end").get<std::string>());
  const std::string number = std::to_string(whole.at("snapshot").get<std::uint64_t>());
  EXPECT_EQ(Lines("/api/v1/jobs/ranks/diffs/" + number), expected);
}

TEST_F(ResultRowsTest, ListsOfWindowsJobsSlicesAndNeighboursLikewise) {
  EXPECT_EQ(Lines("/api/v1/windows"), api_.Json("/api/v1/windows"));
  EXPECT_EQ(Lines("/api/v1/jobs?limit=2"), api_.Json("/api/v1/jobs?limit=2"));
  EXPECT_EQ(Lines("/api/v1/windows/now/slices"),
            api_.Json("/api/v1/windows/now/slices").at("slices"));
  const HttpResponse jobs = api_.Get("/api/v1/jobs?limit=1&format=csv");
  EXPECT_TRUE(jobs.body.starts_with("name,kernel,window,runs,skipped,")) << jobs.body;
  EXPECT_THAT(RouteAnswers::Header(jobs, "Link"), HasSubstr("format=csv&limit=1&offset=1"));

  const std::string vertex = "/api/v1/windows/now/vertices/a";
  const Json whole = api_.Json(vertex);
  Json expected = Json::array();
  for (const char* direction : {"out", "in"}) {
    for (const Json& neighbour : whole.at(direction)) {
      Json row = {{"direction", direction}};
      row.update(neighbour);
      expected.push_back(row);
    }
  }
  ASSERT_EQ(expected.size(), 4u);
  EXPECT_EQ(Lines(vertex), expected);
  const HttpResponse csv = api_.Get(vertex + "?format=csv&limit=1");
  EXPECT_EQ(csv.body, "direction,vertex,weight,type\r\nout,b,1,\r\nin,b,7,\r\n");
  EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Rows"), "4");
  EXPECT_EQ(RouteAnswers::Header(csv, "Sash-Truncated"), "true");
  EXPECT_THAT(RouteAnswers::Header(csv, "Link"), HasSubstr("offset=1"));
}

}  // namespace
}  // namespace sash
