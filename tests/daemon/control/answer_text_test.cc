#include "daemon/control/answer_text.h"

#include <gtest/gtest.h>

#include "daemon/control/detail_text.h"
#include "daemon/control/result_text.h"
#include "daemon/control/status_text.h"
#include "tests/daemon/control/json_reading.h"

namespace sash {
namespace {

TEST(AnswerText, WindowsBeforeTheFirstAdvanceAreShownToo) {
  EXPECT_EQ(WindowsText(Json(R"([{"name": "w", "snapshot": null, "window_end": null, "edges": 0,
                                  "vertices": 0, "slices": 0, "bytes": 0, "late": 0, "refused": 0,
                                  "advance_seconds": null, "gap": false}])")),
            "WINDOW  END  SNAPSHOT  EDGES  VERTICES  SLICES  MEMORY  LATE  REFUSED  ADVANCE  GAP\n"
            "w       –           –      0         0       0     0 B     0        0        –  no\n");
}

TEST(AnswerText, JobsSayWhatTheyAreDoing) {
  const std::string text = JobsText(Json(
      R"([{"name": "a", "running": true, "paused": false, "iteration": 7, "runs": 1},
          {"name": "b", "running": false, "paused": true},
          {"name": "c", "running": false, "paused": false, "waiting": 2},
          {"name": "d", "running": true, "paused": true, "iteration": 1}, {"name": "e"},
          {"name": "f", "running": true, "iteration": 2, "phase": "computing"}])"));
  for (const char* said : {"running, iteration 7", "paused", "waiting", "running (paused)", "idle",
                           "running, iteration 2 (computing)"}) {
    EXPECT_NE(text.find(said), std::string::npos) << said << " in\n" << text;
  }
}

TEST(AnswerText, AnyAnswerCanBeShown) {
  EXPECT_EQ(DetailText(Json(R"({"vertex": "v\u001b1", "out_degree": 2, "last_seconds": 0.25,
                               "none": [], "out": [{"vertex": "a", "weight": 1.5},
                                                   {"vertex": "Zürich", "more": [1, 2]}],
                               "deep": {"x": {"y": {"z": 1}}}})")),
            "vertex      v\\u001b1\n"
            "out degree  2\n"
            "last        250 ms\n"
            "none        none\n"
            "\n"
            "out\n"
            "VERTEX  WEIGHT  MORE\n"
            "a          1.5  –\n"
            "Zürich       –  1, 2\n"
            "\n"
            "deep\n"
            "x\n"
            "y  z 1\n");
}

TEST(AnswerText, APathIsALineOfVerticesAndATableOfEdges) {
  EXPECT_EQ(PathText(Json(R"({"window": "w", "snapshot": 7, "window_end": null, "found": true,
                              "length": 2, "weight": 2.5, "paths": 3, "vertices": ["a", "x", "b"],
                              "steps": [{"source": "a", "target": "x", "weight": 2, "edges": 1,
                                         "type": "paid"},
                                        {"source": "x", "target": "b", "weight": 0.5,
                                         "edges": 12}]})")),
            "w, until –, snapshot 7: 2 edges, weight 2.5, the first of 3 paths as short\n"
            "a → x → b\n"
            "\n"
            "SOURCE  TARGET  WEIGHT  TYPE  EDGES\n"
            "a       x            2  paid      1\n"
            "x       b          0.5  –        12\n");
  EXPECT_EQ(PathText(Json(R"({"window": "w", "snapshot": 7, "window_end": null, "found": true,
                              "length": 0, "weight": 0, "paths": 1, "vertices": ["a"],
                              "steps": []})")),
            "w, until –, snapshot 7: 0 edges, weight 0, the only path as short\n"
            "a\n");
  EXPECT_EQ(PathText(Json(R"({"window": "w", "snapshot": 7, "window_end": null, "found": false,
                              "most": 1, "from": "a", "to": 5})")),
            "w, until –, snapshot 7: no path of at most 1 edge from a to 5\n");
}

TEST(AnswerText, PhasesAreShownWithTheirShares) {
  EXPECT_EQ(DetailText(Json(R"({"name": "j", "phase": null, "last_latency_seconds": 0.5,
                               "last_phases": {"waiting_seconds": 0.1, "computing_seconds": 0.3,
                                               "delivering_seconds": 0}})")),
            "name          j\n"
            "phase         –\n"
            "last latency  500 ms\n"
            "\n"
            "last phases\n"
            "PHASE         TIME  SHARE\n"
            "waiting     100 ms   25 %\n"
            "computing   300 ms   75 %\n"
            "delivering     0 s    0 %\n");
  EXPECT_EQ(DetailText(Json(R"({"advance_phases": null})")), "advance phases  –\n");
}

TEST(AnswerText, DiffsAreTablesOfWhatEnteredLeftAndChanged) {
  const std::string diff =
      R"({"schema": 1, "job": "ranks", "kernel": "pagerank", "window": "w", "snapshot": 5,
          "window_start": "2026-11-22T05:35:13.000Z", "window_end": "2026-11-22T05:35:23.000Z",
          "since": "2026-11-22T05:35:22.000Z", "gap": false,
          "entered": [{"vertex": "d\u001b", "rank": 2, "score": 0.25}], "left": [],
          "changed": [{"vertex": "a", "rank": 1, "score": 0.5, "rank_before": 2,
                       "score_before": 0.25}]})";
  EXPECT_EQ(DiffText(Json(diff)),
            "ranks: pagerank on w, 2026-11-22 05:35:13Z to 2026-11-22 05:35:23Z\n"
            "\n"
            "snapshot  5\n"
            "since     2026-11-22 05:35:22Z\n"
            "gap       no\n"
            "left      none\n"
            "\n"
            "entered\n"
            "VERTEX   RANK  SCORE\n"
            "d\\u001b     2   0.25\n"
            "\n"
            "changed\n"
            "VERTEX  RANK  SCORE  RANK BEFORE  SCORE BEFORE\n"
            "a          1    0.5            2          0.25\n");
  EXPECT_EQ(DiffListText(Json("[" + diff + "]")),
            "SNAPSHOT  END                   SINCE                 ENTERED  LEFT  CHANGED  GAP  "
            "FIRST TO ENTER\n"
            "       5  2026-11-22 05:35:23Z  2026-11-22 05:35:22Z        1     0        1  no   "
            "d\\u001b\n");
}

