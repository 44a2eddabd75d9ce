// The JSON of results of kernels that use weights: which ranks and sums have no value.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/connectors/sinks/kernel_json.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using testing::At;
using testing::kAll;
using testing::KernelJsonTest;
using testing::kTop;

TEST_F(KernelJsonTest, ANegativeWeightIsAnErrorThatSaysHowMany) {
  const auto negative = runs_.MakeAdvance(
      {{"a", "b", {}}, {"x", "y", Weight::Integer(-2)}, {"x", "y", Weight::Real(-0.5)}}, At(300));
  EXPECT_EQ(Written(SsspParameters{.roots = {"a"}}, 5, kAll, negative),
            R"({"parameters":{"roots":["a"],"direction":"out","delta":"auto"},"converged":true,)"
            R"("error":"2 edges have a negative weight; distances need weights of at least 0",)"
            R"("reached":0,"top":[]})");
}

// A sum of weights in a window becomes infinity when it is beyond the range of a double.
class OverflowJsonTest : public KernelJsonTest {
 protected:
  // The JSON of the result without its parameters.
  std::string WrittenOf(JobParameters parameters, const AdvancePtr& advance) {
    Json json = Json::parse(Written(std::move(parameters), 5, kAll, advance));
    json.erase("parameters");
    return json.dump();
  }

  const Weight infinite_ = Weight::Real(std::numeric_limits<double>::infinity());
  const Weight most_ = Weight::Real(std::numeric_limits<double>::max());
  const AdvancePtr overflown_ =
      runs_.MakeAdvance({{"a", "b", infinite_}, {"b", "c", {}}, {"a", "d", {}}}, At(300));
};

TEST_F(OverflowJsonTest, NothingIsRankedByIt) {
  EXPECT_EQ(
      WrittenOf(PageRankParameters{.weighted = true}, overflown_),
      R"({"residual":0.0,"converged":true,"error":"1 edge has a weight beyond the range of a )"
      R"(double (1.8e308), as the sum of its copies; nothing is ranked by weight","top":[]})");
}

TEST_F(OverflowJsonTest, VerticesThatAreTooFarAreCounted) {
  EXPECT_EQ(WrittenOf(SsspParameters{.roots = {"a"}}, overflown_),
            R"({"converged":true,"error":"2 vertices have a distance beyond the range of a double )"
            R"((1.8e308); they are not listed","reached":2,"top":[)"
            R"({"vertex":"a","rank":1,"distance":0.0},{"vertex":"d","rank":2,"distance":1.0}]})");
  const auto one = runs_.MakeAdvance({{"a", "b", most_}, {"b", "c", most_}}, At(300));
  EXPECT_EQ(Json::parse(WrittenOf(SsspParameters{.roots = {"a"}}, one)).at("error"),
            "1 vertex has a distance beyond the range of a double (1.8e308); it is not listed");
}

TEST_F(OverflowJsonTest, VerticesWhoseSumIsTooLargeAreCounted) {
  EXPECT_EQ(WrittenOf(StrengthParameters(), overflown_),
            R"({"converged":true,"error":"2 vertices have a score beyond the range of a double )"
            R"((1.8e308); they are not listed","top":[{"vertex":"c","rank":1,"score":1},)"
            R"({"vertex":"d","rank":2,"score":1}]})");
}

TEST_F(OverflowJsonTest, TheTotalWeightHasNoValue) {
  EXPECT_EQ(
      WrittenOf(ShapeParameters(), overflown_),
      R"({"converged":true,"error":"1 edge has a weight beyond the range of a double (1.8e308), )"
      R"(as the sum of its copies; the total weight has no value","pairs":3,"weight":null,)"
      R"("top_edges":[{"source":"a","target":"b","weight":null},)"
      R"({"source":"a","target":"d","weight":1},{"source":"b","target":"c","weight":1}]})");
  const auto sum = runs_.MakeAdvance({{"a", "b", most_}, {"b", "c", most_}}, At(300));
  EXPECT_EQ(Json::parse(WrittenOf(ShapeParameters(), sum)).at("error"),
            "the total weight is beyond the range of a double (1.8e308)");
}

