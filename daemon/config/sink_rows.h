// The rows that sinks share, and the rows of Kafka and webhook sinks.
//
// Thread safety: any thread; the rows never change.
#pragma once

#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/config/key_row.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {

// The jobs that a sink of any kind may name.
struct SinkJobs {
  std::vector<std::string> names;  // valid or not
  const std::vector<JobSpec>& specs;
};

struct SinkContext {
  const SinkJobs& jobs;
  const KafkaSpec* source;  // none: a replay
  Uses& uses;
  std::vector<std::string>& names;  // of earlier sinks
};

// Reads the key `jobs`; `known`: the names of jobs, valid or not.
void ReadSinkJobs(const Section& file, const std::vector<std::string>& known,
                  std::vector<std::string>& jobs);

// What a sink of any kind writes.
struct SinkChoice {
  const std::vector<std::string>& jobs;  // empty: every job
  VerticesWritten vertices = VerticesWritten::kTop;
  SinkContent content = SinkContent::kResults;
  bool partial = false;
};

// Diffs compare the lists of results, so they need `vertices: top` and jobs with one list. Rows
// need jobs with lists. Alerts come from the jobs that they name. Results that are not final have
// none of these.
void CheckContent(const Section& sink, const std::vector<JobSpec>& jobs, const SinkChoice& choice);

// Reads the name of a sink; `log` is the name of the receiver of alerts that is always there.
void ReadSinkName(const Section& sink, std::vector<std::string>& taken, std::string& name);

struct JobNamesForm {
  std::vector<Shape> Shapes() const { return {Items{kAnyText, true}, Words{{"all"}}}; }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& jobs) const {
    out.Line(depth, key.name, jobs.empty() ? "all" : QuoteAll(jobs));
  }
};

// Which results are written, and which part of them: for sinks of all kinds but terminals.
template <typename Sink>
KeyRow<Sink, SinkContext> JobNamesRow() {
  const KeySpec key{"jobs",
                    JobNamesForm().Shapes(),
                    "The jobs whose results are written.",
                    kOptional,
                    Change::kRestart,
                    "",
                    "names of jobs, or all"};
  return {key,
          [](const Section& sink, Sink& spec, SinkContext& context) {
            ReadSinkJobs(sink, context.jobs.names, spec.jobs);
          },
          [key](YamlPrinter& out, int depth, const Sink& spec) {
            JobNamesForm().Print(out, depth, key, spec.jobs);
          },
          [](const Sink& a, const Sink& b) { return a.jobs == b.jobs; }};
}

template <typename Sink>
KeyRow<Sink, SinkContext> SinkNameRow() {
  return KeyRow<Sink, SinkContext>("name", &Sink::name,
                                   TextForm{kName, "a name that is unique in this list", ParseName},
                                   "The name of the sink in alerts[].to; unique among sinks.")
      .Default("none")
      .ReadBy([](const Section& sink, Sink& spec, SinkContext& context) {
        if (sink.Has("name")) ReadSinkName(sink, context.names, spec.name);
      });
}

template <typename Sink>
KeyRow<Sink, SinkContext> VerticesRow() {
  return {"vertices", &Sink::vertices,
          OneOf<VerticesWritten>{{"top", VerticesWritten::kTop}, {"all", VerticesWritten::kAll}},
          "The top of each result, or every vertex."};
}

// Before the row of `content`.
template <typename Sink>
KeyRow<Sink, SinkContext> PartialRow() {
  return {"partial", &Sink::partial, Flag{},
          "Also the results of jobs with `visibility: live`: each says `final: false`, and its "
          "identity ends with its `cut`. No commit waits for them. While half of the outbox, or of "
          "the lines that wait for a file, is in use, they are left out and counted. Only with "
          "`content: results`."};
}

template <typename Sink>
KeyRow<Sink, SinkContext> ContentRow() {
  const OneOf<SinkContent> contents{{"results", SinkContent::kResults},
                                    {"diffs", SinkContent::kDiffs},
                                    {"rows", SinkContent::kRows},
                                    {"alerts", SinkContent::kAlerts}};
  return KeyRow<Sink, SinkContext>(
             "content", &Sink::content, contents,
             "results: each result. diffs (only with `vertices: top`): which vertices entered the "
             "list of the result, left it, or changed rank or score since the job's previous "
             "result. Jobs without a single list of vertices (window, new_edges, vanished_edges, "
             "cycles, paths, edge_features, external with `returns: rows`, plugin with edges, bfs "
             "with `separate`) have no diffs; `jobs: all` leaves them out. rows: each row of the "
             "lists of a result alone, with its job, window, window end and number; a webhook "
             "sends all rows of a result in one request. Jobs of "
             "the kernel window have no rows; `jobs: all` leaves them out. alerts: the alerts for "
             "this sink, and no results.")
      .ReadBy([contents](const Section& sink, Sink& spec, SinkContext& context) {
        sink.Choose("content", spec.content, contents.choices);
        CheckContent(sink, context.jobs.specs,
                     {spec.jobs, spec.vertices, spec.content, spec.partial});
        if constexpr (requires { spec.transactional_id; }) {
          if (spec.partial && !spec.transactional_id.empty()) {
            sink.Fail("partial",
                      "is `true`, but transactions hold whole results of an advance, and a result "
                      "that is not final belongs to none; leave out `transactional`, or give "
                      "another sink");
          }
          if (spec.content != SinkContent::kAlerts || spec.transactional_id.empty()) return;
          sink.Fail("transactional",
                    "is `true`, but transactions hold whole results of an advance, "
                    "and no alerts; leave it out");
        }
      });
}

const KeyRows<KafkaSinkSpec, SinkContext>& KafkaSinkRows();
const KeyRows<OutboxSpec>& SinkOutboxRows();
const KeyRows<WebhookSinkSpec, SinkContext>& WebhookSinkRows();
const KeyRows<OutboxSpec>& WebhookOutboxRows();

}  // namespace sash
