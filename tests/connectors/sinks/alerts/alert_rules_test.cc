// What conditions and texts of alerts can name, and what they make of a row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "connectors/sinks/alerts/alert_condition.h"
#include "connectors/sinks/alerts/alert_facts.h"
#include "connectors/sinks/alerts/alert_fields.h"
#include "connectors/sinks/alerts/alert_text.h"
#include "connectors/sinks/result_diff.h"
#include "connectors/sinks/result_json.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/plugin_of_scores.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

using testing::At;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::PluginOfScores;
using Names = std::vector<std::string>;

// Every kernel, with the parameters that it requires.
std::vector<JobParameters> EveryKernel() {
  const std::vector<VertexKey> roots = {VertexKey("a"), VertexKey("b")};
  std::vector<JobParameters> all = {PageRankParameters(),
                                    HitsParameters(),
                                    BfsParameters{.roots = roots},
                                    BfsParameters{.roots = roots, .separate = true},
                                    ShapeParameters(),
                                    WccParameters(),
                                    SccParameters(),
                                    SsspParameters{.roots = roots},
                                    TrianglesParameters(),
                                    LccParameters(),
                                    CdlpParameters(),
                                    KcoreParameters(),
                                    DegreeParameters(),
                                    StrengthParameters(),
                                    FanoutParameters(),
                                    ReciprocityParameters(),
                                    NewEdgesParameters(),
                                    VanishedEdgesParameters(),
                                    CyclesParameters(),
                                    PathsParameters{roots, {VertexKey("c")}},
                                    EdgeFeaturesParameters(),
                                    ExternalParameters(),
                                    ExternalParameters{ExternalAnswers::kRows},
                                    PluginOfScores()};
  EXPECT_EQ(all.size(), kKernels.size() + 2) << "a kernel is missing";
  return all;
}

// The names of the members of the first row; nothing when there is no row.
Names MembersOf(const std::vector<FactRow>& rows) {
  Names names;
  if (!rows.empty()) {
    for (const Fact& fact : rows.front().facts) names.push_back(fact.name);
  }
  return names;
}

TEST(AlertFieldsTest, AreTheMembersThatResultsOfEachKernelHave) {
  FinishedRuns runs;
  const auto advance = runs.MakeAdvance({{"a", "b", Weight::Integer(2)},
                                         {"b", "c", Weight::Integer(3)},
                                         {"c", "a", Weight::Integer(4)}},
                                        At(300));
  for (const JobParameters& parameters : EveryKernel()) {
    const JobSpec job = FinishedRuns::Job("j", parameters);
    SCOPED_TRACE(KernelOf(parameters));
    const CompletedRun run = runs.Run(job, advance);
    AlertFacts facts(run);
    const bool has_rows = !DescribeResult(*run.result).lists.empty();
    const auto on_row = AlertFields(AlertOn::kRow, job, KeyKind::kString);
    const auto on_edge = AlertFields(AlertOn::kEdge, job, KeyKind::kString);
    EXPECT_LE(on_row.ok() + on_edge.ok(), 1);
    EXPECT_EQ(on_row.ok() || on_edge.ok(), has_rows);
    if (has_rows && !facts.Rows().empty()) {
      Names names = on_row.ok() ? on_row.value() : on_edge.value();
      std::erase(names, "types");  // only rows of edges with types have it
      EXPECT_EQ(names, MembersOf(facts.Rows()));
      for (const FactRow& row : facts.Rows()) EXPECT_NE(row.subject, "");
    }
    const auto on_result = AlertFields(AlertOn::kResult, job, KeyKind::kString);
    ASSERT_TRUE(on_result.ok());
    for (const std::string& name : MembersOf({facts.Whole()})) {
      EXPECT_THAT(on_result.value(), Contains(name));
    }
    EXPECT_EQ(AlertFields(AlertOn::kEntered, job, KeyKind::kString).ok(), HasDiffs(parameters));
  }
}

