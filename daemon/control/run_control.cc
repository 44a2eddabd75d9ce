#include "daemon/control/run_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/control/answer_text.h"
#include "daemon/control/api_client.h"
#include "daemon/control/completion.h"
#include "daemon/control/control_output.h"
#include "daemon/control/control_settings.h"
#include "daemon/control/conversation.h"
#include "daemon/control/detail_text.h"
#include "daemon/control/export_command.h"
#include "daemon/control/invocation.h"
#include "daemon/control/item_commands.h"
#include "daemon/control/json_value.h"
#include "daemon/control/live_tap.h"
#include "daemon/control/live_top.h"
#include "daemon/control/printable.h"
#include "daemon/control/result_text.h"
#include "daemon/control/status_text.h"
#include "daemon/control/terminal.h"
#include "daemon/control/top_screen.h"
#include "daemon/control/wording.h"
#include "windows/base/percent.h"

namespace sash {
namespace {

class Control {
 public:
  Control(Invocation invocation, ApiSettings settings)
      : invocation_(std::move(invocation)),
        daemon_(std::move(settings), invocation_.Has("--json")) {}

  int Run() {
    const std::string& command = invocation_.command;
    if (command == "status") return ShowStatus();
    if (command == "windows" || command == "jobs" || command == "alerts") return items_.List();
    if (command == "windows show" || command == "jobs show" || command == "alerts show") {
      return items_.Show(WithLive(invocation_.QueryOf({"snapshot", "at"})));
    }
    if (command.ends_with(" add")) return items_.Add();
    if (command.ends_with(" change")) return items_.Put();
    if (command.ends_with(" remove")) return items_.Remove();
    if (command == "why") {
      return daemon_.Show("/api/v1/windows/" + PercentEncoded(argument()) + "/why", &WhyText);
    }
    if (command == "export") return RunExport(invocation_, daemon_);
    if (command == "path") return ShowPath();
    if (command.ends_with(" pause")) return items_.Do("/pause", "is paused");
    if (command == "jobs resume") return items_.Do("/resume", "is due again");
    if (command == "alerts resume") return items_.Do("/resume", "tells its receivers again");
    if (command == "alerts test") return items_.TestAlert();
    if (command == "leases") return daemon_.Show("/api/v1/leases", &LeasesText);
    if (command == "leases revoke") return RevokeLease();
    if (command == "jobs trigger") return Trigger();
    if (command == "results") return ShowResults();
    if (command == "diffs") return ShowDiffs();
    if (command == "vertex") return ShowVertex();
    if (command == "top") return ShowTop();
    if (command == "tap") return ShowTap();
    if (command == "reload") return Reload();
    return EndWith(kControlUsage, "unknown command: " + command);  // in the table, but missing here
  }

 private:
  bool json() const { return daemon_.prints_json(); }
  const std::string& argument() const { return invocation_.arguments.front(); }
  std::string JobPath() const { return "/api/v1/jobs/" + PercentEncoded(argument()); }

  int ShowStatus() {
    DaemonAnswers answers;
    std::string all;
    for (const auto& [name, path, into] :
         {std::tuple("version", "/api/v1/version", &answers.version),
          {"readiness", "/readyz", &answers.readiness},
          {"stream", "/api/v1/stream", &answers.stream},
          {"source", "/api/v1/source", &answers.source},
          {"windows", "/api/v1/windows", &answers.windows},
          {"jobs", "/api/v1/jobs", &answers.jobs}}) {
      const bool list = into == &answers.windows || into == &answers.jobs;
      auto answer = list ? daemon_.AskList(path) : daemon_.Ask("GET", path, std::nullopt, true);
      if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
      std::string& body = std::get<std::string>(answer);
      auto value = daemon_.Read(body);
      if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
      *into = std::move(std::get<JsonValue>(value));
      body.erase(body.find_last_not_of('\n') + 1);
      all += fmt::format("{}\"{}\":{}", all.empty() ? "{" : ",", name, body);
    }
    if (json()) return daemon_.PrintJson(all + "}\n");
    return PrintOut(StatusText(daemon_.settings().url, answers));
  }

  int RevokeLease() {
    const auto answer = daemon_.Ask("DELETE", "/api/v1/leases/" + PercentEncoded(argument()));
    if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
    if (json()) return daemon_.PrintJson(std::get<std::string>(answer));
    return PrintOut(fmt::format("lease {} is revoked\n", Printable(argument())));
  }

  int Trigger() {
    std::string past = invocation_.QueryOf({"snapshot", "at"});
    if (invocation_.Has("--deliver")) past += past.empty() ? "?deliver=true" : "&deliver=true";
    if (!past.empty()) return daemon_.Tell("POST", JobPath() + "/trigger" + past, "", &ResultText);
    return daemon_.Tell("POST", JobPath() + "/trigger", "", [](const JsonValue& run) {
      const std::string job = FigureText(run["job"]);
      const std::string snapshot = FigureText(run["snapshot"]);
      return fmt::format(
          "job {0} runs on snapshot {1}; afterwards see: sashctl results {0} "
          "--snapshot {1}\n",
          job, snapshot);
    });
  }

  // The query, and what --live adds to it.
  std::string WithLive(std::string query) const {
    if (!invocation_.Has("--live")) return query;
    return query + (query.empty() ? "?" : "&") + "view=live";
  }

