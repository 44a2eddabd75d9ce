#include "tests/fuzz/changed_daemon.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/config/parse_item.h"
#include "tests/daemon/config/config_equality.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

using Kind = ChangeRequest::Kind;

constexpr std::string_view kConfiguration = R"(
source: {replay: {path: edges.jsonl}, format: {json: {source: /s, target: /t, time: /at}}}
windows: [{name: now, length: 10s, slide: 10s}, {name: sums, length: 10s, slide: 5s}]
)";

const Config& BaseConfig() {
  static const ParsedConfig parsed = ParseConfig(kConfiguration, "fuzz.yaml");
  SASH_CHECK(parsed.errors.empty());
  return parsed.config;
}

// A body that the API accepts is also valid in a file, with the same meaning.
void CheckInFile(const Config& config) {
  const ParsedConfig again = ParseConfig(PrintConfig(config), "fuzz.yaml");
  for (const ConfigError& error : again.errors) {
    std::fprintf(stderr, "%s: %s\n", error.key.c_str(), error.message.c_str());
  }
  SASH_CHECK(again.errors.empty() && Same(again.config, config));
}

HttpResponse Refuse(const std::vector<ConfigError>& errors) {
  std::vector<KeyTrouble> keys;
  for (const ConfigError& error : errors) {
    SASH_CHECK(!error.message.empty());
    keys.push_back({error.key, error.message});
  }
  return Unprocessable(errors.front().message, keys);
}

}  // namespace

ChangedDaemon::ChangedDaemon() {
  daemon_.Add("a", "b", 1, Weight::Integer(5));
  daemon_.Add("a", "c", 2);
  daemon_.Add("b", "c/d e", 3, Weight::Real(0.5));
  daemon_.Add("d", "d", 4);
  daemon_.Add("a", "b", 11);
  daemon_.Add("b", "c", 21);
  daemon_.Process();
}

ApiSurroundings ChangedDaemon::surroundings() {
  ApiSurroundings around = daemon_.surroundings();
  around.change = [this](const ChangeRequest& request) {
    auto answer = std::make_shared<PendingAnswer>();
    answer->Give(Do(request));
    return answer;
  };
  return around;
}

HttpResponse ChangedDaemon::Do(const ChangeRequest& request) {
  switch (request.kind) {
    case Kind::kAddJob:
      return AddJob(request, false);
    case Kind::kPutJob:
      return AddJob(request, true);
    case Kind::kAddWindow:
      return PutWindow(request, false);
    case Kind::kPutWindow:
      return PutWindow(request, true);
    case Kind::kPauseJob:
    case Kind::kResumeJob:
      if (!daemon_.scheduler.PauseJob(request.name, false)) return NotFound("no such job");
      return NothingToSay();
    default:
      return Conflict("it stays as it is");
  }
}

HttpResponse ChangedDaemon::AddJob(const ChangeRequest& request, bool named) {
  std::optional<std::string> name;
  if (named) name = request.name;
  const ParsedItem<JobSpec> parsed =
      ParseJob(request.body, KeyKind::kString, {"now", "sums"}, name);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return Refuse(parsed.errors);
  SASH_CHECK(!named || parsed.spec.name == request.name);
  Config config = BaseConfig();
  config.jobs = {parsed.spec};
  CheckInFile(config);
  if (Status added = daemon_.scheduler.AddJob(parsed.spec); !added) {
    return Conflict(added.error().message);
  }
  const std::vector<JobStatus> jobs = daemon_.scheduler.Statuses();
  const auto job = std::ranges::find(jobs, parsed.spec.name, &JobStatus::name);
  SASH_CHECK(job != jobs.end());
  HttpResponse answer = JobAnswer(201, *job);
  SASH_CHECK(daemon_.scheduler.RemoveJob(parsed.spec.name));
  return answer;
}

HttpResponse ChangedDaemon::PutWindow(const ChangeRequest& request, bool named) {
  std::optional<std::string> name;
  if (named) name = request.name;
  const ParsedItem<WindowSpec> parsed = ParseWindow(request.body, false, BaseConfig().source, name);
  if (parsed.broken) return BadRequest(*parsed.broken);
  if (!parsed.errors.empty()) return Refuse(parsed.errors);
  Config config = BaseConfig();
  config.windows = {parsed.spec};
  CheckInFile(config);
  WindowEngine& engine = daemon_.engine;
  const auto before = engine.Find(parsed.spec.name);
  if (before && !named) return Conflict("there is a window of this name");
  PendingCommand put = engine.PutWindows({parsed.spec});
  engine.Tick();
  if (Status status = put.get(); !status) return Conflict(status.error().message);
  const auto now = engine.Find(parsed.spec.name);
  SASH_CHECK(now);
  HttpResponse answer = WindowAnswer(before ? 200 : 201, parsed.spec.name, now->newest.get());
  PendingCommand back =
      before ? engine.PutWindows({before->spec}) : engine.RemoveWindow(parsed.spec.name);
  engine.Tick();
  SASH_CHECK(back.get());
  return answer;
}

}  // namespace sash::fuzz