TEST(AlertFieldsTest, OfChangesAreTheMembersOfTheDiff) {
  FinishedRuns runs;
  const JobSpec job = FinishedRuns::Job("j", DegreeParameters(), 3);
  CompletedRun run =
      runs.Run(job, runs.MakeAdvance({{"a", "b", {}}, {"a", "c", {}}, {"a", "b", {}}}, At(310)));
  AlertFacts first(run);
  EXPECT_TRUE(first.Entered().empty()) << "there is no result before, so nothing entered";
  run.before = runs.Run(job, runs.MakeAdvance({{"b", "d", {}}}, At(300))).result;
  AlertFacts facts(run);
  const auto fields = [&](AlertOn on) { return AlertFields(on, job, KeyKind::kString).value(); };
  EXPECT_EQ(fields(AlertOn::kEntered), MembersOf(facts.Entered()));
  EXPECT_EQ(fields(AlertOn::kLeft), MembersOf(facts.Left()));
  EXPECT_EQ(fields(AlertOn::kChanged), MembersOf(facts.Changed()));
  EXPECT_EQ(facts.Left().at(0).subject, "d");
}

TEST(AlertFieldsTest, HaveMembersThatOnlySomeResultsHave) {
  const auto fields = [](AlertOn on, const JobParameters& parameters) {
    return AlertFields(on, FinishedRuns::Job("j", parameters), KeyKind::kString).value();
  };
  EXPECT_THAT(fields(AlertOn::kEdge, NewEdgesParameters()), Contains("types"));
  EXPECT_THAT(fields(AlertOn::kResult, BfsParameters{.roots = {VertexKey("a")}}),
              Contains("drift"));
  const JobParameters distances = SsspParameters{.roots = {VertexKey("a")}};
  const Names names = fields(AlertOn::kResult, distances);
  EXPECT_THAT(names, Not(Contains("drift")));
  for (const JobParameters& checked : std::initializer_list<JobParameters>{
           PageRankParameters(), WccParameters(), TrianglesParameters(), StrengthParameters()}) {
    EXPECT_THAT(fields(AlertOn::kResult, checked), Contains("drift"));
  }
  FinishedRuns runs;
  const auto holds = [&](std::int64_t weight) {
    const CompletedRun run =
        runs.Run(FinishedRuns::Job("j", distances),
                 runs.MakeAdvance({{"a", "b", Weight::Integer(weight)}}, At(300)));
    AlertFacts facts(run);
    return AlertCondition::Parse("has(error)", names).value().Holds(facts.Whole());
  };
  EXPECT_TRUE(holds(-1)) << "a negative weight";
  EXPECT_FALSE(holds(1));
}

TEST(AlertFieldsTest, SayWhatConditionsOfAJobCanBeAbout) {
  const auto error = [](AlertOn on, const JobParameters& parameters) {
    return AlertFields(on, FinishedRuns::Job("j", parameters), KeyKind::kString).error().message;
  };
  EXPECT_EQ(error(AlertOn::kEdge, PageRankParameters()),
            "is `edge`, but the results of job `j` (kernel pagerank) have no such rows; give row, "
            "entered, left, changed or result");
  EXPECT_THAT(error(AlertOn::kRow, NewEdgesParameters()), HasSubstr("give edge or result"));
  EXPECT_THAT(error(AlertOn::kEntered, ShapeParameters()), HasSubstr("give result"));
}

TEST(AlertFactsTest, SubjectsAreKeysPairsCyclesAndEndsOfPaths) {
  FinishedRuns runs(KeyKind::kInteger);
  const auto advance = runs.MakeAdvance(
      {{VertexKey(7), VertexKey(8), {}}, {VertexKey(8), VertexKey(7), {}}}, At(300));
  const auto subject = [&](const JobParameters& parameters) {
    const CompletedRun run = runs.Run(FinishedRuns::Job("j", parameters), advance);
    AlertFacts facts(run);
    return facts.Rows().at(0).subject;
  };
  EXPECT_EQ(subject(DegreeParameters()), "7");
  EXPECT_EQ(subject(NewEdgesParameters()), "[7,8]");
  EXPECT_EQ(subject(CyclesParameters()), "[7,8]");
  EXPECT_EQ(subject(EdgeFeaturesParameters()), "[7,8]");
  EXPECT_EQ(subject(PathsParameters{{VertexKey(8)}, {VertexKey(7)}}), "7");
  const CompletedRun run = runs.Run(FinishedRuns::Job("j", DegreeParameters()), advance);
  AlertFacts facts(run);
  EXPECT_EQ(facts.Whole().subject, "");
  EXPECT_EQ(std::get<std::int64_t>(*facts.Whole().Find("top_score")), 2);
  EXPECT_EQ(std::get<std::int64_t>(*facts.Whole().Find("rows")), 2);
  EXPECT_EQ(facts.Whole().Find("seconds"), nullptr) << "it would differ in another run";
}

