#include "daemon/generate/generate_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "connectors/sinks/time_text.h"
#include "daemon/generate/file_output.h"
#include "daemon/generate/pacer.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t kBatch = 4096;  // edges between two checks of the clock and the flag
constexpr milliseconds kPacedBatch{5};  // and the least time between two wake-ups

constinit StopFlag stop_requested{false};

void OnStopSignal(int) { stop_requested.store(true); }

void SayOnStandardError(std::string_view line) { fmt::print(stderr, "sash-generate: {}\n", line); }

// SA_RESETHAND: a second signal ends the process at once. No SA_RESTART: waits notice the signal.
void InstallSignals() {
  struct sigaction action {};
  action.sa_handler = OnStopSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);  // a write() to a reader that has gone returns an error
  ::signal(SIGXFSZ, SIG_IGN);  // so does a write to a file at its size limit
}

// One line a second.
class ProgressLines {
 public:
  ProgressLines(bool wanted, SteadyTime start) : wanted_(wanted), last_(start) {}

  void Look(SteadyTime now, std::uint64_t emitted, std::int64_t time_ms, std::uint64_t waiting) {
    if (!wanted_ || now - last_ < seconds(1)) return;
    const double passed = std::chrono::duration<double>(now - last_).count();
    SayOnStandardError(
        fmt::format("{} edges, {:.0f} a second, event time {}, {} waiting for delivery", emitted,
                    static_cast<double>(emitted - last_emitted_) / passed,
                    TimeText(EventTime(milliseconds(time_ms))), waiting));
    last_ = now;
    last_emitted_ = emitted;
  }

 private:
  bool wanted_;
  SteadyTime last_;
  std::uint64_t last_emitted_ = 0;
};

class Emission {
 public:
  Emission(const GenerateOptions& options, RecordOutput& output, const StopFlag& stop)
      : output_(output),
        stop_(stop),
        stream_(options.stream),
        writer_(options.records, options.stream),
        end_(options.edges == 0 ? std::numeric_limits<std::uint64_t>::max() : options.edges),
        start_(std::chrono::steady_clock::now()),
        progress_(options.progress, start_) {
    if (options.rate > 0) pacer_.emplace(options.rate, start_);
  }

  Status Run() {
    while (stream_.emitted() < end_ && !stop_.load()) {
      const SteadyTime now = std::chrono::steady_clock::now();
      const std::uint64_t due = pacer_ ? std::min(end_, pacer_->DueBy(now)) : end_;
      Result<Taken> taken = EmitUntil(std::min(due, stream_.emitted() + kBatch));
      if (!taken) return std::move(taken).error();
      if (taken.value() == Taken::kClosed) break;
      progress_.Look(now, stream_.emitted(), time_ms_, output_.waiting());
      if (pacer_ && stream_.emitted() >= due && due < end_) {
        SleepBriefly(std::max(pacer_->DueAt(due), now + kPacedBatch));
      }
    }
    return output_.Finish();
  }

 private:
  Result<Taken> EmitUntil(std::uint64_t due) {
    while (stream_.emitted() < due) {
      const std::uint64_t number = stream_.emitted();
      const GeneratedEdge edge = stream_.Next();
      const std::string_view text = writer_.Write(edge);
      time_ms_ = edge.time_ms;
      Result<Taken> taken = output_.Write({number, edge.time_ms, writer_.source_key(), text});
      if (!taken || taken.value() == Taken::kClosed) return taken;
    }
    // Unpaced, full blocks leave by themselves; paced, a reader waits for each edge.
    return pacer_ || output_.waiting() > 0 ? output_.Flush() : Result<Taken>(Taken::kYes);
  }

  RecordOutput& output_;
  const StopFlag& stop_;
  EdgeStream stream_;
  RecordWriter writer_;
  std::uint64_t end_;
  SteadyTime start_;
  std::optional<Pacer> pacer_;
  ProgressLines progress_;
  std::int64_t time_ms_ = 0;
};

Result<std::unique_ptr<RecordOutput>> Open(const GenerateOptions& options, const StopFlag& stop) {
  if (options.kafka) return OpenKafkaOutput(*options.kafka, stop, SayOnStandardError);
  const RecordWriter writer(options.records, options.stream);
  return FileOutput::Open(options.path, options.header ? writer.Header() : "", stop);
}

}  // namespace

Status Generate(GenerateOptions options, const Clock& clock, const StopFlag& stop) {
  Result<std::unique_ptr<RecordOutput>> output = Open(options, stop);
  if (!output) {
    if (stop.load()) return Ok{};  // asked to stop while waiting for the broker
    return std::move(output).error();
  }
  if (options.start_now) {
    options.stream.start = std::chrono::floor<milliseconds>(clock.Now()).time_since_epoch();
  }
  return Emission(options, *output.value(), stop).Run();
}

int RunGenerate(int argc, const char* const* argv) {
  ParsedCommandLine parsed = ParseCommandLine(argc, argv);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  InstallSignals();
  const Status done =
      Generate(std::get<GenerateOptions>(std::move(parsed)), SystemClock(), stop_requested);
  if (done) return 0;
  SayOnStandardError(done.error().message);
  return 1;
}

}  // namespace sash
