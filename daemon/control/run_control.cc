#include "daemon/control/run_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <utility>
#include <variant>

#include "daemon/control/answer_text.h"
#include "daemon/control/api_client.h"
#include "daemon/control/command_table.h"
#include "daemon/control/completion.h"
#include "daemon/control/detail_text.h"
#include "daemon/control/invocation.h"
#include "daemon/control/item_file.h"
#include "daemon/control/json_value.h"
#include "daemon/control/live_tap.h"
#include "daemon/control/live_top.h"
#include "daemon/control/printable.h"
#include "daemon/control/terminal.h"
#include "daemon/control/top_screen.h"
#include "daemon/control/wording.h"

namespace sash {
namespace {

constexpr const char* kDefaultUrl = "http://127.0.0.1:9640";
constexpr std::size_t kPageLength = 1000;  // most items on a page of the API's lists

int Fail(int code, const std::string& message) {
  std::fprintf(stderr, "sashctl: %s\n", message.c_str());
  return code;
}

// A failed write to standard output is a failure.
int Print(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return kControlOk;
  return Fail(kControlRefused, fmt::format("standard output: {}", std::strerror(errno)));
}

int Misused(const std::string& what) {
  return Fail(kControlUsage, what + "\nsashctl --help lists the commands");
}

// Ends a command early.
struct Ended {
  int code = kControlOk;
};

template <typename T>
using OrEnded = std::variant<T, Ended>;

class Control {
 public:
  Control(Invocation invocation, ApiSettings settings)
      : invocation_(std::move(invocation)), client_(std::move(settings)) {}

  int Run() {
    const std::string& command = invocation_.command;
    if (command == "status") return ShowStatus();
    if (command == "windows" || command == "jobs") return List();
    if (command == "windows show" || command == "jobs show") return Show(ItemPath(), &DetailText);
    if (command == "windows add" || command == "jobs add") return Add();
    if (command == "windows change" || command == "jobs change") return Put();
    if (command == "windows remove" || command == "jobs remove") return Remove();
    if (command == "why") {
      return Show("/api/v1/windows/" + PercentEncoded(argument()) + "/why", &WhyText);
    }
    if (command == "jobs pause") return Pause("/pause", "is paused");
    if (command == "jobs resume") return Pause("/resume", "is due again");
    if (command == "jobs trigger") return Trigger();
    if (command == "results") return ShowResults();
    if (command == "diffs") return ShowDiffs();
    if (command == "vertex") return ShowVertex();
    if (command == "top") return ShowTop();
    if (command == "tap") return ShowTap();
    if (command == "reload") return Reload();
    return Fail(kControlUsage, "unknown command: " + command);  // in the table, but missing here
  }

 private:
  bool json() const { return invocation_.Has("--json"); }
  const std::string& argument() const { return invocation_.arguments.front(); }
  // "jobs" or "windows", for a command on one of them.
  std::string Collection() const {
    return invocation_.command.substr(0, invocation_.command.find(' '));
  }
  std::string Kind() const { return Collection() == "jobs" ? "job" : "window"; }
  std::string ItemPath() const {
    return fmt::format("/api/v1/{}/{}", Collection(), PercentEncoded(argument()));
  }
  std::string JobPath() const { return "/api/v1/jobs/" + PercentEncoded(argument()); }

  int PrintJson(const std::string& body) {
    // A terminal would obey control characters in JSON.
    return Print(HasTerminal() ? PrintableJson(body) : body);
  }

  // Returns the body of a successful response; prints refusals.
  OrEnded<std::string> Ask(std::string_view method, std::string_view path,
                           const std::optional<std::string>& body = std::nullopt,
                           bool unready_is_fine = false) {
    Result<ApiAnswer> answer = client_.Ask(method, path, body);
    if (!answer) return Ended{Fail(kControlUnreachable, answer.error().message)};
    const bool fine = answer.value().ok() || (unready_is_fine && answer.value().status == 503 &&
                                              !IsError(answer.value().body));
    if (fine) return std::move(answer).value().body;
    if (json()) static_cast<void>(PrintJson(answer.value().body));
    std::string why = RefusalText(answer.value());
    if (answer.value().status == 401 && client_.settings().token.empty()) {
      why += " (--token-file or SASHCTL_TOKEN)";
    }
    return Ended{Fail(kControlRefused, why)};
  }

  static bool IsError(const std::string& body) {
    const Result<JsonValue> json = ReadJson(body);
    return !json || !json.value()["error"].is_null();
  }

  OrEnded<JsonValue> Read(const std::string& body) {
    Result<JsonValue> value = ReadJson(body);
    if (value) return std::move(value).value();
    return Ended{
        Fail(kControlUnreachable,
             fmt::format("{} did not respond like sashd (invalid JSON)", client_.settings().url))};
  }

  // Requests `path` and prints the response, through `text` or as JSON.
  template <typename Text>
  int Tell(std::string_view method, const std::string& path, const std::optional<std::string>& body,
           const Text& text) {
    const auto answer = Ask(method, path, body);
    if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
    if (json()) return PrintJson(std::get<std::string>(answer));
    const auto value = Read(std::get<std::string>(answer));
    if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
    return Print(text(std::get<JsonValue>(value)));
  }