TEST(AnswerText, ResultsAreTitledAndLeaveOutWhatIsForPrograms) {
  const std::string text = ResultText(
      Json(R"({"schema": 1, "job": "reach", "kernel": "bfs", "window": "w", "snapshot": 5,
               "window_start": "2026-11-22T05:35:13.000Z", "window_end": "2026-11-22T05:35:23.000Z",
               "offsets": {"t": {"0": [1, 2]}}, "parameters": {"direction": "out"},
               "seconds": 0.5, "levels": [1, 20],
               "top": [{"vertex": "a", "rank": 1, "depth": 0}]})"));
  EXPECT_EQ(text,
            "reach: bfs on w, 2026-11-22 05:35:13Z to 2026-11-22 05:35:23Z\n"
            "\n"
            "snapshot    5\n"
            "parameters  direction out\n"
            "took        500 ms\n"
            "levels      1, 20\n"
            "\n"
            "top\n"
            "VERTEX  RANK  DEPTH\n"
            "a          1      0\n");
}

TEST(AnswerText, AReloadSaysWhatIsInEffectAndWhatWaitsForARestart) {
  EXPECT_EQ(ReloadText(Json(R"({"changed": [], "needs_restart": []})")), "nothing has changed\n");
  EXPECT_EQ(ReloadText(Json(
                R"({"changed": [{"key": "jobs[a]", "before": null, "after": "x"}],
                    "needs_restart": [{"key": "http.listen", "before": "a", "after": "b"}]})")),
            "KEY          BEFORE  AFTER  IN EFFECT\n"
            "jobs[a]      –       x      now\n"
            "http.listen  a       b      after a restart\n");
}

