#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "connectors/sinks/result_diff.h"
#include "daemon/config/destination_form.h"
#include "daemon/config/key_row.h"
#include "daemon/config/nearest_key.h"
#include "daemon/config/normal_path.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

void ReadSinkJobs(const Section& file, const std::vector<std::string>& known,
                  std::vector<std::string>& jobs) {
  static constexpr std::string_view kForms = "a list of job names, or all";
  if (!file.Has("jobs")) return;
  const Place place = file.At("jobs");
  if (place.node->kind == YamlNode::Kind::kScalar && place.node->text == "all") return;
  if (place.node->kind == YamlNode::Kind::kEmpty ||
      (place.node->kind == YamlNode::Kind::kList && place.node->items.empty())) {
    file.Fail("jobs", fmt::format("is empty; give {}", kForms));
  }
  for (const Place& item : file.Items("jobs", kForms)) {
    std::string job;
    const auto parse = [&](std::string_view text) -> Result<std::string> {
      if (std::ranges::find(jobs, text) != jobs.end()) {
        return Wrong(fmt::format("job `{}` is listed twice; keep one", text));
      }
      if (std::ranges::find(known, text) != known.end()) return std::string(text);
      if (known.empty()) return Wrong(fmt::format("there is no job `{}`; add it to jobs", text));
      const std::vector<std::string_view> words(known.begin(), known.end());
      return Wrong(fmt::format("there is no job `{}`{}; jobs: {}", text, Suggestion(text, words),
                               SomeOf(known)));
    };
    if (ReadAt(item, job, "the name of a job", parse, file.errors())) jobs.push_back(job);
  }
}

// The jobs that a sink of any kind may name.
struct Jobs {
  std::vector<std::string> names;  // valid or not
  const std::vector<JobSpec>& specs;
};

struct SinkContext {
  const Jobs& jobs;
  const KafkaSpec* source;  // none: a replay
  Uses& uses;
};

// Diffs compare the lists of results, so they need `vertices: top` and jobs with one list.
void CheckContent(const Section& sink, const std::vector<JobSpec>& jobs,
                  const std::vector<std::string>& wanted, VerticesWritten vertices,
                  SinkContent content) {
  if (content == SinkContent::kResults) return;
  if (vertices == VerticesWritten::kAll) {
    sink.Fail("vertices",
              "is `all`, but `content: diffs` compares what results list; give top, "
              "and raise `top` of the job");
  }
  for (const JobSpec& job : jobs) {
    if (std::ranges::find(wanted, job.name) == wanted.end() || HasDiffs(job.parameters)) continue;
    sink.Fail("jobs", fmt::format("the results of job `{}` are not one list of vertices, which "
                                  "`content: diffs` needs; leave it out",
                                  job.name));
  }
}

struct JobNamesForm {
  std::vector<Shape> Shapes() const { return {Items{kAnyText, true}, Words{{"all"}}}; }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& jobs) const {
    out.Line(depth, key.name, jobs.empty() ? "all" : QuoteAll(jobs));
  }
};

// Which results are written, and which part of them. Shared by file and Kafka sinks.
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
KeyRow<Sink, SinkContext> VerticesRow() {
  return {"vertices", &Sink::vertices,
          OneOf<VerticesWritten>{{"top", VerticesWritten::kTop}, {"all", VerticesWritten::kAll}},
          "The top of each result, or every vertex."};
}

template <typename Sink>
KeyRow<Sink, SinkContext> ContentRow() {
  const OneOf<SinkContent> contents{{"results", SinkContent::kResults},
                                    {"diffs", SinkContent::kDiffs}};
  return KeyRow<Sink, SinkContext>(
             "content", &Sink::content, contents,
             "results: each result. diffs (only with `vertices: top`): which vertices entered the "
             "list of the result, left it, or changed rank or score since the job's previous "
             "result. Jobs without a single list of vertices (window, new_edges, vanished_edges, "
             "bfs with `separate`) have no diffs; `jobs: all` leaves them out.")
      .ReadBy([contents](const Section& sink, Sink& spec, SinkContext& context) {
        sink.Choose("content", spec.content, contents.choices);
        CheckContent(sink, context.jobs.specs, spec.jobs, spec.vertices, spec.content);
      });
}

