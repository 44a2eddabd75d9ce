#include <fmt/format.h>

#include <algorithm>

#include "daemon/config/nearest_key.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

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
  section.Require("queue", overrun.queue);
}

}  // namespace

JobSpec ReadJob(const Section& job, KeyKind keys, const std::vector<std::string>& windows,
                std::vector<std::string>& names) {
  JobSpec spec;
  ReadDistinctName(job, names, spec.name);
  std::string kernel;
  const bool kernel_known =
      job.Require("kernel", kernel, fmt::format("one of {}", KernelNames()), ParseKernel);
  job.Require("window", spec.window, "the name of a window",
              [&](std::string_view text) -> Result<std::string> {
                // Without any window the list of windows is reported, and that is enough.
                if (windows.empty() || std::ranges::find(windows, text) != windows.end()) {
                  return std::string(text);
                }
                const std::vector<std::string_view> words(windows.begin(), windows.end());
                return Wrong(fmt::format("there is no window `{}`{}; windows: {}", text,
                                         Suggestion(text, words), SomeOf(windows)));
              });
  if (kernel_known) spec.parameters = ReadParameters(job, kernel, keys);
  job.Read("every", spec.every);
  job.ReadOr("threads", spec.threads, {{"all", 0}});
  job.ReadOr("deadline", spec.deadline, {{"none", std::nullopt}});
  ReadOverrun(job, spec.overrun);
  job.Read("top", spec.top);
  job.Read("keep_results", spec.keep_results);
  return spec;
}

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
