#include "daemon/plugins/isolated_plugins.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "daemon/plugins/answer_stream.h"
#include "daemon/plugins/child_process.h"
#include "daemon/plugins/graph_image.h"
#include "daemon/plugins/plugin_description.h"
#include "daemon/plugins/plugin_file.h"
#include "windows/base/mutex.h"
#include "windows/base/parallel.h"

namespace sash {
namespace {

using RequestJson = nlohmann::json;

constexpr std::chrono::milliseconds kChildGlance{10};  // at the deadline
constexpr std::chrono::seconds kMostDescribing{10};

std::string ReplacedDump(const RequestJson& json) {
  return json.dump(-1, ' ', false, RequestJson::error_handler_t::replace);
}

PluginRun FailedRun(const PluginKernel& kernel, RunFault fault, std::string_view why) {
  return {.failure = RunFailure{fault, fmt::format("plug-in {}: {}", kernel.title, why)}};
}

// What a process has done until it is ended.
struct ChildStory {
  bool is_stopped = false;
  PluginComplaint garbage{};
  std::optional<std::string> death{};  // how it ended before it had answered
};

// Reads until `is_enough`, or until something is wrong. `goes_on` is asked every 10 ms.
template <typename Enough, typename GoesOn>
ChildStory FollowChild(ChildProcess& child, AnswerStream& stream, const Enough& is_enough,
                       const GoesOn& goes_on) {
  SteadyTime asked = std::chrono::steady_clock::now();
  while (!is_enough()) {
    const ChildProcess::Got got = child.Read(stream.bytes(), kChildGlance);
    if (got == ChildProcess::Got::kEnd) return {.death = child.HowItEnded()};
    if (PluginComplaint wrong = stream.TakeFrames()) return {.garbage = std::move(wrong)};
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now - asked < kChildGlance) continue;
    asked = now;
    if (!goes_on()) return {.is_stopped = true};
  }
  return {};
}

// What is known about a file, by the state in which it was described.
class DescribedPlugins {
 public:
  Result<std::shared_ptr<const PluginLibrary>> Describe(const std::string& file,
                                                        const std::stop_token& stop) {
    const PluginFileState state = StateOfPlugin(file);
    {
      const MutexLock lock(mutex_);
      const auto found = plugins_.find(file);
      if (found != plugins_.end() && found->second.first == state) return found->second.second;
    }
    Result<std::shared_ptr<const PluginLibrary>> asked = Ask(file, stop);
    if (!asked) return asked;
    const MutexLock lock(mutex_);
    plugins_.insert_or_assign(file, std::pair(state, asked.value()));
    return asked;
  }

  // Whether the file is as it was when this kernel was described.
  bool IsUnchanged(const PluginKernel& kernel) {
    const PluginFileState state = StateOfPlugin(kernel.file);
    const MutexLock lock(mutex_);
    const auto found = plugins_.find(kernel.file);
    return found != plugins_.end() && found->second.first == state &&
           found->second.second.get() == &kernel;
  }

 private:
  static Result<std::shared_ptr<const PluginLibrary>> Ask(const std::string& file,
                                                          const std::stop_token& stop) {
    const Result<TaskFile> task = WriteTask(ReplacedDump({{"file", file}}));
    if (!task) return task.error();
    Result<ChildProcess> child = ChildProcess::Start(task.value().descriptor());
    if (!child) return std::move(child).error();
    AnswerStream stream({});
    const SteadyTime until = std::chrono::steady_clock::now() + kMostDescribing;
    const ChildStory story = FollowChild(
        child.value(), stream, [&] { return stream.is_described() || stream.has_ended(); },
        [&] { return !stop.stop_requested() && std::chrono::steady_clock::now() < until; });
    const auto unusable = [](std::string why) {
      return Error{ErrorCode::kInvalidArgument, "cannot be used: " + std::move(why)};
    };
    if (stop.stop_requested()) return Error{ErrorCode::kUnavailable, "was stopped"};
    if (story.is_stopped) {
      return unusable("its process did not say within 10 s what it is: its constructors take long");
    }
    if (story.garbage) return unusable(*story.garbage);
    if (story.death) return unusable(*story.death);
    if (std::optional<RunFailure> failure = stream.TakeFailure()) {
      return Error{ErrorCode::kInvalidArgument, std::move(failure->why)};
    }
    return LibraryFrom(stream.description(), file);
  }