const KeyRows<FileSinkSpec, SinkContext>& FileSinkRows() {
  using Key = KeyRow<FileSinkSpec, SinkContext>;
  static const TextForm path{kFile, "the path of a file to write", ParseFilePath};
  static const KeyRows<FileSinkSpec, SinkContext> rows = {
      Key("path", &FileSinkSpec::path, path,
          "The file; nothing else in the configuration may use it.", kRequired)
          .ReadBy([](const Section& file, FileSinkSpec& spec, SinkContext& context) {
            if (!file.Require("path", spec.path, path.expected, path.parse)) return;
            const auto [use, fresh] = context.uses.emplace(NormalPath(spec.path), file.path());
            if (fresh) return;
            file.Fail("path", fmt::format("`{}` is the file of {} already; give each its own file",
                                          spec.path, use->second));
          }),
      JobNamesRow<FileSinkSpec>(),
      VerticesRow<FileSinkSpec>(),
      ContentRow<FileSinkSpec>(),
      Key("checksum", &FileSinkSpec::checksum, Flag{},
          "Ends each line with a member \"crc32c\": the CRC-32C of the bytes before its comma, as "
          "eight hexadecimal digits. `sashd --verify results.jsonl` reports damaged lines."),
  };
  return rows;
}

// Reads the transactional id, by which brokers recognise the sink after a restart.
void ReadTransactions(const Section& kafka, const KafkaSpec* source, Uses& uses,
                      KafkaSinkSpec& spec) {
  bool transactional = false;
  kafka.Read("transactional", transactional);
  std::string id = source == nullptr ? "sash-" + spec.topic
                                     : fmt::format("sash-{}-{}", source->group, spec.topic);
  const bool given = kafka.Read("transactional_id", id, "the name of the sink", ParseNonEmpty);
  if (!transactional) {
    if (given) {
      kafka.Fail("transactional_id", "needs `transactional: true`; set that, too, or leave it out");
    }
    return;
  }
  if (spec.brokers == "embedded") {
    kafka.Fail("transactional",
               "is `true`, but the embedded broker shows readers aborted messages, too; leave it "
               "out, or give the `brokers` of a real cluster");
  }
  const auto [use, fresh] = uses.emplace(spec.brokers + "//transactions of " + id, kafka.path());
  if (!fresh) {
    kafka.Fail("transactional_id",
               fmt::format("`{}` is used by {} already; give each its own", id, use->second));
  } else if (source != nullptr && spec.brokers == source->brokers && id == source->group) {
    kafka.Fail("transactional_id", fmt::format("`{}` is used by source.kafka.group already, and "
                                               "offsets are kept under either; give another",
                                               id));
  }
  spec.transactional_id = std::move(id);
}

const KeyRows<OutboxSpec>& SinkOutboxRows() {
  static const KeyRows<OutboxSpec> rows = OutboxRows(
      "How much may wait. At the limit, results are dropped, and no offsets are committed any "
      "more.");
  return rows;
}

const KeyRows<KafkaSinkSpec, SinkContext>& KafkaSinkRows() {
  using Key = KeyRow<KafkaSinkSpec, SinkContext>;
  const auto destination = [](auto& sink) { return &sink; };
  const auto transactional = [](const KafkaSinkSpec& sink) {
    return !sink.transactional_id.empty();
  };
  static const KeyRows<KafkaSinkSpec, SinkContext> rows = {
      // The keys of the destination are read together, because they depend on each other.
      Key("brokers", destination, BrokersForm(), kBrokersAbout)
          .Default("none, but needed by `transactional: true` where the source is embedded")
          .Range(kBrokersRange)
          .ReadBy([](const Section& kafka, KafkaSinkSpec& spec, SinkContext& context) {
            ReadDestination(kafka, "sinks[].kafka.outbox", context.source, context.uses, spec);
            ReadTransactions(kafka, context.source, context.uses, spec);
          }),
      Key("topic", destination, TopicForm(),
          "The topic; nothing else in the configuration may read or write it. A result larger than "
          "message.max.bytes is not delivered. Results and diffs have the same keys: use a "
          "separate topic for each.",
          kRequired)
          .ReadBy(nullptr),
      JobNamesRow<KafkaSinkSpec>().InTurn(2),
      VerticesRow<KafkaSinkSpec>().InTurn(2),
      ContentRow<KafkaSinkSpec>().InTurn(2),
      Key(
          {"transactional",
           {Flag{}},
           "Writes results in transactions: a reader with isolation.level=read_committed sees all "
           "results of an advance or none, and each result once, even after restarts. Not possible "
           "with the embedded broker. The sink needs permission to write to the group with the "
           "name of the id, and to read its offsets."},
          nullptr,
          [transactional](YamlPrinter& out, int depth, const KafkaSinkSpec& sink) {
            out.Line(depth, "transactional", transactional(sink) ? "true" : "false");
          },
          nullptr)
          .InTurn(1),
      Key("transactional_id", &KafkaSinkSpec::transactional_id,
          TextForm{kAnyText, "the name of the sink", ParseNonEmpty},
          "Identifies the sink to the brokers across restarts; only with `transactional: true`. "
          "The last process to use an id sends, all others stop. So no two sinks may have the same "
          "id, and it may not be source.kafka.group.")
          .Default("sash-<group>-<topic>")
          .ReadBy(nullptr)
          .InTurn(1),
      Key("outbox", destination, OutboxForm("sinks[].kafka.outbox", SinkOutboxRows()),
          "A folder in which results wait until the brokers have them, even after a restart.")
          .ReadBy(nullptr),
      Key("options", destination, ProducerOptionsForm(), kProducerOptionsAbout).ReadBy(nullptr),
  };
  return rows;
}

