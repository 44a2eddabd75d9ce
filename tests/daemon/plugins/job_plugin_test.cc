#include "daemon/plugins/job_plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/plugins/plugin_copy.h"
#include "tests/support/nested_lists.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class JobPluginTest : public ::testing::Test {
 protected:
  JobSpec JobWith(std::vector<PluginParameter> given) const {
    JobSpec job;
    PluginParameters plugin;
    plugin.file = folder_.path() + "/hostile.so";
    plugin.given = std::move(given);
    job.parameters = std::move(plugin);
    return job;
  }
  std::vector<std::string> FaultsOf(std::vector<PluginParameter> given) const {
    JobSpec job = JobWith(std::move(given));
    std::vector<std::string> faults;
    for (const PluginFault& fault : LoadPluginOf(job, {folder_.path()})) {
      faults.push_back(fault.key + ": " + fault.message);
    }
    return faults;
  }

  const testing::PluginFolder folder_;
  const std::string file_ = folder_.Fixture("hostile");
};

TEST_F(JobPluginTest, EveryParameterHasAValueOfItsType) {
  JobSpec job = JobWith({{"steps", std::int64_t{9}}, {"rate", std::int64_t{0}}});
  EXPECT_THAT(LoadPluginOf(job, {folder_.path()}), IsEmpty());
  const auto& plugin = std::get<PluginParameters>(job.parameters);
  EXPECT_THAT(
      plugin.values,
      ElementsAre(PluginParameter{"fault", "none"}, PluginParameter{"rate", 0.0},
                  PluginParameter{"steps", std::int64_t{9}}, PluginParameter{"loops", false}));
  EXPECT_EQ(plugin.json, R"({"fault":"none","rate":0.0,"steps":9,"loops":false})");
  EXPECT_EQ(plugin.kernel->title, "hostile 1.0");
}

TEST_F(JobPluginTest, WrongParametersAreNamedWithWhatWouldBeRight) {
  EXPECT_THAT(
      FaultsOf({{"rat", 0.5}}),
      ElementsAre("parameters.rat: is not a parameter of the plug-in; did you mean `rate`?; "
                  "it has fault, rate, steps, loops"));
  EXPECT_THAT(
      FaultsOf({{"rate", 1.0}}),
      ElementsAre("parameters.rate: must be a number of at least 0 and below 1, not `1.0`"));
  EXPECT_THAT(FaultsOf({{"rate", "0.5"}}),
              ElementsAre("parameters.rate: must be a number of at least 0 and below 1, not "
                          "`\"0.5\"`"));
  EXPECT_THAT(FaultsOf({{"steps", 2.5}, {"loops", std::int64_t{1}}}),
              ElementsAre("parameters.steps: must be a whole number of at least 1 and at most 9, "
                          "not `2.5`",
                          "parameters.loops: must be true or false, not `1`"));
  EXPECT_THAT(FaultsOf({{"fault", "none of them"}}),
              ElementsAre(::testing::StartsWith("parameters.fault: must be one of \"none\", ")));
}

TEST_F(JobPluginTest, AFileThatMayNotBeLoadedIsAFaultOfPlugin) {
  JobSpec job = JobWith({});
  const std::vector<PluginFault> faults = LoadPluginOf(job, {"/usr/lib/none"});
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].key, "plugin");
  EXPECT_EQ(std::get<PluginParameters>(job.parameters).kernel, nullptr);
}

TEST(ParameterSchemaTest, ARequiredParameterHasNoDefault) {
  const auto schema = ParameterSchema::Parse(R"({"properties": {"root": {"type": "string"}}})");
  ASSERT_TRUE(schema.ok());
  std::vector<PluginParameter> values;
  const auto faults = schema.value().Resolve({}, values);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].message, "is required: give text");
}

TEST(ParameterSchemaTest, WhatItDoesNotKnowIsRefused) {
  const auto why = [](const char* json) { return ParameterSchema::Parse(json).error().message; };
  EXPECT_EQ(why("[]"), "is not a JSON object");
  EXPECT_EQ(why(R"({"properties": {"a": {"type": "array"}}})"),
            "must give `a` one `type` of number, integer, boolean, string");
  EXPECT_THAT(why(R"({"properties": {"a": {"type": "string", "pattern": "x"}}})"),
              ::testing::StartsWith("has `pattern` at `a`, which sashd does not know; use "));
  EXPECT_EQ(why(R"({"properties": {"a": {"type": "number", "minimum": "0"}}})"),
            "has a bound of `a` that is not a number");
  EXPECT_EQ(why((R"({"type": )" + testing::NestedLists() + "}").c_str()), "is nested too deeply");
}

}  // namespace
}  // namespace sash