TEST_F(OverflowJsonTest, ANumberOfARowThatReadsNullIsAnErrorOfTheResult) {
  EXPECT_EQ(WrittenOf(NewEdgesParameters(), overflown_),
            R"({"converged":true,"since":null,"pairs":3,)"
            R"("top_edges":[{"source":"a","target":"b","edges":1,"weight":null},)"
            R"({"source":"a","target":"d","edges":1,"weight":1},)"
            R"({"source":"b","target":"c","edges":1,"weight":1}],)"
            R"("error":"1 number is beyond the range of a double (1.8e308) and reads null"})");
  const auto open = runs_.MakeAdvance({{"a", "b", infinite_}}, At(100));
  const auto closed = runs_.MakeAdvance({{"a", "b", infinite_}, {"b", "a", {}}}, At(300));
  const Json cycles = Json::parse(Written(CyclesParameters(), 5, kAll, closed, open));
  ASSERT_EQ(cycles.at("top_cycles").size(), 1u) << cycles;
  EXPECT_EQ(cycles.contains("error"), cycles.at("top_cycles")[0].at("weight").is_null()) << cycles;
}

TEST_F(KernelJsonTest, RanksByWeightFromSourcesSayHowManySourcesAreAbsent) {
  const auto fork =
      runs_.MakeAdvance({{"s", "t", Weight::Integer(3)}, {"s", "u", {}}, {"v", "s", {}}}, At(300));
  const PageRankParameters parameters{.damping = 0.5,
                                      .tolerance = 0,
                                      .max_iterations = 1,
                                      .weighted = true,
                                      .sources = {"s", "nobody", "s"}};
  EXPECT_EQ(Written(parameters, 1, kAll, fork),
            R"({"parameters":{"damping":0.5,"tolerance":0.0,"max_iterations":1,"weighted":true,)"
            R"("sources":["s","nobody","s"]},"residual":1.0,"converged":false,)"
            R"("absent_sources":1,"top":[{"vertex":"s","rank":1,"score":0.5},)"
            R"({"vertex":"t","rank":2,"score":0.375},{"vertex":"u","rank":3,"score":0.125},)"
            R"({"vertex":"v","rank":4,"score":0.0}]})");
}

TEST_F(KernelJsonTest, WithoutASourceOrWithANegativeWeightNothingIsRankedAndTheErrorSaysWhy) {
  const auto written = [&](const PageRankParameters& parameters, const AdvancePtr& advance) {
    Json json = Json::parse(Written(parameters, 5, kAll, advance));
    json.erase("parameters");
    return json.dump();
  };
  const auto negative = runs_.MakeAdvance(
      {{"a", "b", {}}, {"x", "y", Weight::Integer(-2)}, {"x", "y", Weight::Real(-0.5)}}, At(300));
  EXPECT_EQ(written({.weighted = true}, negative),
            R"({"residual":0.0,"converged":true,"error":"2 edges have a negative weight; ranks by )"
            R"(weight need weights of at least 0","top":[]})");
  EXPECT_EQ(written({.sources = {"nobody"}}, negative),
            R"({"residual":0.0,"converged":true,"error":"the source is not in the window",)"
            R"("absent_sources":1,"top":[]})");
  EXPECT_EQ(written({.weighted = true, .sources = {"nobody", "d", "nobody"}}, negative),
            R"({"residual":0.0,"converged":true,"error":"none of the 2 sources is in the window",)"
            R"("absent_sources":2,"top":[]})");
}

TEST_F(KernelJsonTest, SumsOfIntegersAreIntegersAndOthersAreNot) {
  EXPECT_EQ(Written(StrengthParameters{StrengthDirection::kIn}, 3, kTop),
            R"({"parameters":{"direction":"in"},"converged":true,)"
            R"("top":[{"vertex":"a","rank":1,"score":4},{"vertex":"d","rank":2,"score":2},)"
            R"({"vertex":"b","rank":3,"score":1}]})");
  EXPECT_EQ(Written(StrengthParameters{StrengthDirection::kNet}, 1, kAll),
            R"({"parameters":{"direction":"net"},"converged":true,)"
            R"("top":[{"vertex":"a","rank":1,"score":3.5},{"vertex":"d","rank":2,"score":1},)"
            R"({"vertex":"x","rank":3,"score":1},{"vertex":"y","rank":4,"score":-1},)"
            R"({"vertex":"c","rank":5,"score":-1.5},{"vertex":"b","rank":6,"score":-3}]})");
  constexpr std::int64_t kLarge = 9'007'199'254'740'993;  // beyond the integers of doubles
  const auto large = runs_.MakeAdvance({{"a", "b", Weight::Integer(kLarge)}}, At(300));
  EXPECT_EQ(Written(StrengthParameters{StrengthDirection::kIn}, 1, kTop, large),
            R"({"parameters":{"direction":"in"},"converged":true,)"
            R"("top":[{"vertex":"b","rank":1,"score":9007199254740993}]})");
}

}  // namespace
}  // namespace sash