  template <typename Text>
  int Show(const std::string& path, const Text& text) {
    return Tell("GET", path, std::nullopt, text);
  }

  // Requests all pages of a list, joined.
  OrEnded<std::string> AskList(const std::string& path) {
    std::string list;
    for (std::size_t offset = 0;; offset += kPageLength) {
      auto page = Ask("GET", offset == 0 ? path : fmt::format("{}?offset={}", path, offset));
      if (std::holds_alternative<Ended>(page)) return page;
      std::string& text = std::get<std::string>(page);
      const auto value = Read(text);
      if (const auto* ended = std::get_if<Ended>(&value)) return *ended;
      const std::size_t count = std::get<JsonValue>(value).items.size();
      if (offset == 0) {
        list = std::move(text);
      } else if (count > 0) {
        list.erase(list.rfind(']'));
        list += "," + text.substr(text.find('[') + 1);
      }
      if (count < kPageLength) return list;
    }
  }

  int List() {
    const auto list = AskList("/api/v1/" + Collection());
    if (const auto* ended = std::get_if<Ended>(&list)) return ended->code;
    const std::string& body = std::get<std::string>(list);
    if (json()) return PrintJson(body);
    const auto value = Read(body);
    if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
    const JsonValue& items = std::get<JsonValue>(value);
    if (invocation_.Has("--names")) {
      std::string names;
      for (const JsonValue& item : items.items) names += Printable(item["name"].text) + "\n";
      return Print(names);
    }
    return Print(Collection() == "jobs" ? JobsText(items) : WindowsText(items));
  }

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
      auto answer = list ? AskList(path) : Ask("GET", path, std::nullopt, true);
      if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
      std::string& body = std::get<std::string>(answer);
      auto value = Read(body);
      if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
      *into = std::move(std::get<JsonValue>(value));
      body.erase(body.find_last_not_of('\n') + 1);
      all += fmt::format("{}\"{}\":{}", all.empty() ? "{" : ",", name, body);
    }
    if (json()) return PrintJson(all + "}\n");
    return Print(StatusText(client_.settings().url, answers));
  }

  int Add() {
    const Result<std::string> item = ReadItemFile(argument());
    if (!item) return Fail(kControlUsage, item.error().message);
    return Tell("POST", "/api/v1/" + Collection(), item.value(), [this](const JsonValue& added) {
      return fmt::format("{} {} is added, until the next reload or restart\n", Kind(),
                         FigureText(added["name"]));
    });
  }

  int Put() {
    const Result<std::string> item = ReadItemFile(invocation_.arguments[1]);
    if (!item) return Fail(kControlUsage, item.error().message);
    return Tell("PUT", ItemPath(), item.value(), [this](const JsonValue& now) {
      return fmt::format("{} {} is changed, until the next reload or restart\n", Kind(),
                         FigureText(now["name"]));
    });
  }

  int Remove() {
    const auto answer = Ask("DELETE", ItemPath());
    if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
    if (json()) return PrintJson(std::get<std::string>(answer));  // the response has no body
    return Print(fmt::format("{} {} is removed, until the next reload or restart\n", Kind(),
                             Printable(argument())));
  }

  int Pause(std::string_view action, std::string_view done) {
    return Tell("POST", JobPath() + std::string(action), "", [&](const JsonValue& job) {
      return fmt::format("job {} {}\n", FigureText(job["name"]), done);
    });
  }

  int Trigger() {
    return Tell("POST", JobPath() + "/trigger", "", [](const JsonValue& run) {
      const std::string job = FigureText(run["job"]);
      const std::string snapshot = FigureText(run["snapshot"]);
      return fmt::format(
          "job {0} runs on snapshot {1}; afterwards see: sashctl results {0} "
          "--snapshot {1}\n",
          job, snapshot);
    });
  }

  // Those of the named options that are given, as the query of a path.
  std::string QueryOf(std::initializer_list<std::string_view> names) const {
    std::string query;
    for (const std::string_view name : names) {
      const std::string option = "--" + std::string(name);
      if (!invocation_.Has(option)) continue;
      query += fmt::format("{}{}={}", query.empty() ? "?" : "&", name,
                           PercentEncoded(invocation_.Option(option)));
    }
    return query;
  }

  // Requests --snapshot, or --limit and --before, from a job's list per snapshot; else `newest`.
  template <typename One, typename Several>
  int ShowOfSnapshots(std::string_view what, const std::string& newest, const One& one,
                      const Several& several) {
    const std::string path = fmt::format("{}/{}", JobPath(), what);
    if (invocation_.Has("--snapshot")) {
      return Show(path + "/" + invocation_.Option("--snapshot"), one);
    }
    const std::string query = QueryOf({"limit", "before"});
    return query.empty() ? Show(path + newest, one) : Show(path + query, several);
  }

  // The number of different requests that the options stand for.
  int Questions() const {
    return (invocation_.Has("--limit") || invocation_.Has("--before")) +
           invocation_.Has("--snapshot") + invocation_.Has("--top");
  }

