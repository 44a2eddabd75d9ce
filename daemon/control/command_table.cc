#include "daemon/control/command_table.h"

#include <array>

namespace sash {

std::span<const CommandSpec> Commands() {
  using enum ValueKind;
  constexpr ArgumentSpec kOneJob = {"JOB", kJob};
  constexpr ArgumentSpec kOneWindow = {"WINDOW", kWindow};
  constexpr ArgumentSpec kOneFile = {"FILE", kFile};
  constexpr OptionSpec kNames = {"--names", "", kText, "", "print the names only, one a line"};
  constexpr OptionSpec kBefore = {"--before", "N", kNumber, "",
                                  "a line for each kept one of a snapshot before N"};
  constexpr OptionSpec kLimit = {"--limit", "N", kNumber, "",
                                 "a line for each of the newest N that are kept"};
  static const std::vector<CommandSpec> commands = {
      {"status", {}, "whether it is ready, how far it is, its windows and jobs", {}},
      {"windows", {}, "list the windows", {kNames}},
      {"windows show", {kOneWindow}, "one window after its newest advance", {}},
      {"windows add", {kOneFile}, "add the window that a YAML or JSON file says (-: input)", {}},
      {"windows change",
       {kOneWindow, kOneFile},
       "let a window become what the file says, or add it",
       {}},
      {"windows remove", {kOneWindow}, "remove a window that no job runs on", {}},
      {"why", {kOneWindow}, "why a window, and its jobs, have no new result yet", {}},
      {"jobs", {}, "list the jobs", {kNames}},
      {"jobs show", {kOneJob}, "what one job has done and is doing", {}},
      {"jobs pause", {kOneJob}, "let a job be due on no advance", {}},
      {"jobs resume", {kOneJob}, "let it be due again", {}},
      {"jobs trigger", {kOneJob}, "run a job on the newest snapshot now", {}},
      {"jobs add", {kOneFile}, "add the job that a YAML or JSON file says (-: input)", {}},
      {"jobs change",
       {kOneJob, kOneFile},
       "let a job have the settings that the file says, or be another, or add it",
       {}},
      {"jobs remove", {kOneJob}, "remove a job, with its results", {}},
      {"results",
       {kOneJob},
       "the newest result of a job, or older ones",
       {{"--snapshot", "N", kNumber, "", "the result of this snapshot"},
        kLimit,
        kBefore,
        {"--top", "N", kNumber, "",
         "as many vertices of the newest result, not as the job lists"}}},
      {"diffs",
       {kOneJob},
       "what changed from the result before to a job's newest one, or to older ones",
       {{"--snapshot", "N", kNumber, "", "what changed to the result of this snapshot"},
        kLimit,
        kBefore}},
      {"vertex",
       {kOneJob, {"KEY", kText}},
       "what the newest result of a job says of a vertex (after --, if KEY begins with -)",
       {}},
      {"top",
       {kOneJob},
       "what a job lists, live, and how it moved since the result before; q ends it",
       {{"--once", "", kText, "", "print one table, as where there is no terminal"},
        {"--rows", "N", kNumber, "", "at most so many rows"}}},
      {"tap",
       {},
       "edges as they are read, live, a line each: a sample that reading does not wait for",
       {{"--key", "KEY", kText, "", "only edges from or to this vertex"},
        {"--rate", "N", kNumber, "", "at most so many a second; without it 100, at most 1000"},
        {"--count", "N", kNumber, "", "end after so many"},
        {"--for", "SECONDS", kNumber, "", "end after so long"}}},
      {"reload", {}, "read the configuration again: what the API changed is undone", {}},
      {"completion", {{"SHELL", kShell}}, "a script for the completion of bash, zsh or fish", {}},
  };
  return commands;
}

std::span<const OptionSpec> GlobalOptions() {
  using enum ValueKind;
  static constexpr std::array kOptions = {
      OptionSpec{"--url", "URL", kUrl, "SASHCTL_URL",
                 "where sashd listens; without it http://127.0.0.1:9640"},
      OptionSpec{"--token-file", "FILE", kFile, "",
                 "a file that holds the token; the token itself can be in SASHCTL_TOKEN"},
      OptionSpec{"--ca-file", "FILE", kFile, "SASHCTL_CA_FILE",
                 "the certificates (PEM) to trust, and no others"},
      OptionSpec{"--json", "", kText, "", "print the JSON of the API as it comes"},
      OptionSpec{"--help", "", kText, "", "print what can be asked, and exit"},
      OptionSpec{"--version", "", kText, "", "print the version, and exit"},
  };
  return kOptions;
}

std::span<const std::string_view> Shells() {
  static constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};
  return kShells;
}

}  // namespace sash
