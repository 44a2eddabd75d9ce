#include "daemon/control/command_table.h"

#include <array>

namespace sash {

std::span<const CommandSpec> Commands() {
  using enum ValueKind;
  constexpr ArgumentSpec kOneJob = {"JOB", kJob};
  constexpr ArgumentSpec kOneWindow = {"WINDOW", kWindow};
  constexpr ArgumentSpec kOneAlert = {"ALERT", kAlert};
  constexpr ArgumentSpec kOneFile = {"FILE", kFile};
  constexpr OptionSpec kNames = {"--names", "", kText, "", "print the names only, one a line"};
  constexpr OptionSpec kBefore = {"--before", "N", kNumber, "",
                                  "only those of snapshots before N, one a line"};
  constexpr OptionSpec kLimit = {"--limit", "N", kNumber, "",
                                 "the newest N that are kept, one a line"};
  constexpr OptionSpec kAsOf = {"--at", "TIME", kText, "",
                                "as of this time: 2026-01-31T08:15:00Z (the window has retain)"};
  constexpr OptionSpec kOfSnapshot = {"--snapshot", "N", kNumber, "",
                                      "as of this snapshot (the window has retain)"};
  constexpr OptionSpec kOfNow = {"--live", "", kText, "",
                                 "as it is now, between two advances (the window has live)"};
  static const std::vector<CommandSpec> commands = {
      {"status", {}, "readiness, progress, windows and jobs", {}},
      {"windows", {}, "list the windows", {kNames}},
      {"windows show",
       {kOneWindow},
       "one window after its newest advance",
       {kOfSnapshot, kAsOf, kOfNow}},
      {"windows add", {kOneFile}, "add the window in a YAML or JSON file (-: standard input)", {}},
      {"windows change",
       {kOneWindow, kOneFile},
       "change a window to match the file, or add it",
       {}},
      {"windows remove", {kOneWindow}, "remove a window that no job runs on", {}},
      {"export",
       {kOneWindow, {"DIR", kFile, true}},
       "write the newest snapshot of a window now, in its exports; with DIR, copy it there",
       {}},
      {"why", {kOneWindow}, "why a window, and its jobs, have no new result yet", {}},
      {"path",
       {kOneWindow, {"FROM", kText}, {"TO", kText}},
       "the shortest path between two vertices (after --, if a key begins with -)",
       {{"--by", "WHAT", kText, "", "hops: the fewest edges (default); weight: the least sum"},
        {"--direction", "WAY", kText, "", "how it takes edges: out (default), in or both"},
        {"--most", "N", kNumber, "", "at most N edges; default 6, at most 100"},
        {"--edges-most", "N", kNumber, "",
         "read at most N edges; default 1000000, at most 4000000"},
        kOfSnapshot,
        kAsOf,
        kOfNow}},
      {"jobs", {}, "list the jobs", {kNames}},
      {"jobs show", {kOneJob}, "what one job has done and is doing", {}},
      {"jobs pause", {kOneJob}, "pause a job: it is due on no advance", {}},
      {"jobs resume", {kOneJob}, "resume a paused job", {}},
      {"jobs trigger",
       {kOneJob},
       "run a job on the newest snapshot now, or on an earlier one",
       {kOfSnapshot,
        kAsOf,
        {"--deliver", "", kText, "",
         "with --snapshot or --at: the sinks of the job get the result, too"}}},
      {"jobs add", {kOneFile}, "add the job in a YAML or JSON file (-: standard input)", {}},
      {"jobs change",
       {kOneJob, kOneFile},
       "change a job to match the file, replace it, or add it",
       {}},
      {"jobs remove", {kOneJob}, "remove a job, with its results", {}},
      {"alerts", {}, "list the alerts, with the state of each", {kNames}},
      {"alerts show", {kOneAlert}, "one alert, and its newest alerts", {}},
      {"alerts pause", {kOneAlert}, "pause an alert: it goes on counting, and is not sent", {}},
      {"alerts resume", {kOneAlert}, "resume a paused alert", {}},
      {"alerts test", {kOneAlert}, "send the receivers of an alert a test", {}},
      {"alerts add", {kOneFile}, "add the alert in a YAML or JSON file (-: standard input)", {}},
      {"alerts change", {kOneAlert, kOneFile}, "change an alert to match the file, or add it", {}},
      {"alerts remove", {kOneAlert}, "remove an alert, with its state", {}},
      {"leases", {}, "list the leases that keep frozen snapshots for readers on other hosts", {}},
      {"leases revoke",
       {{"LEASE", kText}},
       "end a lease of any reader, by the name in the list",
       {}},
      {"results",
       {kOneJob},
       "the newest result of a job, or older ones",
       {{"--snapshot", "N", kNumber, "", "the result of this snapshot"},
        kLimit,
        kBefore,
        {"--top", "N", kNumber, "", "N vertices of the newest result, whatever the job's top"}}},
      {"diffs",
       {kOneJob},
       "what changed from the previous result to a job's newest one, or to older ones",
       {{"--snapshot", "N", kNumber, "", "the changes in the result of this snapshot"},
        kLimit,
        kBefore}},
      {"vertex",
       {kOneJob, {"KEY", kText}},
       "a vertex in the newest result of a job (after --, if KEY begins with -)",
       {}},
      {"top",
       {kOneJob},
       "what a job lists, live, and how it moved since the previous result; q quits",
       {{"--once", "", kText, "", "print one table and exit, as without a terminal"},
        {"--rows", "N", kNumber, "", "at most N rows"}}},
      {"tap",
       {},
       "edges as they are read, live, one a line: a sample that never delays reading",
       {{"--key", "KEY", kText, "", "only edges from or to this vertex"},
        {"--rate", "N", kNumber, "", "at most N edges a second; default 100, at most 1000"},
        {"--count", "N", kNumber, "", "exit after N edges"},
        {"--for", "SECONDS", kNumber, "", "exit after this time"}}},
      {"reload", {}, "read the configuration again; this undoes changes by the API", {}},
      {"completion", {{"SHELL", kShell}}, "a script for the completion of bash, zsh or fish", {}},
  };
  return commands;
}

std::span<const OptionSpec> GlobalOptions() {
  using enum ValueKind;
  static constexpr std::array kOptions = {
      OptionSpec{"--url", "URL", kUrl, "SASHCTL_URL",
                 "the address of sashd; default http://127.0.0.1:9640"},
      OptionSpec{"--token-file", "FILE", kFile, "",
                 "a file that holds the token; the token itself can be in SASHCTL_TOKEN"},
      OptionSpec{"--ca-file", "FILE", kFile, "SASHCTL_CA_FILE",
                 "the certificates (PEM) to trust, and no others"},
      OptionSpec{"--json", "", kText, "", "print the JSON of the API unchanged"},
      OptionSpec{"--help", "", kText, "", "print this help, and exit"},
      OptionSpec{"--version", "", kText, "", "print the version, and exit"},
  };
  return kOptions;
}

std::span<const std::string_view> Shells() {
  static constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};
  return kShells;
}

}  // namespace sash
