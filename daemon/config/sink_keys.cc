#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "connectors/sinks/result_diff.h"
#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

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

// What the sinks of all kinds may name.
struct Jobs {
  std::vector<std::string> names;  // right or wrong
  const std::vector<JobSpec>& specs;
};

void ReadContent(const Section& sink, const std::vector<JobSpec>& jobs,
                 const std::vector<std::string>& wanted, VerticesWritten& vertices,
                 SinkContent& content) {
  sink.Choose("vertices", vertices,
              {{"top", VerticesWritten::kTop}, {"all", VerticesWritten::kAll}});
  sink.Choose("content", content,
              {{"results", SinkContent::kResults}, {"diffs", SinkContent::kDiffs}});
  if (content == SinkContent::kResults) return;
  if (vertices == VerticesWritten::kAll) {
    sink.Fail("vertices",
              "is `all`, but `content: diffs` compares what results list; give top, "
              "and raise `top` of the job");
  }
  for (const JobSpec& job : jobs) {
    if (std::ranges::find(wanted, job.name) == wanted.end() || HasDiffs(job.parameters)) continue;
    sink.Fail("jobs", fmt::format("job `{}` has no one list of vertices to compare, as `content: "
                                  "diffs` needs; leave it out",
                                  job.name));
  }
}

FileSinkSpec ReadFileSink(const Section& file, const Jobs& jobs, Uses& uses) {
  FileSinkSpec spec;
  if (file.Require("path", spec.path, "the path of a file to write", ParseFilePath)) {
    const auto [use, fresh] = uses.emplace(NormalPath(spec.path), file.path());
    if (!fresh) {
      file.Fail("path", fmt::format("`{}` is the file of {} already; give each its own file",
                                    spec.path, use->second));
    }
  }
  ReadSinkJobs(file, jobs.names, spec.jobs);
  ReadContent(file, jobs.specs, spec.jobs, spec.vertices, spec.content);
  file.Read("checksum", spec.checksum);
  return spec;
}

// The id by which the brokers know the sink over restarts.
void ReadTransactions(const Section& kafka, const KafkaSpec* source, Uses& uses,
                      KafkaSinkSpec& spec) {
  bool transactional = false;
  kafka.Read("transactional", transactional);
  std::string id = source == nullptr ? "sash-" + spec.topic
                                     : fmt::format("sash-{}-{}", source->group, spec.topic);
  const bool given = kafka.Read("transactional_id", id, "the name of the sink", ParseNonEmpty);
  if (!transactional) {
    if (given) {
      kafka.Fail("transactional_id",
                 "is for `transactional: true` alone; give that too, or leave it out");
    }
    return;
  }
  if (spec.brokers == "embedded") {
    kafka.Fail("transactional",
               "is `true`, but the embedded broker shows readers what was aborted "
               "too; leave it out, or give `brokers` of a real one");
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

KafkaSinkSpec ReadKafkaSink(const Section& kafka, const Jobs& jobs, const KafkaSpec* source,
                            Uses& uses) {
  KafkaSinkSpec spec;
  ReadDestination(kafka, "sinks[].kafka.outbox", source, uses, spec);
  ReadTransactions(kafka, source, uses, spec);
  ReadSinkJobs(kafka, jobs.names, spec.jobs);
  ReadContent(kafka, jobs.specs, spec.jobs, spec.vertices, spec.content);
  return spec;
}

}  // namespace

std::string NormalPath(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
  return (failure ? std::filesystem::path(path) : absolute).lexically_normal().string();
}

std::vector<SinkSpec> ReadSinks(const Section& root, const SourceConfig& source,
                                const std::vector<JobSpec>& specs) {
  Uses uses;
  if (const auto* replay = std::get_if<ReplaySpec>(&source.connector)) {
    if (replay->path != "-" && !replay->path.empty()) {
      uses.emplace(NormalPath(replay->path), "source.replay.path");
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
    if (unknown_only) continue;  // reported as unknown
    const auto kind = sink.ExactlyOne({"file", "terminal", "kafka"},
                                      "{file: {path: results.jsonl}}, {kafka: {topic: results}} or "
                                      "{terminal: {}}");
    if (kind == "file")
      sinks.emplace_back(ReadFileSink(sink.Child("file", "sinks[].file"), jobs, uses));
    if (kind == "kafka") {
      sinks.emplace_back(ReadKafkaSink(sink.Child("kafka", "sinks[].kafka"), jobs,
                                       std::get_if<KafkaSpec>(&source.connector), uses));
    }
    if (kind == "terminal") {
      static_cast<void>(sink.Child("terminal", "sinks[].terminal"));
      sinks.emplace_back(TerminalSinkSpec{});
    }
  }
  return sinks;
}

}  // namespace sash