TEST(AnswerText, AReasonIsASentenceAndWhatItComesFrom) {
  EXPECT_EQ(WhyText(Json(R"({"window": "w", "reason": "silent_partition",
                             "summary": "partition 3 of edges is silent", "missing_seconds": 2.5,
                             "disorder": 90, "idle_after": 0.25,
                             "held_by": {"topic": "edges", "partition": 3, "state": "active",
                                         "holds": true, "silent_seconds": 70},
                             "partitions": [{"topic": "edges", "silent_seconds": 70}],
                             "not_ready": []})")),
            "partition 3 of edges is silent\n"
            "\n"
            "window      w\n"
            "reason      silent_partition\n"
            "missing     2.50 s\n"
            "disorder    1 min 30 s\n"
            "idle after  250 ms\n"
            "not ready   none\n"
            "\n"
            "held by\n"
            "topic      edges\n"
            "partition  3\n"
            "state      active\n"
            "holds      yes\n"
            "silent     1 min 10 s\n"
            "\n"
            "partitions\n"
            "TOPIC      SILENT\n"
            "edges  1 min 10 s\n");
}

TEST(AnswerText, StatusSaysWhyItIsNotReady) {
  const DaemonAnswers answers{
      Json(R"({"version": "0.1.0"})"),
      Json(R"({"ready": false, "reasons": ["no broker", "disk\u001b full"]})"),
      Json(R"({"time": "2026-11-22T05:35:23.826442290Z", "watermark": "2026-11-22T05:35:21.826Z",
               "accepted": 12, "late": 1, "open_events": 3})"),
      Json(R"({"kind": "kafka", "address": "b:9092", "topics": ["t", "u"], "records": 1,
               "bytes": 2048, "partitions": [{"lag": 4}, {"lag": 5}]})"),
      Json("[]"),
      Json("[]")};
  const std::string text = StatusText("http://127.0.0.1:9640", answers);
  EXPECT_TRUE(
      text.starts_with("sashd 0.1.0 at http://127.0.0.1:9640 is not ready\n"
                       "  no broker\n"
                       "  disk\\u001b full\n"
                       "\n"
                       "stream  watermark 2026-11-22 05:35:21.826Z (2 s behind the clock), 12 "
                       "accepted, 1 late, 3 in "
                       "open slices\n"
                       "source  kafka b:9092, topics t, u, 1 record read (2.0 KiB), lag 9\n"))
      << text;
}

TEST(AnswerText, StatusNamesThePatternOfTopics) {
  const DaemonAnswers answers{
      Json("{}"),
      Json(R"({"ready": true, "reasons": []})"),
      Json("{}"),
      Json(R"({"kind": "kafka", "address": "b:9092", "topics": ["pay-a"], "topic_pattern": "^pay-",
               "records": 1, "bytes": 2048, "partitions": []})"),
      Json("[]"),
      Json("[]")};
  const std::string text = StatusText("http://127.0.0.1:9640", answers);
  EXPECT_NE(text.find("source  kafka b:9092, topics pay-a, pattern ^pay-, 1 record read"),
            std::string::npos)
      << text;
}

TEST(AnswerText, AnAnswerOfAnotherShapeDoesNoHarm) {
  for (const char* json :
       {"null", "17", "\"x\"", "[1, [2, [3]]]", "{}", "[{}]", "[[{\"a\": {}}]]"}) {
    const JsonValue value = Json(json);
    for (const std::string& text :
         {DetailText(value), WindowsText(value), JobsText(value), ResultListText(value),
          ResultText(value), ReloadText(value), WhyText(value),
          StatusText("u", {value, value, value, value, value, value})}) {
      EXPECT_TRUE(text.empty() || text.ends_with('\n')) << json;
    }
  }
}

}  // namespace
}  // namespace sash
