#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

constexpr std::array<std::string_view, 3> kKernels = {"pagerank", "bfs", "window"};
constexpr std::array<std::string_view, 10> kPlannedKernels = {
    "wcc",   "sssp",   "triangles", "lcc",       "cdlp",
    "kcore", "degree", "fanout",    "new_edges", "vanished_edges"};

Result<std::string> ParseKernel(std::string_view text) {
  if (std::ranges::find(kKernels, text) != kKernels.end()) return std::string(text);
  const bool planned = std::ranges::find(kPlannedKernels, text) != kPlannedKernels.end();
  return Wrong(fmt::format("`{}` is {}; available: {}{}", text,
                           planned ? "not available yet" : "no known kernel", WithCommas(kKernels),
                           planned ? "" : Suggestion(text, kKernels)));
}

PageRankParameters ReadPageRank(const Section& section) {
  PageRankParameters parameters;
  section.Read(
      "damping", parameters.damping, "a number from 0 to below 1",
      [](std::string_view text) -> Result<double> {
        Result<double> value = ReadReal(text);
        if (value && (value.value() < 0 || value.value() >= 1)) {
          return Wrong(fmt::format(
              "`{}` is out of range; give a number from 0 to below 1, such as 0.85", text));
        }
        return value;
      });
  section.Read("tolerance", parameters.tolerance, "a number of at least 0, such as 1e-6",
               [](std::string_view text) -> Result<double> {
                 Result<double> value = ReadReal(text);
                 if (value && value.value() < 0) {
                   return Wrong(fmt::format(
                       "`{}` is out of range; give a number of at least 0, such as 1e-6", text));
                 }
                 return value;
               });
  section.Read("max_iterations", parameters.max_iterations, "a whole number such as 100",
               IntegerBetween{1, 1'000'000});
  return parameters;
}

Result<VertexKey> ParseRoot(std::string_view text, KeyKind keys) {
  if (keys == KeyKind::kInteger) {
    Result<std::int64_t> key = ReadInteger(text);
    if (key) return VertexKey(key.value());
    return Wrong(key.error().message + "; with `keys: integer` every root is a 64-bit integer");
  }
  if (text.empty()) return Wrong("must not be empty; a vertex key has at least one character");
  return VertexKey(std::string(text));
}

BfsParameters ReadBfs(const Section& section, KeyKind keys) {
  BfsParameters parameters;
  static constexpr std::string_view kRoots = "a list of vertex keys, such as [alice]";
  section.Choose("direction", parameters.direction,
                 {{"out", TraversalDirection::kOut},
                  {"in", TraversalDirection::kIn},
                  {"both", TraversalDirection::kBoth}});
  section.Read("separate", parameters.separate, "true or false", ParseBool);
  if (!section.Has("roots")) {
    section.FailMissing("roots", fmt::format("give {}", kRoots));
    return parameters;
  }
  const Place place = section.At("roots");
  if (place.node->kind == YamlNode::Kind::kEmpty ||
      (place.node->kind == YamlNode::Kind::kList && place.node->items.empty())) {
    section.Fail("roots", fmt::format("is empty; give {}", kRoots));
  }
  for (const Place& item : section.Items("roots", kRoots)) {
    VertexKey root;
    if (ReadAt(
            item, root, "a vertex key (in quotes if it is the text null or ~)",
            [&](std::string_view text) { return ParseRoot(text, keys); }, section.errors())) {
      parameters.roots.push_back(std::move(root));
    }
  }
  return parameters;
}

JobParameters ReadParameters(const Section& job, const std::string& kernel, KeyKind keys) {
  static const YamlNode empty;
  Place place = job.At("parameters");
  if (place.node == nullptr) place.node = &empty;
  const Section parameters(place, fmt::format("jobs[].parameters<{}>", kernel), job.errors());
  if (kernel == PageRankParameters::kKernel) return ReadPageRank(parameters);
  if (kernel == BfsParameters::kKernel) return ReadBfs(parameters, keys);
  return ShapeParameters{};
}

