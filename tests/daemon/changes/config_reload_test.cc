#include "daemon/changes/config_reload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "daemon/check/check_config.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Text(const std::string& top, const std::string& format = "text") {
  return "source: {replay: {path: x}, format: {json: {source: /s, target: /t, time: /at}}}\n"
         "windows: [{name: w, length: 10s, slide: 10s}]\n"
         "jobs: [{name: ranks, kernel: pagerank, window: w, top: " +
         top + "}]\nlog: {format: " + format + "}\n";
}

class ConfigReloadTest : public ::testing::Test {
 protected:
  void Write(const std::string& text) { std::ofstream(file_) << text; }
  ConfigReload::Outcome Read() {
    return reload_.Read([this](const Config& config) {
      applied_.push_back(config.jobs[0].top);
      return answer_;
    });
  }
  static std::vector<std::string> Texts(const std::vector<ConfigChange>& changes) {
    std::vector<std::string> texts;
    for (const ConfigChange& change : changes) texts.push_back(change.ToString());
    return texts;
  }

  const testing::ScratchFolder folder_;
  const std::string file_ = folder_.File("sashd.yaml");
  KeptLog log_;
  Status answer_ = Ok{};
  std::vector<std::size_t> applied_;  // the `top` of the job, at each call
  ConfigReload reload_{file_, (Write(Text("3")), LoadAndCheckConfig(file_).config), log_};
};

TEST_F(ConfigReloadTest, WhatCanChangeTakesEffectAndTheRestIsReportedUntilTheRestart) {
  Write(Text("5", "json"));
  for (int i = 0; i < 2; ++i) {
    const ConfigReload::Outcome outcome = Read();
    EXPECT_THAT(outcome.errors, IsEmpty());
    EXPECT_THAT(Texts(outcome.changes), Contains("log.format: text -> json"));
    EXPECT_EQ(outcome.changes.size(), i == 0 ? 2u : 1u) << "the job has changed once";
    EXPECT_EQ(reload_.running().jobs[0].top, 5u);
    EXPECT_EQ(reload_.running().log.format, LogFormat::kText);
  }
  EXPECT_THAT(applied_, ElementsAre(5, 5));
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("reload: changed jobs[ranks].top: 3 -> 5")));
  EXPECT_THAT(log_.lines(), Contains("warning: reload: needs a restart: log.format: text -> json"));
  EXPECT_EQ(reload_.counts().succeeded, 2u);
}

TEST_F(ConfigReloadTest, AWrongFileChangesNothingAndEachErrorIsLogged) {
  Write(Text("many", "loud"));
  const ConfigReload::Outcome outcome = Read();
  ASSERT_EQ(outcome.errors.size(), 2u);
  EXPECT_EQ(outcome.errors[0].key, "jobs[0].top");
  EXPECT_EQ(outcome.errors[1].key, "log.format");
  EXPECT_THAT(applied_, IsEmpty());
  EXPECT_EQ(reload_.running().jobs[0].top, 3u);
  EXPECT_THAT(log_.lines(),
              ElementsAre(HasSubstr("error: reload: " + file_ + ":3: jobs[0].top: "),
                          HasSubstr("log.format: "), HasSubstr("is wrong; nothing changed")));
  EXPECT_EQ(reload_.counts().failed, 1u);
  EXPECT_FALSE(reload_.counts().last_succeeded);
  Write(Text("3"));
  EXPECT_THAT(Read().errors, IsEmpty());
  EXPECT_TRUE(reload_.counts().last_succeeded);
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("reload: nothing has changed in " + file_)));
}

TEST_F(ConfigReloadTest, AFileThatIsNotThereIsAnError) {
  std::filesystem::remove(file_);
  const ConfigReload::Outcome outcome = Read();
  ASSERT_EQ(outcome.errors.size(), 1u);
  EXPECT_EQ(outcome.errors[0].file, file_);
  EXPECT_THAT(applied_, IsEmpty());
}

TEST_F(ConfigReloadTest, WhatCannotBeAppliedChangesNothing) {
  Write(Text("5"));
  answer_ = Error{ErrorCode::kUnavailable, "the engine is busy"};
  const ConfigReload::Outcome outcome = Read();
  ASSERT_EQ(outcome.errors.size(), 1u);
  EXPECT_EQ(outcome.errors[0].message, "the engine is busy");
  EXPECT_EQ(reload_.running().jobs[0].top, 3u);
  EXPECT_EQ(reload_.counts().failed, 1u);
}

TEST_F(ConfigReloadTest, AReloadRestoresTheFileAfterOtherChanges) {
  std::vector<JobSpec> jobs = reload_.running().jobs;
  jobs[0].top = 9;
  jobs.push_back(jobs[0]);
  jobs[1].name = "more";
  reload_.Follow(reload_.running().windows, {}, jobs, {});
  EXPECT_EQ(reload_.running().jobs.size(), 2u);
  EXPECT_THAT(Texts(Read().changes), ElementsAre("jobs[more] is gone", "jobs[ranks].top: 9 -> 3"));
  ASSERT_EQ(reload_.running().jobs.size(), 1u);
  EXPECT_EQ(reload_.running().jobs[0].top, 3u);
}

}  // namespace
}  // namespace sash
