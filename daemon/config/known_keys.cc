#include "daemon/config/known_keys.h"

#include <algorithm>
#include <array>
#include <set>

#include "windows/base/check.h"

namespace sash {
namespace {

struct SectionKeys {
  std::string_view section;
  std::vector<std::string_view> keys;
};

const std::vector<SectionKeys>& Sections() {
  static const std::vector<SectionKeys> sections = {
      {"", {"source", "windows", "jobs", "sinks", "http", "log", "memory", "shutdown_deadline"}},
      {"source", {"kafka", "replay", "format", "time", "dead_letters"}},
      {"source.kafka", {"brokers", "topics", "group", "start", "options"}},
      {"source.kafka.start", {"timestamp", "explicit"}},
      {"source.replay", {"path", "pace"}},
      {"source.format", {"json", "csv", "keys", "tombstone"}},
      {"source.format.json", {"source", "target", "weight", "time", "operation"}},
      {"source.format.csv", {"source", "target", "weight", "time", "operation", "delimiter"}},
      {"source.time",
       {"from", "unit", "disorder", "idle_after", "on_silence", "ahead_limit", "late",
        "max_drift"}},
      {"source.dead_letters", {"path", "limit"}},
      {"windows[]",
       {"name", "by", "length", "slide", "duplicates", "implementation", "empty_windows"}},
      {"jobs[]",
       {"name", "kernel", "window", "parameters", "every", "threads", "deadline", "overrun", "top",
        "keep_results"}},
      {"jobs[].parameters<pagerank>",
       {"damping", "tolerance", "max_iterations", "warm_start", "check_every"}},
      {"jobs[].parameters<bfs>", {"roots", "separate", "direction"}},
      {"jobs[].parameters<window>", {}},
      {"jobs[].parameters<wcc>", {}},
      {"jobs[].parameters<sssp>", {"roots", "direction", "delta"}},
      {"jobs[].parameters<triangles>", {}},
      {"jobs[].parameters<lcc>", {}},
      {"jobs[].parameters<cdlp>", {"max_iterations"}},
      {"jobs[].parameters<kcore>", {}},
      {"jobs[].parameters<degree>", {"direction"}},
      {"jobs[].parameters<fanout>", {"direction"}},
      {"jobs[].parameters<new_edges>", {}},
      {"jobs[].parameters<vanished_edges>", {}},
      {"jobs[].overrun", {"queue"}},
      {"sinks[]", {"file", "terminal"}},
      {"sinks[].file", {"path", "jobs", "vertices"}},
      {"sinks[].terminal", {}},
      {"http", {"listen"}},
      {"log", {"format", "level"}},
      {"memory", {"limit"}},
  };
  return sections;
}

// Names that the user chooses.
constexpr std::array<std::string_view, 3> kFreeKeys = {
    "source.kafka.options.*", "source.kafka.start.explicit.*", "source.kafka.start.explicit.*.*"};

constexpr std::array<std::string_view, 10> kPlannedKeys = {"recovery",
                                                           "state",
                                                           "include",
                                                           "http.tls",
                                                           "http.tokens",
                                                           "http.metrics_listen",
                                                           "windows[].retain",
                                                           "sinks[].kafka",
                                                           "source.dead_letters.topic",
                                                           "jobs[].parameters<pagerank>.weighted"};

}  // namespace

std::span<const std::string_view> KeysOf(std::string_view section) {
  const auto found = std::ranges::find(Sections(), section, &SectionKeys::section);
  SASH_CHECK(found != Sections().end());
  return found->keys;
}

std::vector<std::string> KnownKeys() {
  std::set<std::string> patterns(kFreeKeys.begin(), kFreeKeys.end());
  for (const SectionKeys& section : Sections()) {
    std::string path(section.section.substr(0, section.section.find('<')));
    if (!path.empty()) path += '.';
    for (const std::string_view key : section.keys) patterns.insert(path + std::string(key));
  }
  return {patterns.begin(), patterns.end()};
}

bool IsPlannedKey(std::string_view pattern) {
  return std::ranges::find(kPlannedKeys, pattern) != kPlannedKeys.end();
}

}  // namespace sash
