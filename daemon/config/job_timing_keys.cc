#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <limits>
#include <utility>
#include <vector>

#include "daemon/config/job_rows.h"
#include "daemon/config/scalar_text.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kUsualLiveEvery{1};
constexpr std::chrono::milliseconds kLeastLiveEvery{10};

const KeyRows<OverrunPolicy>& OverrunRows() {
  using Key = KeyRow<OverrunPolicy>;
  static const KeyRows<OverrunPolicy> rows = {
      Key("queue", &OverrunPolicy::queue, WholeNumber{1, 1'000'000}, "How many advances may wait.",
          kRequired, kLive),
  };
  return rows;
}

struct OverrunForm {
  std::vector<Shape> Shapes() const { return {Words{{"skip"}}, SectionShape{"jobs[].overrun"}}; }
  void Read(const Section& job, const KeySpec& key, OverrunPolicy& overrun) const {
    static constexpr std::string_view kForms = "skip or {queue: n}";
    if (!job.Has(key.name)) return;
    const Place place = job.At(key.name);
    if (place.node->kind == YamlNode::Kind::kMapping) {
      ReadRows(job.Child(key.name, "jobs[].overrun"), OverrunRows(), overrun);
      return;
    }
    ReadAt(
        place, overrun.queue, kForms,
        [](std::string_view text) -> Result<std::size_t> {
          if (text == "skip") return std::size_t{0};
          return Wrong(fmt::format("must be {}, not `{}`", kForms, text));
        },
        job.errors());
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const OverrunPolicy& overrun) const {
    out.Line(depth, key.name,
             overrun.queue == 0 ? "skip" : fmt::format("{{queue: {}}}", overrun.queue));
  }
  bool Same(const OverrunPolicy& a, const OverrunPolicy& b) const {
    return SameRows(OverrunRows(), a, b);
  }
};

void ReadLiveEvery(const Section& job, std::chrono::nanoseconds& every) {
  if (!job.Has("every")) return;
  std::size_t advances = 0;
  const std::string& text = job.At("every").node->text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), advances);
  if (error == std::errc() && end == text.data() + text.size()) {
    return job.Fail("every",
                    "counts advances, on which a live job never runs; give a time such as 1s");
  }
  std::chrono::nanoseconds given{};
  if (!job.Read("every", given, "a time such as 1s", ParseDuration)) return;
  if (given < kLeastLiveEvery) return job.Fail("every", "is too small; give at least 10ms");
  every = given;
}

}  // namespace

JobRow VisibilityRow() {
  const KeySpec key{
      "visibility",
      {Words{{"published", "live"}}},
      "published: the job runs on the advances of its window. live: on its live view, between "
      "advances, so its results are not final; they go to the API, to events and to sinks with "
      "`partial: true`, and to no alert. The window needs `live: true`.",
      kOptional,
      kLive,
      "published"};
  return {key,
          [](const Section& job, JobSpec& spec, JobContext& /*context*/) {
            bool is_live = false;
            job.Choose("visibility", is_live,
                       std::vector<std::pair<std::string_view, bool>>{{"published", false},
                                                                      {"live", true}});
            if (is_live) spec.live_every = kUsualLiveEvery;
          },
          [](YamlPrinter& out, int depth, const JobSpec& job) {
            out.Line(depth, "visibility", IsLive(job) ? "live" : "published");
          },
          [](const JobSpec& a, const JobSpec& b) { return IsLive(a) == IsLive(b); }};
}

JobRow EveryRow() {
  const KeySpec key{"every",
                    {WholeNumber{1, std::numeric_limits<std::uint32_t>::max()}, TimeSpan{false}},
                    "Runs when window end / slide, rounded down, is a multiple of this. With "
                    "`visibility: live` a time: how often the job runs, if the window has read "
                    "more since; while a run is under way, the next one waits.",
                    kOptional,
                    kLive,
                    "1; with `visibility: live` 1s",
                    "1 to 4294967295; with `visibility: live` 10ms to 7300d"};
  return {key,
          [](const Section& job, JobSpec& spec, JobContext& /*context*/) {
            if (IsLive(spec)) return ReadLiveEvery(job, *spec.live_every);
            if (job.Has("every") && ParseDuration(job.At("every").node->text)) {
              return job.Fail("every", "is a time, which needs `visibility: live`");
            }
            job.Read("every", spec.every);
          },
          [](YamlPrinter& out, int depth, const JobSpec& job) {
            out.Line(depth, "every",
                     IsLive(job) ? FormatDuration(*job.live_every) : std::to_string(job.every));
          },
          [](const JobSpec& a, const JobSpec& b) {
            return a.every == b.every && a.live_every == b.live_every;
          }};
}

JobRow ThreadsRow() {
  return JobRow("threads", &JobSpec::threads, OrWord{WholeNumber{1, 1024}, "all", 0},
                "How many threads a run takes. all: the cores of the machine.", kLive);
}

JobRow DeadlineRow() {
  return JobRow("deadline", &JobSpec::deadline,
                OrWord{TimeSpan{.zero = false}, "none", std::nullopt},
                "A run that takes longer is cancelled.", kLive);
}

JobRow OverrunRow() {
  return JobRow("overrun", &JobSpec::overrun, OverrunForm{},
                "If the job is still running at an advance. skip: only the newest window waits for "
                "it; {queue: n}: up to n windows wait, and then reading of the stream waits.",
                kLive)
      .Range("skip, or queue 1 to 1000000");
}

SectionSpec OverrunSection() { return SectionFrom("jobs[].overrun", OverrunRows()); }

void CheckLive(const Section& job, const JobSpec& spec) {
  if (!IsLive(spec)) return;
  const std::string kernel(KernelOf(spec.parameters));
  if (TraitsOfJob(spec.parameters).compares_windows) {
    job.Fail("visibility", fmt::format("is live, but kernel {} compares published windows; give "
                                       "another kernel, or leave it out",
                                       kernel));
  }
  if (IsExternal(spec.parameters)) {
    job.Fail("visibility",
             "is live, but workers of external jobs read frozen snapshots, which are of published "
             "windows; leave it out");
  }
  if (spec.baseline) {
    job.Fail("baseline", "cannot be combined with `visibility: live`; remove one of them");
  }
  if (spec.overrun.queue > 0) {
    job.Fail("overrun", "is for advances, on which a live job never runs; leave it out");
  }
}

}  // namespace sash
