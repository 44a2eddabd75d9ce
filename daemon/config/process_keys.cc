// The keys of log, memory and state.
#include <fmt/format.h>

#include <optional>
#include <string>

#include "daemon/config/key_row.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

const KeyRows<LogRate>& LogRateRows() {
  using Key = KeyRow<LogRate>;
  static const KeyRows<LogRate> rows = {
      Key("burst", &LogRate::burst, WholeNumber{1, LogRate::kMostBurst}, "Lines written at once.",
          kLive),
      Key("every", &LogRate::every, TimeSpan{.zero = false},
          "The interval of the lines after the burst.", kLive),
  };
  return rows;
}

// A size, "auto" or "none".
struct MemoryLimitForm {
  std::vector<Shape> Shapes() const {
    return {ByteSize{MemoryConfig::kLeastLimit}, Words{{"auto", "none"}}};
  }
  static Result<MemoryConfig> Parse(std::string_view text) {
    if (text == "auto") return MemoryConfig{};
    if (text == "none") return MemoryConfig{.kind = MemoryConfig::Kind::kNone};
    const Result<std::uint64_t> size = ParseSize(text);
    if (!size) return Wrong(size.error().message + ", or auto or none");
    if (size.value() < MemoryConfig::kLeastLimit) {
      return Wrong(fmt::format("`{}` is too small; give at least {}", text,
                               FormatSize(MemoryConfig::kLeastLimit)));
    }
    return MemoryConfig{.kind = MemoryConfig::Kind::kBytes, .limit_bytes = size.value()};
  }
  void Read(const Section& memory, const KeySpec& key, MemoryConfig& config) const {
    MemoryConfig read;
    if (!memory.Read(key.name, read, "a size such as 8GiB, auto or none", Parse)) return;
    config.kind = read.kind;
    config.limit_bytes = read.limit_bytes;
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const MemoryConfig& config) const {
    const bool given = config.kind == MemoryConfig::Kind::kBytes;
    const bool none = config.kind == MemoryConfig::Kind::kNone;
    out.Line(depth, key.name, given ? FormatSize(config.limit_bytes) : (none ? "none" : "auto"));
  }
  bool Same(const MemoryConfig& a, const MemoryConfig& b) const {
    return a.kind == b.kind && a.limit_bytes == b.limit_bytes;
  }
};

}  // namespace

const KeyRows<LogConfig>& LogRows() {
  using Key = KeyRow<LogConfig>;
  static const KeyRows<LogConfig> rows = {
      Key("format", &LogConfig::format,
          OneOf<LogFormat>{{"text", LogFormat::kText}, {"json", LogFormat::kJson}},
          "Lines for people, or JSON objects."),
      Key("level", &LogConfig::level,
          OneOf<LogLevel>{{"trace", LogLevel::kTrace},
                          {"debug", LogLevel::kDebug},
                          {"info", LogLevel::kInfo},
                          {"warn", LogLevel::kWarn},
                          {"error", LogLevel::kError}},
          "The least severity that is written.", kLive),
      Key("rate_limit", &LogConfig::rate_limit, Nested<LogRate>{"log.rate_limit", LogRateRows()},
          "Limits repeated lines, so that they do not fill the disk: of one kind of event, `burst` "
          "lines are written at once, and then one per interval (`every`). The number of lines "
          "held back is reported with the next line of the kind, or as soon as one may be written "
          "again. Starts, ends, reloads and changes through the API are never held back: "
          "deploy/log_events.md lists them."),
  };
  return rows;
}

const KeyRows<MemoryConfig>& MemoryRows() {
  using Key = KeyRow<MemoryConfig>;
  static const KeyRows<MemoryConfig> rows = {
      Key(
          "limit", [](auto& memory) -> auto& { return memory; }, MemoryLimitForm{},
          "`auto`: 80 % of the limit of the control group, RLIMIT_AS or RLIMIT_DATA; if there is "
          "none of these, no limit. `none`: no limit. If the value exceeds the least of them, a "
          "warning is logged and `auto` is used."),
      Key("spill", &MemoryConfig::spill, TextForm{kFolder, "the path of a folder", ParseFilePath},
          "A folder on a local disk; sashd creates the folder, but not its parent. The edges of "
          "windows are stored there, in a file without a name that disappears when the process "
          "ends. The operating system keeps the part of the file that is in use in memory. So "
          "windows may be larger than memory, if the data of their vertices fits into memory: "
          "keys, degrees, ranks, and with `drop` and `weigh` the index of duplicates. The less of "
          "the edges fits, the slower the jobs. PageRank (without `weighted`, `sources` and "
          "`direction`) and BFS copy no edges, other kernels do. "
          "On graphs with hubs they are much slower: on R-MAT scale 18 with 8 M edges, PageRank "
          "takes 83 times as long if two thirds of the needed memory are there; with one third it "
          "had not ended after 9 minutes."),
  };
  return rows;
}

const KeyRows<RecoveryConfig>& StateRows() {
  using Key = KeyRow<RecoveryConfig>;
  static const KeyRows<RecoveryConfig> rows = {
      Key("path", &RecoveryConfig::path, TextForm{kFolder, "the path of a folder", ParseFilePath},
          "A folder that no other process uses; sashd creates the folder, but not its parent."),
      Key("interval", &RecoveryConfig::interval, TimeSpan{.zero = false},
          "The interval between checkpoints; slices are written as they close."),
      Key("mapping_changed", &RecoveryConfig::rebuilds,
          OneOf<bool>{{"refuse", false}, {"rebuild", true}},
          "A checkpoint stores how records were mapped to its edges: format, fields, kind of keys, "
          "times, tombstones. If the configuration differs, `refuse` ends the start with an error "
          "that shows both mappings, and `rebuild` reads the windows again."),
  };
  return rows;
}

std::vector<SectionSpec> ProcessSections() {
  return {SectionFrom("log", LogRows()), SectionFrom("log.rate_limit", LogRateRows()),
          SectionFrom("memory", MemoryRows()), SectionFrom("state", StateRows())};
}

}  // namespace sash