void ReadOverrun(const Section& job, OverrunPolicy& overrun) {
  static constexpr std::string_view kForms = "skip or {queue: n}";
  if (!job.Has("overrun")) return;
  const Place place = job.At("overrun");
  if (place.node->kind != YamlNode::Kind::kMapping) {
    ReadAt(
        place, overrun.queue, kForms,
        [](std::string_view text) -> Result<std::size_t> {
          if (text == "skip") return std::size_t{0};
          return Wrong(fmt::format("must be {}, not `{}`", kForms, text));
        },
        job.errors());
    return;
  }
  const Section section = job.Child("overrun", "jobs[].overrun");
  section.Require("queue", overrun.queue, "a number of advances that may wait",
                  IntegerBetween{1, 1'000'000});
}

Result<int> ParseThreads(std::string_view text) {
  if (text == "all") return 0;
  const Result<std::int64_t> threads = IntegerBetween{1, 1024}(text);
  if (!threads) return Wrong(threads.error().message + ", or all");
  return static_cast<int>(threads.value());
}

Result<std::optional<Duration>> ParseDeadline(std::string_view text) {
  if (text == "none") return std::optional<Duration>();
  Result<Duration> deadline = kPositiveDuration(text);
  if (!deadline) return std::move(deadline).error();
  return std::optional(deadline.value());
}

JobSpec ReadJob(const Section& job, KeyKind keys, const std::vector<std::string>& windows,
                std::vector<std::string>& names) {
  JobSpec spec;
  ReadDistinctName(job, names, spec.name);
  std::string kernel;
  const bool kernel_known =
      job.Require("kernel", kernel, fmt::format("one of {}", WithCommas(kKernels)), ParseKernel);
  job.Require("window", spec.window, "the name of a window",
              [&](std::string_view text) -> Result<std::string> {
                // Without any window the list of windows is reported, and that is enough.
                if (windows.empty() || std::ranges::find(windows, text) != windows.end()) {
                  return std::string(text);
                }
                const std::vector<std::string_view> words(windows.begin(), windows.end());
                return Wrong(fmt::format("there is no window `{}`{}; windows: {}", text,
                                         Suggestion(text, words), WithCommas(windows)));
              });
  if (kernel_known) spec.parameters = ReadParameters(job, kernel, keys);
  job.Read("every", spec.every, "a whole number of advances",
           IntegerBetween{1, std::numeric_limits<std::uint32_t>::max()});
  job.Read("threads", spec.threads, "a whole number from 1 to 1024, or all", ParseThreads);
  job.Read("deadline", spec.deadline, "a duration such as 30s, or none", ParseDeadline);
  ReadOverrun(job, spec.overrun);
  job.Read("top", spec.top, "a whole number", IntegerBetween{1, 1'000'000});
  job.Read("keep_results", spec.keep_results, "a whole number", IntegerBetween{1, 100'000});
  return spec;
}

}  // namespace

std::vector<std::string> WrittenNames(const Section& root, std::string_view key) {
  std::vector<std::string> names;
  if (!root.Has(key)) return names;
  for (const YamlNode& item : root.At(key).node->items) {
    for (const YamlEntry& entry : item.entries) {
      if (entry.key == "name" && entry.value.kind == YamlNode::Kind::kScalar) {
        names.push_back(entry.value.text);
      }
    }
  }
  return names;
}

void ReadDistinctName(const Section& item, std::vector<std::string>& taken, std::string& name) {
  if (!item.Require("name", name, "a name that is unique in this list", ParseName)) return;
  if (std::ranges::find(taken, name) != taken.end()) {
    item.Fail(
        "name",
        fmt::format("`{}` is taken by an earlier item of this list; give another name", name));
  }
  taken.push_back(name);
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