template <typename Spec>
KeyRow<SinkSpec> KindRow(std::string_view name, std::string_view section,
                         const KeyRows<Spec, SinkContext>& rows, std::string_view about) {
  return {{name, {SectionShape{section}}, about},
          nullptr,
          [name, &rows](YamlPrinter& out, int depth, const SinkSpec& sink) {
            const auto* spec = std::get_if<Spec>(&sink);
            if (spec == nullptr) return;
            out.Line(depth, name, rows.empty() ? "{}" : "");
            PrintRows(out, depth + 1, rows, *spec);
          },
          [&rows](const SinkSpec& a, const SinkSpec& b) {
            const auto* left = std::get_if<Spec>(&a);
            const auto* right = std::get_if<Spec>(&b);
            if (left == nullptr || right == nullptr) return left == right;
            return SameRows(rows, *left, *right);
          }};
}

const KeyRows<TerminalSinkSpec, SinkContext>& TerminalSinkRows() {
  static const KeyRows<TerminalSinkSpec, SinkContext> rows;
  return rows;
}

}  // namespace

const KeyRows<SinkSpec>& SinkRows() {
  static const KeyRows<SinkSpec> rows = {
      KindRow("file", "sinks[].file", FileSinkRows(), "One JSON object a line."),
      KindRow("terminal", "sinks[].terminal", TerminalSinkRows(),
              "One readable line for each advance."),
      KindRow(
          "kafka", "sinks[].kafka", KafkaSinkRows(),
          "One message for each result to a topic: the same JSON, with the key {\"job\", "
          "\"window\", \"window_end\"} (by events: \"accepted\"), so that a result sent again "
          "replaces the first one in a compacted topic. All results of a job go to one partition."),
  };
  return rows;
}

std::vector<SectionSpec> SinkSections() {
  return {SectionFrom("sinks[]", SinkRows(), {"file", "terminal", "kafka"}),
          SectionFrom("sinks[].file", FileSinkRows()),
          SectionFrom("sinks[].terminal", TerminalSinkRows()),
          SectionFrom("sinks[].kafka", KafkaSinkRows()),
          SectionFrom("sinks[].kafka.outbox", SinkOutboxRows())};
}

std::vector<SinkSpec> ReadSinks(const Section& root, const SourceConfig& source,
                                const std::vector<JobSpec>& specs) {
  Uses uses;
  if (const auto* replay = std::get_if<ReplaySpec>(&source.connector)) {
    for (const std::string& path : replay->paths) {
      if (path != "-") uses.emplace(NormalPath(path), "source.replay.path");
    }
  }
  uses.emplace(NormalPath(source.dead_letters.path), "source.dead_letters.path");
  if (const auto& letters = source.dead_letters.kafka) {
    uses.emplace(NormalPath(letters->outbox.path), "source.dead_letters");
    uses.emplace(letters->brokers + "//" + letters->topic, "source.dead_letters");
  }
  const Jobs jobs{WrittenNames(root, "jobs"), specs};
  std::vector<SinkSpec> sinks;
  for (const Place& item : root.Items("sinks", "a list of sinks")) {
    const Section sink(item, "sinks[]", root.errors());
    if (item.node->kind != YamlNode::Kind::kMapping && item.node->kind != YamlNode::Kind::kEmpty) {
      continue;
    }
    const bool unknown_only = !item.node->entries.empty() && !sink.Has("file") &&
                              !sink.Has("terminal") && !sink.Has("kafka");
    if (unknown_only) continue;  // reported as unknown keys
    const auto kind = sink.ExactlyOne({"file", "terminal", "kafka"},
                                      "{file: {path: results.jsonl}}, {kafka: {topic: results}} or "
                                      "{terminal: {}}");
    SinkContext context{jobs, std::get_if<KafkaSpec>(&source.connector), uses};
    const auto read = [&]<typename Spec>(const auto& rows, Spec spec) {
      const std::string section = fmt::format("sinks[].{}", *kind);
      ReadRows(sink.Child(*kind, section), rows, spec, context);
      sinks.emplace_back(std::move(spec));
    };
    if (kind == "file") read(FileSinkRows(), FileSinkSpec());
    if (kind == "kafka") read(KafkaSinkRows(), KafkaSinkSpec());
    if (kind == "terminal") read(TerminalSinkRows(), TerminalSinkSpec());
  }
  return sinks;
}

}  // namespace sash
