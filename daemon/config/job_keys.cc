#include <fmt/format.h>

#include "daemon/config/item_names.h"
#include "daemon/config/job_rows.h"
#include "daemon/config/plugin_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

const KeyRows<BaselineSpec>& BaselineRows() {
  using Key = KeyRow<BaselineSpec>;
  static const KeyRows<BaselineSpec> rows = {
      Key("window", &BaselineSpec::window, TextForm{kName, "the name of a window", ParseName},
          "The newest result of the same kernel, with the same parameters, on this window, that "
          "ends at or before the result. A job must run there. The window counts by the same axis.",
          kOptional, kLive)
          .Range("the name of another window"),
      Key("results", &BaselineSpec::results, WholeNumber{1, 1000},
          "The mean of this number of results of the job itself, before the result.", kOptional,
          kLive),
  };
  return rows;
}

// Exactly one of its keys.
struct BaselineForm {
  std::vector<Shape> Shapes() const { return {Words{{"none"}}, SectionShape{"jobs[].baseline"}}; }
  void Read(const Section& job, const KeySpec& key, std::optional<BaselineSpec>& baseline) const {
    if (!job.Has(key.name)) return;
    const YamlNode& node = *job.At(key.name).node;
    if (node.kind == YamlNode::Kind::kScalar && node.text == "none") return;
    const Section section = job.Child(key.name, "jobs[].baseline");
    ReadRows(section, BaselineRows(), baseline.emplace());
    if (section.Has("window") == section.Has("results")) {
      job.Fail(key.name, "must be {window: NAME} or {results: N}, exactly one of them");
      baseline.reset();
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::optional<BaselineSpec>& baseline) const {
    std::string text = "none";
    if (baseline && baseline->window.empty()) {
      text = fmt::format("{{results: {}}}", baseline->results);
    } else if (baseline) {
      text = fmt::format("{{window: {}}}", Quote(baseline->window));
    }
    out.Line(depth, key.name, text);
  }
};

// The kernel is printed with its parameters, after the window.
KeyRows<JobSpec, JobContext> WhatRuns() {
  using Key = KeyRow<JobSpec, JobContext>;
  return {
      Key("name", &JobSpec::name, TextForm{kName, "a name that is unique in this list", ParseName},
          "Unique among jobs; part of URLs and metric labels.", kRequired, kLive)
          .ReadBy([](const Section& job, JobSpec& spec, JobContext& context) {
            ReadDistinctName(job, context.names, spec.name);
          }),
      Key(
          {"kernel",
           {Words{{kKernels.begin(), kKernels.end()}}},
           "What the job computes.",
           kRequired,
           kLive},
          [](const Section& job, JobSpec& /*spec*/, JobContext& context) {
            std::string kernel;
            if (job.Require("kernel", kernel, fmt::format("one of {}", KernelNames()),
                            ParseKernel)) {
              context.kernel = std::move(kernel);
            }
          },
          nullptr,
          [](const JobSpec& a, const JobSpec& b) {
            return a.parameters.index() == b.parameters.index();
          }),
      Key("window", &JobSpec::window, TextForm{kName, "the name of a window", ParseName},
          "The name of the window it runs on.", kRequired, kLive)
          .Range("the name of a window")
          .ReadBy([](const Section& job, JobSpec& spec, JobContext& context) {
            RequireNameOf(job, "window", context.windows, spec.window);
          }),
      // Read, printed and compared with the parameters.
      {{"plugin",
        {kFile},
        "Only with `kernel: plugin`, and required there: the shared object of the kernel, in a "
        "folder of `plugins`; windows/jobs/plugins.md describes how to write one.",
        kOptional,
        kLive,
        "required",
        "the path of a file"},
       nullptr,
       nullptr,
       nullptr},
      {{"isolate",
        {Flag{}},
        "Only with `kernel: plugin`: whether it runs in a process of its own. sashd ends that "
        "process when it is late, and continues when the process crashes. The process gets a copy "
        "of the window.",
        kOptional,
        kLive},
       nullptr,
       nullptr,
       nullptr},
      Key(
          {"parameters",
           {KernelParameters{}},
           "Parameters of the kernel; the keys differ by kernel."},
          [](const Section& job, JobSpec& spec, JobContext& context) {
            if (!context.kernel) return;
            if (*context.kernel == PluginParameters::kKernel) {
              spec.parameters = ReadPlugin(job);
              return;
            }
            RefusePluginKeys(job, *context.kernel);
            spec.parameters = ReadParameters(job, *context.kernel, context.keys);
          },
          [](YamlPrinter& out, int /*depth*/, const JobSpec& job) {
            PrintKernel(out, job.parameters);
          },
          [](const JobSpec& a, const JobSpec& b) {
            YamlPrinter left;
            YamlPrinter right;
            PrintKernel(left, a.parameters);
            PrintKernel(right, b.parameters);
            return left.Take() == right.Take();
          }),
  };
}

KeyRows<JobSpec, JobContext> HowItRuns() {
  using Key = KeyRow<JobSpec, JobContext>;
  return {
      VisibilityRow(),
      EveryRow(),
      ThreadsRow(),
      DeadlineRow(),
      OverrunRow(),
      Key("baseline", &JobSpec::baseline, BaselineForm{},
          "What results are compared with, by kernels with scores. Each row then has its score and "
          "rank there, and its surprise: (score * vertices + 1) / (score there * vertices there + "
          "1).",
          kLive)
          .Range("none, {window: NAME} or {results: 1 to 1000}"),
      Key("order", &JobSpec::order,
          OneOf<ListOrder>{{"score", ListOrder::kScore}, {"surprise", ListOrder::kSurprise}},
          "The order of the list. surprise: greatest first; needs a baseline. While there is "
          "nothing to compare with, the list is ordered by score.",
          kLive),
      Key("top", &JobSpec::top, WholeNumber{1, 1'000'000},
          "How many vertices (or sets of vertices, or changed edges) a result lists.", kLive),
      Key("keep_results", &JobSpec::keep_results, WholeNumber{1, 100'000},
          "How many results are kept in memory for the API.", kLive),
      Key("keep_vectors", &JobSpec::keep_vectors, WholeNumber{0, 10'000},
          "The number of these results of which the values of all vertices are kept too, for the "
          "history "
          "of a vertex: 12 bytes for each vertex and result. Not for kernels without values of "
          "vertices.",
          kLive),
  };
}

const KeyRows<JobSpec, JobContext>& JobTable() {
  static const KeyRows<JobSpec, JobContext> rows = [] {
    KeyRows<JobSpec, JobContext> all = WhatRuns();
    for (auto& row : HowItRuns()) all.push_back(std::move(row));
    return all;
  }();
  return rows;
}

void RequireDeadline(const Section& job) {
  static constexpr std::string_view kGive =
      "give the time that workers have for a run, such as 20s";
  if (!job.Has("deadline")) {
    job.Fail("deadline", fmt::format("is required with `kernel: external`: {}", kGive));
  } else if (job.At("deadline").node->text == "none") {
    job.Fail("deadline", fmt::format("must not be `none` with `kernel: external`; {}", kGive));
  }
}

void CheckVectors(const Section& job, const JobSpec& spec) {
  if (spec.keep_vectors == 0) return;
  if (!HasVectors(spec.parameters)) {
    job.Fail("keep_vectors",
             "needs a kernel whose results are one list of vertices or sets; use 0");
  }
  if (spec.keep_vectors > spec.keep_results) {
    job.Fail("keep_vectors",
             fmt::format("keeps the values of {} results, but only {} are kept; raise keep_results "
                         "to at least {}",
                         spec.keep_vectors, spec.keep_results, spec.keep_vectors));
  }
}

void CheckBaseline(const Section& job, const JobSpec& spec) {
  if (spec.order == ListOrder::kSurprise && !job.Has("baseline")) {
    job.Fail("order",
             "is `surprise`, which needs a baseline; add baseline: {window: NAME} or "
             "{results: N}");
  }
  if (!spec.baseline) return;
  if (!HasScores(spec.parameters)) {
    job.Fail("baseline", fmt::format("needs a kernel that gives vertices scores, such as pagerank, "
                                     "degree or strength; {} does not",
                                     KernelOf(spec.parameters)));
  }
  if (spec.baseline->results > spec.keep_results) {
    job.Fail("baseline",
             fmt::format("compares with {} results, but only {} are kept; raise "
                         "keep_results to at least {}",
                         spec.baseline->results, spec.keep_results, spec.baseline->results));
  }
}

}  // namespace

JobSpec ReadJob(const Section& job, KeyKind keys, const std::vector<std::string>& windows,
                std::vector<std::string>& names) {
  JobSpec spec;
  JobContext context{keys, windows, names, std::nullopt};
  ReadRows(job, JobTable(), spec, context);
  if (IsExternal(spec.parameters) && !spec.deadline) RequireDeadline(job);
  if (context.kernel) {
    CheckBaseline(job, spec);
    CheckVectors(job, spec);
    CheckLive(job, spec);
  }
  return spec;
}

void PrintJob(YamlPrinter& out, int depth, const JobSpec& job) {
  PrintRows(out, depth, JobTable(), job);
}

bool SameJob(const JobSpec& a, const JobSpec& b) { return SameRows(JobTable(), a, b); }

std::vector<SectionSpec> JobSections() {
  return {SectionFrom("jobs[]", JobTable()), OverrunSection(),
          SectionFrom("jobs[].baseline", BaselineRows(), {"window", "results"})};
}

std::vector<JobSpec> ReadJobs(const Section& root, KeyKind keys) {
  const std::vector<std::string> windows = WrittenNames(root, "windows");
  std::vector<JobSpec> jobs;
  std::vector<std::string> names;
  for (const Place& item : root.Items("jobs", "a list of jobs")) {
    jobs.push_back(ReadJob(Section(item, "jobs[]", root.errors()), keys, windows, names));
  }
  return jobs;
}

}  // namespace sash
