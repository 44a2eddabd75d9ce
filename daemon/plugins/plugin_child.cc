#include "daemon/plugins/plugin_child.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/plugins/answer_frames.h"
#include "daemon/plugins/child_process.h"
#include "daemon/plugins/plugin_description.h"
#include "daemon/plugins/plugin_file.h"
#include "daemon/plugins/read_task.h"
#include "windows/jobs/plugin/plugin_call.h"

namespace sash {
namespace {

using TaskJson = nlohmann::json;

constexpr std::chrono::milliseconds kReportEvery{10};

// Without a reader the process is ended by SIGPIPE.
void WriteAll(const void* from, std::size_t bytes) {
  const auto* next = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    const ssize_t count = ::write(kChildAnswer, next, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ::_exit(EXIT_FAILURE);
    next += count;
    bytes -= static_cast<std::size_t>(count);
  }
}

void SendFrame(FrameKind kind, const void* content, std::size_t bytes) {
  const FrameHeader header{.kind = kind, .bytes = bytes};
  WriteAll(&header, sizeof(header));
  WriteAll(content, bytes);
}

template <typename Element>
void SendAll(FrameKind kind, const std::vector<Element>& all) {
  SendFrame(kind, all.data(), all.size() * sizeof(Element));
}

int SendFailure(RunFault fault, const std::string& why) {
  std::string content(1, static_cast<char>(fault));
  content += why;
  SendFrame(FrameKind::kFailure, content.data(), content.size());
  return EXIT_FAILURE;
}

// The values of parameters, in their types.
std::vector<PluginParameter> ValuesIn(const TaskJson& request) {
  std::vector<PluginParameter> values;
  for (const auto& [name, value] : request.at("values").items()) {
    PluginParameter parameter{.name = name};
    if (value.is_boolean()) parameter.value = value.get<bool>();
    if (value.is_number_float()) parameter.value = value.get<double>();
    if (value.is_number_integer()) parameter.value = value.get<std::int64_t>();
    if (value.is_string()) parameter.value = value.get<std::string>();
    values.push_back(std::move(parameter));
  }
  return values;
}

void SendAnswer(std::uint32_t output, const PluginAnswer& answer) {
  switch (output) {
    case SASH_SETS:
      return SendAll(FrameKind::kSets, answer.sets);
    case SASH_DEPTHS:
      return SendAll(FrameKind::kDepths, answer.depths);
    case SASH_EDGES:
      return SendAll(FrameKind::kEdges, answer.edges);
    default:
      return SendAll(FrameKind::kScores, answer.scores);
  }
}

int RunTask(ReadTask task, const TaskJson& request,
            const std::shared_ptr<const PluginLibrary>& library) {
  SendFrame(FrameKind::kBegun, nullptr, 0);
  PluginCall call({.kernel = library,
                   .values = ValuesIn(request),
                   .json = request.at("json").get<std::string>(),
                   .advance = nullptr,
                   .view = std::move(task.view),
                   .threads = request.at("threads").get<int>()},
                  *task.keys);
  std::thread thread([&] { call.Run(); });
  ReportFrame sent;
  while (!call.AwaitEnd(kReportEvery)) {
    const PluginCall::Report report = call.report();
    if (report.iteration == sent.iteration && report.residual == sent.residual) continue;
    sent = {.residual = report.residual, .iteration = report.iteration};
    SendFrame(FrameKind::kProgress, &sent, sizeof(sent));
  }
  thread.join();
  if (const std::optional<RunFailure> failure = call.TakeFailure()) {
    return SendFailure(failure->fault, failure->why);
  }
  const PluginAnswer answer = call.TakeAnswer();
  SendAnswer(library->table.output, answer);
  std::vector<double> figures;
  for (const std::optional<double>& figure : answer.figures) {
    figures.push_back(figure.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  SendAll(FrameKind::kFigures, figures);
  const std::int32_t iterations = call.report().iteration;
  SendFrame(FrameKind::kEnd, &iterations, sizeof(iterations));
  return EXIT_SUCCESS;
}

int DoTask() {
  Result<ReadTask> task = ReadTaskFile(kChildTask);
  if (!task) return SendFailure(RunFault::kPluginFailed, task.error().message);
  const TaskJson request = TaskJson::parse(task.value().request);
  const auto file = request.at("file").get<std::string>();
  if (const Result<std::string> permitted = PermittedPlugin(file, {file}); !permitted) {
    return SendFailure(RunFault::kPluginFailed, permitted.error().message);
  }
  const Result<std::shared_ptr<const PluginLibrary>> library = LoadPluginLibrary(file);
  if (!library) return SendFailure(RunFault::kPluginFailed, library.error().message);
  const std::string description = DescriptionOf(*library.value());
  SendFrame(FrameKind::kDescription, description.data(), description.size());
  if (task.value().keys == nullptr) return EXIT_SUCCESS;
  return RunTask(std::move(task).value(), request, library.value());
}

}  // namespace

bool IsPluginChild(int argc, char** argv) {
  return argc == 3 && std::string_view(argv[1]) == kPluginChild;
}

int RunPluginChild(char** argv) {
  // When sashd ends, however it ends, so does this process. It may have ended already.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::to_string(::getppid()) != argv[2]) ::_exit(EXIT_FAILURE);
  ::prctl(PR_SET_NAME, "sashd-plugin");
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  (void)::setrlimit(RLIMIT_CORE, &none);             // not with each run
  std::ofstream("/proc/self/oom_score_adj") << 500;  // when memory is short, this ends, not sashd
  const int code = DoTask();
  ::_exit(code);  // without the destructors of the plug-in
}

}  // namespace sash