TEST(AlertConditionTest, ComparesTheMembersOfARow) {
  const FactRow row = ReadFactRow(
      R"({"vertex":"alice","rank":3,"score":0.25,"big":18446744073709551615,"none":null,)"
      R"("list":[1],"is":true})",
      "vertex");
  EXPECT_EQ(row.subject, "alice");
  const Names names = {"vertex", "rank", "score", "big", "none", "list", "is", "two words"};
  const auto holds = [&](const char* text) {
    auto condition = AlertCondition::Parse(text, names);
    EXPECT_TRUE(condition.ok()) << condition.error().message;
    return condition.value().Holds(row);
  };
  for (const char* text :
       {"", "rank <= 10", "rank == 3 && score > 0.2", "score < rank", "big > 1e19", "is",
        R"(vertex.startsWith("al"))", R"(vertex in ["alice", "bob"])", "!has(none)", "has(list)",
        "!has(`two words`)"}) {
    EXPECT_TRUE(holds(text)) << text;
  }
  for (const char* text : {"rank > 3", "none > 1", "none != 1", "`two words` == 1", "!is"}) {
    EXPECT_FALSE(holds(text)) << text;
  }
}

TEST(AlertConditionTest, WithoutAValueARowDoesNotMeetIt) {
  const FactRow row = ReadFactRow(R"({"rank":0,"vertex":"a"})", "vertex");
  auto condition = AlertCondition::Parse("1 / rank > 0 || vertex > 3", {"rank", "vertex"});
  ASSERT_TRUE(condition.ok());
  EXPECT_FALSE(condition.value().Holds(row));
  EXPECT_EQ(condition.value().failures(), 1u);
  EXPECT_THAT(condition.value().last_failure(), HasSubstr("column"));
}

TEST(AlertConditionTest, RefusesWhatRowsDoNotHave) {
  const auto error = [](const char* text) {
    return AlertCondition::Parse(text, {"vertex", "rank"}).error().message;
  };
  EXPECT_EQ(error("score > 1.0"), "there is no member `score`; there are vertex, rank");
  EXPECT_THAT(error("/rank > 1"), HasSubstr("is a JSON pointer; write the name of a member"));
  EXPECT_THAT(error("$key == \"a\""), HasSubstr("fields are the names of members, without $"));
  EXPECT_THAT(error("rank >"), HasSubstr("column"));
  EXPECT_THAT(error("rank + 1"), HasSubstr("column"));
}

TEST(AlertTextTest, PutsValuesInPlaceOfFields) {
  const FactRow row =
      ReadFactRow(R"({"vertex":"al\"ice","rank":3,"score":2.0,"none":null})", "vertex");
  const auto text = [&](const char* of) {
    const auto parsed = AlertText::Parse(of, {"vertex", "rank", "score", "none", "job"});
    EXPECT_TRUE(parsed.ok()) << parsed.error().message;
    return parsed.value().Of(row, {{"job", "influencers"}, {"rank", "not this one"}});
  };
  EXPECT_EQ(text("{vertex} is at {rank} with {score} in {job}"),
            "al\"ice is at 3 with 2.0 in influencers");
  EXPECT_EQ(text("{{{none}}} {{}}"), "{null} {}");
  EXPECT_EQ(text("plain"), "plain");
}

TEST(AlertTextTest, SeparatesTheValuesOfAListByCommas) {
  const FactRow row = ReadFactRow(
      R"({"vertices": ["a", "b, c", "d"], "numbers": [1, -2], "types": [], "one": ["a"]})",
      "vertices");
  const auto text = [&](const char* of) {
    return AlertText::Parse(of, {"vertices", "numbers", "types", "one"}).value().Of(row, {});
  };
  EXPECT_EQ(text("{vertices} close"), "a, b, c, d close");
  EXPECT_EQ(text("{numbers}|{types}|{one}"), "1, -2||a");
}

TEST(AlertTextTest, RefusesOtherBracesAndFields) {
  const auto error = [](const std::string& of) {
    return AlertText::Parse(of, {"vertex"}).error().message;
  };
  EXPECT_EQ(error("{vertexx}"), "there is no field `vertexx`; there are vertex");
  EXPECT_THAT(error("a {vertex"), HasSubstr("the brace at character 3 has no partner"));
  EXPECT_THAT(error("a }"), HasSubstr("the brace at character 3 has no partner"));
  EXPECT_THAT(error("{}"), HasSubstr("there is no field ``"));
  EXPECT_THAT(error(std::string(5000, 'x')), HasSubstr("has 5000 bytes; at most 4096"));
}

}  // namespace
}  // namespace sash
