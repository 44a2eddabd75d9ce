// Changes that clients ask for, carried out on a real pipeline, and the answers they get.
#include "daemon/changes/run_time_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/daemon/changes/ended_replay.h"

namespace sash {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = ChangeRequest::Kind;

class RunTimeChangesTest : public ::testing::Test {
 protected:
  HttpResponse Do(Kind kind, std::string name = "", std::string body = "") {
    const auto answer = changes_.Ask({kind, std::move(name), std::move(body), "10.0.0.1"});
    changes_.Execute();
    return answer->Take().value_or(HttpResponse{.status = 0});
  }
  std::optional<JobSpec> Job(const std::string& name) {
    return replay_.pipeline().jobs().Find(name);
  }
  bool HasWindow(const std::string& name) {
    return replay_.pipeline().engine().Find(name).has_value();
  }

  EndedReplay replay_;
  ConfigReload reload_{replay_.file(), replay_.config(), replay_.log};
  int wakes_ = 0;
  int answers_ = 0;
  std::vector<std::string> told_;
  std::vector<std::string> left_;
  std::vector<LogLevel> levels_;
  RunTimeChanges changes_{
      {.pipeline = replay_.pipeline(),
       .reload = reload_,
       .log = replay_.log,
       .follow_log = [this](const LogConfig& log) { levels_.push_back(log.level); },
       .wake = [this] { ++wakes_; },
       .answered = [this] { ++answers_; },
       .tell = [this](std::string_view kind,
                      std::string json) { told_.push_back(std::string(kind) + " " + json); },
       .job_left = [this](const std::string& job) { left_.push_back(job); }}};
};

TEST_F(RunTimeChangesTest, AJobComesChangesAndGoes) {
  const std::string groups = R"({"name": "groups", "kernel": "wcc", "window": "w"})";
  EXPECT_EQ(Do(Kind::kAddJob, "", groups).status, 201);
  ASSERT_TRUE(Job("groups").has_value());
  EXPECT_THAT(Do(Kind::kAddJob, "", groups).body, HasSubstr("PUT changes it"));
  const std::string changed = R"({"kernel": "wcc", "window": "w", "top": 7})";
  EXPECT_EQ(Do(Kind::kPutJob, "groups", changed).status, 200);
  EXPECT_EQ(Job("groups")->top, 7u);
  EXPECT_EQ(Do(Kind::kPutJob, "others", changed).status, 201);
  EXPECT_EQ(Do(Kind::kRemoveJob, "groups").status, 204);
  EXPECT_FALSE(Job("groups").has_value());
  EXPECT_THAT(left_, Contains("groups"));
  const HttpResponse gone = Do(Kind::kRemoveJob, "groups");
  EXPECT_EQ(gone.status, 404);
  EXPECT_THAT(gone.body, HasSubstr("no job 'groups'; there are: ranks, others"));
  EXPECT_THAT(told_, ElementsAre(R"(job {"job": "groups", "change": "added"})",
                                 R"(job {"job": "groups", "change": "changed"})",
                                 R"(job {"job": "others", "change": "added"})",
                                 R"(job {"job": "groups", "change": "removed"})"));
  EXPECT_THAT(replay_.log.lines(), Contains("info: api: job groups added by 10.0.0.1"));
}

TEST_F(RunTimeChangesTest, AWrongJobIsRefusedByKeyAndChangesNothing) {
  EXPECT_EQ(Do(Kind::kAddJob, "", "[1").status, 400);
  const HttpResponse wrong =
      Do(Kind::kAddJob, "", R"({"name": "k", "kernel": "magic", "window": "x", "top": -1})");
  EXPECT_EQ(wrong.status, 422);
  for (const char* key : {R"("key":"kernel")", R"("key":"window")", R"("key":"top")"}) {
    EXPECT_THAT(wrong.body, HasSubstr(key));
  }
  EXPECT_EQ(Do(Kind::kPutJob, "ranks", R"({"name": "other", "kernel": "wcc"})").status, 422);
  EXPECT_EQ(replay_.pipeline().jobs().jobs().size(), 1u);
  EXPECT_EQ(KernelOf(Job("ranks")->parameters), "pagerank");
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(RunTimeChangesTest, AnAlertComesChangesAndGoes) {
  const std::string high = R"({"name": "high", "job": "ranks", "on": "row", "where": "rank == 1"})";
  const HttpResponse added = Do(Kind::kAddAlert, "", high);
  EXPECT_EQ(added.status, 201) << added.body;
  EXPECT_THAT(added.headers, Contains(std::pair<std::string, std::string>(
                                 "Location", "/api/v1/alerts/high")));
  EXPECT_THAT(added.body, HasSubstr(R"("name":"high")"));
  EXPECT_THAT(Do(Kind::kAddAlert, "", high).body, HasSubstr("PUT changes it"));
  const std::string changed = R"({"job": "ranks", "on": "entered", "where": "rank <= 2"})";
  EXPECT_EQ(Do(Kind::kPutAlert, "high", changed).status, 200);
  EXPECT_EQ(replay_.pipeline().alerts().Find("high")->spec.on, AlertOn::kEntered);
  EXPECT_TRUE(replay_.pipeline().alerts().Compares("ranks"));
  EXPECT_EQ(Do(Kind::kPutAlert, "new", changed).status, 201);
  EXPECT_EQ(Do(Kind::kPauseAlert, "new").status, 200);
  EXPECT_EQ(Do(Kind::kTestAlert, "high").status, 200);
  EXPECT_EQ(Do(Kind::kRemoveAlert, "new").status, 204);
  const HttpResponse gone = Do(Kind::kRemoveAlert, "new");
  EXPECT_EQ(gone.status, 404);
  EXPECT_THAT(gone.body, HasSubstr("high"));
  EXPECT_THAT(told_, ElementsAre(R"(alert {"alert": "high", "change": "added"})",
                                 R"(alert {"alert": "high", "change": "changed"})",
                                 R"(alert {"alert": "new", "change": "added"})",
                                 R"(alert {"alert": "new", "change": "paused"})",
                                 R"(alert {"alert": "high", "change": "tested"})",
                                 R"(alert {"alert": "new", "change": "removed"})"));
  // A reload restores the file, which has no alert.
  EXPECT_EQ(Do(Kind::kReload).status, 200);
  EXPECT_TRUE(replay_.pipeline().alerts().Specs().empty());
}

TEST_F(RunTimeChangesTest, AWrongAlertIsRefusedByKeyAndChangesNothing) {
  EXPECT_EQ(Do(Kind::kAddAlert, "", "[1").status, 400);
  const HttpResponse wrong =
      Do(Kind::kAddAlert, "",
         R"({"name": "a", "job": "gone", "on": "often", "to": ["pager"], "x": 1})");
  EXPECT_EQ(wrong.status, 422);
  for (const char* key : {R"("key":"job")", R"("key":"on")", R"("key":"to[0]")", R"("key":"x")"}) {
    EXPECT_THAT(wrong.body, HasSubstr(key));
  }
  const HttpResponse unknown = Do(
      Kind::kAddAlert, "", R"({"name": "a", "job": "ranks", "on": "row", "where": "size > 1"})");
  EXPECT_EQ(unknown.status, 422);
  EXPECT_THAT(unknown.body, HasSubstr("there is no member `size`"));
  EXPECT_TRUE(replay_.pipeline().alerts().Specs().empty());
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(RunTimeChangesTest, AWindowComesAndGoesUnlessAJobUsesIt) {
  const std::string wide = R"({"name": "wide", "length": "20s", "slide": "10s"})";
  EXPECT_EQ(Do(Kind::kAddWindow, "", wide).status, 201);
  EXPECT_TRUE(HasWindow("wide"));
  EXPECT_EQ(Do(Kind::kAddWindow, "", wide).status, 409);
  EXPECT_EQ(Do(Kind::kPutWindow, "wide", R"({"length": "30s", "slide": "10s"})").status, 200);
  EXPECT_EQ(Do(Kind::kAddJob, "", R"({"name": "k", "kernel": "wcc", "window": "wide"})").status,
            201);
  const HttpResponse early = Do(Kind::kTriggerJob, "k");
  EXPECT_EQ(early.status, 409);
  EXPECT_THAT(early.body, HasSubstr("window 'wide' has not advanced yet"));
  const HttpResponse used = Do(Kind::kRemoveWindow, "wide");
  EXPECT_EQ(used.status, 409);
  EXPECT_THAT(used.body, HasSubstr("remove these jobs first: k"));
  EXPECT_EQ(Do(Kind::kRemoveJob, "k").status, 204);
  EXPECT_EQ(Do(Kind::kRemoveWindow, "wide").status, 204);
  EXPECT_FALSE(HasWindow("wide"));
  const HttpResponse gone = Do(Kind::kRemoveWindow, "wide");
  EXPECT_EQ(gone.status, 404);
  EXPECT_THAT(gone.body, HasSubstr("no window 'wide'; there are: w"));
}

TEST_F(RunTimeChangesTest, AWindowThatDoesNotFitIsRefused) {
  EXPECT_EQ(Do(Kind::kAddWindow, "", "{").status, 400);
  EXPECT_EQ(Do(Kind::kAddWindow, "", R"({"name": "v", "length": "15s", "slide": "10s"})").status,
            422);
  const HttpResponse uneven =
      Do(Kind::kAddWindow, "", R"({"name": "v", "length": "15s", "slide": "5s"})");
  EXPECT_EQ(uneven.status, 409) << "slices are 10 s long";
  const HttpResponse moved =
      Do(Kind::kAddWindow, "", R"({"name": "v", "length": "20s", "slide": "10s", "offset": "5s"})");
  EXPECT_EQ(moved.status, 409);
  EXPECT_THAT(moved.body, HasSubstr("offset (5s) must be a multiple of 10s"));
  EXPECT_EQ(
      Do(Kind::kAddWindow, "", R"({"name": "v", "length": "20s", "slide": "10s", "offset": "10s"})")
          .status,
      422);
  const HttpResponse filtered = Do(Kind::kAddWindow, "",
                                   R"({"name": "v", "length": "20s", )"
                                   R"("slide": "10s", "where": "/a == 'a'"})");
  EXPECT_EQ(filtered.status, 422);
  EXPECT_THAT(filtered.body, HasSubstr(R"("key":"where")"));
  const HttpResponse vast =
      Do(Kind::kAddWindow, "", R"({"name": "v", "length": "7000d", "slide": "10s"})");
  EXPECT_EQ(vast.status, 422);
  EXPECT_THAT(vast.body, HasSubstr(R"("key":"length")"));
  EXPECT_FALSE(HasWindow("v"));
}

TEST_F(RunTimeChangesTest, AWindowMayHaveANewFilterUntilThereAre64) {
  const auto put = [&](const std::string& name, const std::string& where) {
    return Do(Kind::kPutWindow, name,
              R"({"length": "20s", "slide": "10s", "where": ")" + where + R"("})");
  };
  EXPECT_EQ(put("v", "$1 == 'a'").status, 201);
  EXPECT_EQ(put("v", "$1 == 'b'").status, 200);
  EXPECT_EQ(replay_.pipeline().engine().Find("v")->spec.where, "$1 == 'b'");
  for (int i = 1; i < 64; ++i) {
    EXPECT_EQ(put("v" + std::to_string(i), "$1 == '" + std::to_string(i) + "'").status, 201);
  }
  const HttpResponse full = put("more", "$1 == 'more'");
  EXPECT_EQ(full.status, 409);
  EXPECT_THAT(full.body, HasSubstr("more than 64 different filters"));
  EXPECT_EQ(put("same", "$1 == '7'").status, 201);
  EXPECT_EQ(Do(Kind::kRemoveWindow, "v1").status, 204);
  EXPECT_EQ(put("more", "$1 == 'more'").status, 201);
}

TEST_F(RunTimeChangesTest, AReloadBringsNewFilters) {
  std::string text = replay_.Text();
  text.replace(text.find("slide: 10s}"), 10, "slide: 10s, where: \"$1 == 'a'\"");
  replay_.Write(text);
  const HttpResponse answer = Do(Kind::kReload);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("windows[w].where"));
  EXPECT_EQ(replay_.pipeline().engine().Find("w")->spec.where, "$1 == 'a'");
}

TEST_F(RunTimeChangesTest, AWindowWithoutAnExportIsNotWritten) {
  const HttpResponse refused = Do(Kind::kExportWindow, "w");
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr("no export lists window 'w'"));
  EXPECT_EQ(Do(Kind::kExportWindow, "x").status, 404);
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(RunTimeChangesTest, AJobIsPausedResumedAndTriggered) {
  const auto paused = [&] { return replay_.pipeline().jobs().Statuses().front().paused; };
  EXPECT_EQ(Do(Kind::kPauseJob, "ranks").status, 200);
  EXPECT_TRUE(paused());
  EXPECT_EQ(Do(Kind::kResumeJob, "ranks").status, 200);
  EXPECT_FALSE(paused());
  const std::uint64_t runs = replay_.pipeline().jobs().Statuses().front().runs;
  EXPECT_EQ(Do(Kind::kTriggerJob, "ranks").status, 202);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const auto has_run = [&] {
    return replay_.pipeline().jobs().Statuses().front().runs == runs + 1;
  };
  while (!has_run() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_TRUE(has_run());
  for (const Kind kind : {Kind::kPauseJob, Kind::kResumeJob, Kind::kTriggerJob}) {
    EXPECT_EQ(Do(kind, "nobody").status, 404);
  }
}

TEST_F(RunTimeChangesTest, AReloadAppliesTheFileAndUndoesWhatTheApiChanged) {
  ASSERT_EQ(Do(Kind::kAddJob, "", R"({"name": "k", "kernel": "wcc", "window": "w"})").status, 201);
  replay_.Write(replay_.Text(", top: 4") + "log: {level: debug}\nshutdown_deadline: 7s\n");
  const HttpResponse answer = Do(Kind::kReload);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("jobs[ranks].top"));
  EXPECT_EQ(Job("ranks")->top, 4u);
  EXPECT_FALSE(Job("k").has_value());
  EXPECT_THAT(levels_, ElementsAre(LogLevel::kDebug));
  EXPECT_THAT(told_.back(), HasSubstr(R"("success": true)"));
  replay_.Write(replay_.Text(", top: 0.5"));
  const HttpResponse refused = Do(Kind::kReload);
  EXPECT_EQ(refused.status, 422);
  EXPECT_THAT(refused.body, HasSubstr("jobs[0].top"));
  EXPECT_EQ(Job("ranks")->top, 4u);
  EXPECT_THAT(told_.back(), HasSubstr(R"("success": false)"));
}

TEST_F(RunTimeChangesTest, EveryRequestIsAnsweredOnceAndOnlySoManyWait) {
  std::vector<std::shared_ptr<PendingAnswer>> waiting;
  for (std::size_t i = 0; i < RunTimeChanges::kMostWaiting; ++i) {
    waiting.push_back(changes_.Ask({.kind = Kind::kPauseJob, .name = "ranks"}));
  }
  const auto refused = changes_.Ask({.kind = Kind::kPauseJob, .name = "ranks"})->Take();
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->status, 503);
  EXPECT_THAT(refused->body, HasSubstr("too many changes are waiting"));
  const int asked = wakes_;
  changes_.Execute();
  EXPECT_TRUE(waiting[0]->given());
  EXPECT_FALSE(waiting[1]->given());
  EXPECT_EQ(wakes_, asked + 1) << "more requests wait";
  changes_.Close();
  EXPECT_EQ(waiting[0]->Take()->status, 200);
  for (std::size_t i = 1; i < waiting.size(); ++i) EXPECT_EQ(waiting[i]->Take()->status, 503);
  EXPECT_EQ(answers_, 2);
  const auto late = changes_.Ask({.kind = Kind::kReload})->Take();
  ASSERT_TRUE(late.has_value());
  EXPECT_THAT(late->body, HasSubstr("the process is stopping"));
}

}  // namespace
}  // namespace sash
