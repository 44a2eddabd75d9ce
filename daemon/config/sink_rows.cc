#include "daemon/config/sink_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "connectors/sinks/named_rows.h"
#include "connectors/sinks/result_diff.h"
#include "daemon/config/item_names.h"
#include "windows/jobs/kinds/kinds.h"

namespace sash {

void ReadSinkJobs(const Section& file, const std::vector<std::string>& known,
                  std::vector<std::string>& jobs) {
  if (!file.Has("jobs")) return;
  const YamlNode& node = *file.At("jobs").node;
  if (node.kind == YamlNode::Kind::kScalar && node.text == "all") return;
  ReadNamesOf(file, "jobs", "a list of job names, or all", known, jobs);
}

void ReadSinkName(const Section& sink, std::vector<std::string>& taken, std::string& name) {
  const std::size_t before = taken.size();
  ReadDistinctName(sink, taken, name);
  if (taken.size() > before && name == AlertSpec::kLog) {
    sink.Fail("name", "`log` is the log of the process; give another name");
  }
}

void CheckContent(const Section& sink, const std::vector<JobSpec>& jobs, const SinkChoice& choice) {
  const auto& [wanted, vertices, content, partial] = choice;
  for (const JobSpec& job : jobs) {
    if (partial || !IsLive(job) || std::ranges::find(wanted, job.name) == wanted.end()) continue;
    sink.Fail("jobs", fmt::format("the results of job `{}` are live, so not final, and the sink "
                                  "takes final results; give it `partial: true`, or leave the job "
                                  "out",
                                  job.name));
  }
  if (content == SinkContent::kResults) return;
  if (partial) {
    sink.Fail(
        "partial",
        "is `true`, but results that are not final have no diffs and no rows, and no alert is "
        "about them; leave it out, or give another sink with `content: results`");
  }
  if (content == SinkContent::kAlerts) {
    constexpr const char* kNoResults = "chooses results, which `content: alerts` leaves out";
    if (!wanted.empty()) sink.Fail("jobs", kNoResults);
    if (vertices == VerticesWritten::kAll) sink.Fail("vertices", kNoResults);
    return;
  }
  if (content == SinkContent::kRows) {
    for (const JobSpec& job : jobs) {
      if (std::ranges::find(wanted, job.name) == wanted.end() || HasRows(job.parameters)) continue;
      sink.Fail("jobs", fmt::format("the results of job `{}` (kernel {}) have no rows, which "
                                    "`content: rows` needs; leave it out",
                                    job.name, KernelOf(job.parameters)));
    }
    return;
  }
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

}  // namespace sash