  int ShowResults() {
    if (Questions() > 1) {
      return Misused("--snapshot, --top, and --limit with --before cannot be combined");
    }
    const std::string top =
        invocation_.Has("--top") ? "?top=" + invocation_.Option("--top") : std::string();
    return ShowOfSnapshots("results", "/latest" + top, &ResultText, &ResultListText);
  }

  int ShowDiffs() {
    if (Questions() > 1) {
      return Misused("--snapshot, and --limit with --before cannot be combined");
    }
    return ShowOfSnapshots("diffs", "/latest", &DiffText, &DiffListText);
  }

  int ShowVertex() {
    // The key is in the query, where it may hold any characters.
    return Show(JobPath() + "/vertices?key=" + PercentEncoded(invocation_.arguments[1]),
                &DetailText);
  }

  int ShowTop() {
    const std::size_t rows = NumberOf("--rows").value_or(std::numeric_limits<std::size_t>::max());
    if (!invocation_.Has("--once") && !json() && HasTerminal()) {
      const LiveEnd end = ShowLiveTop(client_.settings(), argument(), rows);
      return end.message.empty() ? end.code : Fail(end.code, end.message);
    }
    const auto answer = Ask("GET", JobPath() + "/results?limit=2&top=1000");
    if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
    auto value = Read(std::get<std::string>(answer));
    if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
    std::vector<JsonValue>& results = std::get<JsonValue>(value).items;
    // The daemon reports best that there is none, or why.
    if (results.empty()) return Show(JobPath() + "/results/latest", &ResultText);
    if (json()) return PrintJson(std::get<std::string>(answer));
    TopState state{.job = argument(), .now = {}, .before = {}, .note = ""};
    if (results.size() > 1) TakeResult(std::move(results[1]), state);
    TakeResult(std::move(results[0]), state);
    return Print(TopText(state, rows));
  }

  std::optional<std::uint64_t> NumberOf(std::string_view option) const {
    if (!invocation_.Has(option)) return std::nullopt;
    return std::strtoull(invocation_.Option(option).c_str(), nullptr, 10);
  }

  int ShowTap() {
    TapQuestion question{.path = "/api/v1/tap" + QueryOf({"key", "rate"}),
                         .count = NumberOf("--count")};
    if (const auto seconds = NumberOf("--for")) {
      constexpr std::uint64_t kYear = 31'536'000;
      question.time = std::chrono::seconds(std::min(*seconds, kYear));
    }
    const LiveEnd end =
        ShowLiveTap(client_.settings(), question, [this](std::string_view edge) -> int {
          if (json()) return PrintJson(std::string(edge) + "\n");
          const auto value = Read(std::string(edge));
          if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
          return Print(EdgeText(std::get<JsonValue>(value)));
        });
    return end.message.empty() ? end.code : Fail(end.code, end.message);
  }

  int Reload() { return Tell("POST", "/api/v1/reload", "", &ReloadText); }

  const Invocation invocation_;
  ApiClient client_;
};

// The first line of the file, or the environment variable.
Result<std::string> ReadToken(const std::string& path) {
  if (path.empty()) {
    const char* const token = std::getenv("SASHCTL_TOKEN");
    return std::string(token == nullptr ? "" : token);
  }
  errno = 0;
  std::ifstream file(path);
  constexpr std::size_t kMostBytes = 4096;  // a device may have no end
  std::string token(kMostBytes, '\0');
  file.read(token.data(), static_cast<std::streamsize>(token.size()));
  token.resize(static_cast<std::size_t>(file.gcount()));
  token.resize(std::min(token.find('\n'), token.size()));
  const std::size_t end = token.find_last_not_of(" \t\r");
  token.erase(end == std::string::npos ? 0 : end + 1);
  if (!token.empty()) return token;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("--token-file: `{}` {}", Printable(path),
                           errno != 0 ? fmt::format("cannot be read: {}", std::strerror(errno))
                                      : std::string("holds no token in its first line"))};
}

}  // namespace

int RunControl(int argc, const char* const* argv) {
  auto parsed = ParseInvocation(argc, argv);
  if (const auto* help = std::get_if<HelpText>(&parsed)) return Print(help->text);
  if (const auto* wrong = std::get_if<UsageError>(&parsed)) return Misused(wrong->message);
  auto& invocation = std::get<Invocation>(parsed);
  if (invocation.command == "completion") {
    return Print(CompletionScript(invocation.arguments.front()));
  }
  const std::string url = invocation.Option("--url");
  Result<std::string> checked = CheckedUrl(url.empty() ? kDefaultUrl : url);
  if (!checked) return Fail(kControlUsage, checked.error().message);
  Result<std::string> token = ReadToken(invocation.Option("--token-file"));
  if (!token) return Fail(kControlUsage, token.error().message);
  ApiSettings settings{std::move(checked).value(), std::move(token).value(),
                       invocation.Option("--ca-file")};
  if (const Status status = Check(settings); !status) {
    return Fail(kControlUsage, status.error().message);
  }
  return Control(std::move(invocation), std::move(settings)).Run();
}

}  // namespace sash
