// The process as Linux accounts for it (/proc/self). Values that cannot be read are left out.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <locale>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

#include "daemon/metrics/part_samples.h"

namespace sash {
namespace {

// The fields of /proc/self/stat that are exported, in their order.
struct ProcessStat {
  double user_ticks = 0;
  double system_ticks = 0;
  double threads = 0;
  double start_ticks = 0;  // since boot
  double virtual_bytes = 0;
  double resident_pages = 0;
};

std::optional<ProcessStat> ReadStat() {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // The second field, the program's name, may hold any character, and ends with the last
  // parenthesis.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  fields.imbue(std::locale::classic());
  const auto skip = [&](int count) {
    for (std::string ignored; count > 0; --count) fields >> ignored;
  };
  ProcessStat stat;
  skip(11);  // fields 3 to 13
  fields >> stat.user_ticks >> stat.system_ticks;
  skip(4);
  fields >> stat.threads;
  skip(1);
  fields >> stat.start_ticks >> stat.virtual_bytes >> stat.resident_pages;
  if (!fields) return std::nullopt;
  return stat;
}

// Seconds since 1970 at which the machine was booted.
std::optional<double> ReadBootTime() {
  std::ifstream file("/proc/stat");
  std::string word;
  while (file >> word) {
    double seconds = 0;
    if (word == "btime" && file >> seconds) return seconds;
  }
  return std::nullopt;
}

// Read once: /proc/stat is long, and setting the clock does not change when the process started.
std::optional<double> BootTime() {
  static const std::optional<double> time = ReadBootTime();
  return time;
}

// The kernel counts them (since Linux 6.2). An older kernel says 0; then each is listed, which
// takes longer the more connections there are.
std::optional<double> OpenDescriptors() {
  struct stat folder {};
  if (stat("/proc/self/fd", &folder) == 0 && folder.st_size > 0) {
    return static_cast<double>(folder.st_size);
  }
  std::error_code error;
  std::filesystem::directory_iterator entries("/proc/self/fd", error);
  if (error) return std::nullopt;
  double count = -1;  // leaves out the one that reads the folder
  for (; entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    if (error) return std::nullopt;
    ++count;
  }
  return count;
}

}  // namespace

std::vector<MetricDescription> ProcessMetrics() {
  using enum MetricKind;
  const Labels none;
  return {
      {"sash_checkpoint_writes_total", kCounter, none, "Checkpoints that became durable."},
      {"sash_checkpoint_failures_total", kCounter, none,
       "Attempts to write a checkpoint, or a slice of one, that failed."},
      {"sash_checkpoint_seconds_total", kCounter, none,
       "Time spent on writing checkpoints, in a separate thread."},
      {"sash_checkpoint_written_bytes_total", kCounter, none, "Bytes written for checkpoints."},
      {"sash_checkpoint_bytes", kGauge, none, "Bytes of the newest checkpoint."},
      {"sash_checkpoint_waiting_slices", kGauge, none,
       "Slices that have closed and are not written yet."},
      {"sash_checkpoint_age_seconds", kGauge, none,
       "Time since the newest checkpoint held the whole state of the process, or since the start; "
       "near 0 while the stream is quiet."},
      {"sash_recovery_seconds", kGauge, none,
       "Time of recovery from a checkpoint at the start; 0 without one."},
      {"sash_journal_rounds_total", kCounter, none,
       "Rounds of the engine that were recorded in the journal."},
      {"sash_journal_written_bytes_total", kCounter, none, "Bytes written to the journal."},
      {"sash_journal_failures_total", kCounter, none,
       "Writes to the journal that failed; after a failure nothing is recorded until the next "
       "state."},

      {"sash_config_reloads_total",
       kCounter,
       {"result"},
       "Reloads of the configuration: applied (success), or wrong (failure)."},
      {"sash_config_last_reload_success", kGauge, none,
       "1 if the last reload was applied, or before the first."},

      {"sash_http_connections",
       kGauge,
       {"listener"},
       "Open connections to the API or to metrics_listen."},
      {"sash_http_evicted_connections_total",
       kCounter,
       {"listener"},
       "Connections that were closed because a new connection needed their place."},
      {"sash_http_refused_connections_total",
       kCounter,
       {"listener"},
       "Connections that were refused because their address had as many as allowed, each with a "
       "request in progress."},
      {"sash_http_refused_tokens_total",
       kCounter,
       {"reason"},
       "Requests that were refused because their token was missing or wrong."},

      {"sash_log_lines_total",
       kCounter,
       {"event"},
       "Lines of the log by event id, including lines that were held back."},
      {"sash_log_held_back_total",
       kCounter,
       {"event"},
       "Lines that were not written, because the event repeated (log.rate_limit)."},

      {"process_start_time_seconds", kGauge, none, "Start of the process, since 1970."},
      {"process_cpu_seconds_total", kCounter, none, "CPU time spent, user and system."},
      {"process_resident_memory_bytes", kGauge, none, "Resident memory."},
      {"process_virtual_memory_bytes", kGauge, none, "Virtual memory."},
      {"process_threads", kGauge, none, "Threads of the process."},
      {"process_open_fds", kGauge, none, "Open file descriptors."},
      {"process_max_fds", kGauge, none, "Most file descriptors the process may open."},
  };
}

void AddReloadSamples(const ReloadCounts& counts, MetricSamples& samples) {
  const SamplesOf set(samples);
  set("sash_config_last_reload_success", counts.last_succeeded);
  SamplesOf(samples, {"success"})("sash_config_reloads_total", counts.succeeded);
  SamplesOf(samples, {"failure"})("sash_config_reloads_total", counts.failed);
}

void AddHttpSamples(const HttpCounts& counts, MetricSamples& samples) {
  for (const HttpCounts::Listener& of : counts.listeners) {
    const SamplesOf set(samples, {of.name});
    set("sash_http_connections", of.open);
    set("sash_http_evicted_connections_total", of.evicted);
    set("sash_http_refused_connections_total", of.refused);
  }
  SamplesOf(samples, {"missing"})("sash_http_refused_tokens_total", counts.missing_tokens);
  SamplesOf(samples, {"wrong"})("sash_http_refused_tokens_total", counts.wrong_tokens);
}

void AddLogSamples(const std::vector<LogCounts>& counts, MetricSamples& samples) {
  for (const LogCounts& kind : counts) {
    const SamplesOf set(samples, {kind.event});
    set("sash_log_lines_total", kind.lines);
    set("sash_log_held_back_total", kind.held_back);
  }
}

void AddCheckpointSamples(const CheckpointCounts& counts, MetricSamples& samples) {
  const SamplesOf set(samples);
  set("sash_checkpoint_writes_total", counts.checkpoints);
  set("sash_checkpoint_failures_total", counts.failures);
  set("sash_checkpoint_seconds_total", counts.seconds);
  set("sash_checkpoint_written_bytes_total", counts.written);
  set("sash_checkpoint_bytes", counts.bytes);
  set("sash_checkpoint_waiting_slices", counts.waiting_slices);
  set("sash_checkpoint_age_seconds", counts.age_seconds);
  set("sash_recovery_seconds", counts.recovery_seconds);
}

void AddJournalSamples(const JournalFigures& figures, MetricSamples& samples) {
  const SamplesOf set(samples);
  set("sash_journal_rounds_total", figures.rounds);
  set("sash_journal_written_bytes_total", figures.bytes);
  set("sash_journal_failures_total", figures.failures);
}

void AddProcessSamples(MetricSamples& samples) {
  const SamplesOf set(samples);
  if (const auto stat = ReadStat()) {
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    if (const auto boot = BootTime()) {
      set("process_start_time_seconds", *boot + stat->start_ticks / ticks);
    }
    set("process_cpu_seconds_total", (stat->user_ticks + stat->system_ticks) / ticks);
    set("process_resident_memory_bytes",
        stat->resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE)));
    set("process_virtual_memory_bytes", stat->virtual_bytes);
    set("process_threads", stat->threads);
  }
  if (const auto open = OpenDescriptors()) set("process_open_fds", *open);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    set("process_max_fds", limit.rlim_cur);
  }
}

}  // namespace sash