  // Requests --snapshot, or --limit and --before, from a job's list per snapshot; else `newest`.
  template <typename One, typename Several>
  int ShowOfSnapshots(std::string_view what, const std::string& newest, const One& one,
                      const Several& several) {
    const std::string path = fmt::format("{}/{}", JobPath(), what);
    if (invocation_.Has("--snapshot")) {
      return daemon_.Show(path + "/" + invocation_.Option("--snapshot"), one);
    }
    const std::string query = invocation_.QueryOf({"limit", "before"});
    return query.empty() ? daemon_.Show(path + newest, one) : daemon_.Show(path + query, several);
  }

  // The number of different requests that the options stand for.
  int Questions() const {
    return (invocation_.Has("--limit") || invocation_.Has("--before")) +
           invocation_.Has("--snapshot") + invocation_.Has("--top");
  }

  int ShowResults() {
    if (Questions() > 1) {
      return EndAsMisused("--snapshot, --top, and --limit with --before cannot be combined");
    }
    const std::string top =
        invocation_.Has("--top") ? "?top=" + invocation_.Option("--top") : std::string();
    return ShowOfSnapshots("results", "/latest" + top, &ResultText, &ResultListText);
  }

  int ShowDiffs() {
    if (Questions() > 1) {
      return EndAsMisused("--snapshot, and --limit with --before cannot be combined");
    }
    return ShowOfSnapshots("diffs", "/latest", &DiffText, &DiffListText);
  }

  int ShowVertex() {
    // The key is in the query, where it may hold any characters.
    return daemon_.Show(JobPath() + "/vertices?key=" + PercentEncoded(invocation_.arguments[1]),
                        &DetailText);
  }

  int ShowPath() {
    const std::vector<std::string>& words = invocation_.arguments;
    std::string query =
        fmt::format("?from={}&to={}", PercentEncoded(words[1]), PercentEncoded(words[2]));
    const std::string more =
        WithLive(invocation_.QueryOf({"by", "direction", "most", "edges-most", "snapshot", "at"}));
    if (!more.empty()) query += "&" + more.substr(1);
    return daemon_.Show("/api/v1/windows/" + PercentEncoded(argument()) + "/paths" + query,
                        &PathText);
  }

  int ShowTop() {
    const std::size_t rows = NumberOf("--rows").value_or(std::numeric_limits<std::size_t>::max());
    if (!invocation_.Has("--once") && !json() && HasTerminal()) {
      const LiveEnd end = ShowLiveTop(daemon_.settings(), argument(), rows);
      return end.message.empty() ? end.code : EndWith(end.code, end.message);
    }
    const auto answer = daemon_.Ask("GET", JobPath() + "/results?limit=2&top=1000");
    if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
    auto value = daemon_.Read(std::get<std::string>(answer));
    if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
    std::vector<JsonValue>& results = std::get<JsonValue>(value).items;
    // The daemon reports best that there is none, or why.
    if (results.empty()) return daemon_.Show(JobPath() + "/results/latest", &ResultText);
    if (json()) return daemon_.PrintJson(std::get<std::string>(answer));
    TopState state{.job = argument(), .now = {}, .before = {}, .note = ""};
    if (results.size() > 1) TakeResult(std::move(results[1]), state);
    TakeResult(std::move(results[0]), state);
    return PrintOut(TopText(state, rows));
  }

  std::optional<std::uint64_t> NumberOf(std::string_view option) const {
    if (!invocation_.Has(option)) return std::nullopt;
    return std::strtoull(invocation_.Option(option).c_str(), nullptr, 10);
  }

  int ShowTap() {
    TapQuestion question{.path = "/api/v1/tap" + invocation_.QueryOf({"key", "rate"}),
                         .count = NumberOf("--count")};
    if (const auto seconds = NumberOf("--for")) {
      constexpr std::uint64_t kYear = 31'536'000;
      question.time = std::chrono::seconds(std::min(*seconds, kYear));
    }
    const LiveEnd end =
        ShowLiveTap(daemon_.settings(), question, [this](std::string_view edge) -> int {
          if (json()) return daemon_.PrintJson(std::string(edge) + "\n");
          const auto value = daemon_.Read(std::string(edge));
          if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
          return PrintOut(EdgeText(std::get<JsonValue>(value)));
        });
    return end.message.empty() ? end.code : EndWith(end.code, end.message);
  }

  int Reload() { return daemon_.Tell("POST", "/api/v1/reload", "", &ReloadText); }

  const Invocation invocation_;
  Conversation daemon_;
  ItemCommands items_{invocation_, daemon_};
};

}  // namespace

int RunControl(int argc, const char* const* argv) {
  auto parsed = ParseInvocation(argc, argv);
  if (const auto* help = std::get_if<HelpText>(&parsed)) return PrintOut(help->text);
  if (const auto* wrong = std::get_if<UsageError>(&parsed)) return EndAsMisused(wrong->message);
  auto& invocation = std::get<Invocation>(parsed);
  if (invocation.command == "completion") {
    return PrintOut(CompletionScript(invocation.arguments.front()));
  }
  Result<ApiSettings> settings = SettingsOf(invocation);
  if (!settings) return EndWith(kControlUsage, settings.error().message);
  return Control(std::move(invocation), std::move(settings).value()).Run();
}

}  // namespace sash