  Mutex mutex_;
  std::map<std::string, std::pair<PluginFileState, std::shared_ptr<const PluginLibrary>>> plugins_
      SASH_GUARDED_BY(mutex_);
};

DescribedPlugins& Described() {
  static DescribedPlugins plugins;
  return plugins;
}

std::string RequestOf(const PluginSetting& setting) {
  RequestJson values = RequestJson::object();
  for (const PluginParameter& each : setting.values) {
    std::visit([&](const auto& value) { values[each.name] = value; }, each.value);
  }
  return ReplacedDump({{"file", setting.kernel->file},
                       {"values", std::move(values)},
                       {"json", setting.json},
                       {"threads", ThreadCount(setting.threads)}});
}

class ProcessIsolation final : public PluginIsolation {
 public:
  PluginRun Run(const PluginSetting& setting, const VertexDictionary& keys,
                const KernelProgress& progress) const override {
    const PluginKernel& kernel = *setting.kernel;
    if (!Described().IsUnchanged(kernel)) {
      return FailedRun(kernel, RunFault::kPluginFailed,
                       fmt::format("`{}` has changed since it was loaded: reload the configuration",
                                   kernel.file));
    }
    AnswerStream stream({.output = kernel.table.output,
                         .vertices = VerticesOf(setting.view).size(),
                         .figures = kernel.figures.size()});
    const auto goes_on = [&] {
      const ReportFrame& report = stream.report();
      return !progress || progress(static_cast<int>(report.iteration), report.residual);
    };
    Result<ChildProcess> child = StartRun(setting, keys, goes_on);
    if (!child) {
      if (!goes_on()) return {.is_stopped = true};
      return FailedRun(kernel, RunFault::kPluginFailed, child.error().message);
    }
    bool has_begun = false;
    const auto is_enough = [&] {
      if (!has_begun && stream.has_begun()) progress.Begin(RunPhase::kComputing);
      has_begun = stream.has_begun();
      return stream.has_ended();
    };
    const ChildStory story = FollowChild(child.value(), stream, is_enough, goes_on);
    if (story.is_stopped) return {.is_stopped = true};
    if (story.garbage) return FailedRun(kernel, RunFault::kWrongAnswer, *story.garbage);
    if (story.death) return FailedRun(kernel, RunFault::kPluginDied, *story.death);
    return RunOf(stream, setting);
  }

 private:
  static Result<ChildProcess> StartRun(const PluginSetting& setting, const VertexDictionary& keys,
                                       const std::function<bool()>& goes_on) {
    const Result<TaskFile> task = WriteTask(RequestOf(setting), setting.view, keys, goes_on);
    if (!task) return task.error();
    return ChildProcess::Start(task.value().descriptor());
  }

  static PluginRun RunOf(AnswerStream& stream, const PluginSetting& setting) {
    const PluginKernel& kernel = *setting.kernel;
    if (std::optional<RunFailure> failure = stream.TakeFailure()) {
      const bool is_named = failure->why.starts_with("plug-in ");
      if (is_named) return {.failure = std::move(failure)};
      return FailedRun(kernel, failure->fault, failure->why);
    }
    PluginAnswerReader reader(kernel, setting.view);
    if (PluginComplaint wrong = stream.PutAnswer(setting.view, kernel, reader)) {
      return FailedRun(kernel, RunFault::kWrongAnswer, *wrong);
    }
    return {.answer = reader.Take(), .iterations = stream.iterations()};
  }
};

}  // namespace

Result<std::shared_ptr<const PluginLibrary>> DescribePlugin(const std::string& file,
                                                            const std::stop_token& stop) {
  return Described().Describe(file, stop);
}

std::shared_ptr<const PluginIsolation> IsolatedPlugins() {
  static const auto isolation = std::make_shared<const ProcessIsolation>();
  return isolation;
}

}  // namespace sash
