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
      Key("burst", &LogRate::burst, WholeNumber{1, LogRate::kMostBurst}, "Lines written at once",
          kLive),
      Key("every", &LogRate::every, TimeSpan{.zero = false},
          "After the burst, one line per interval; the others are counted", kLive),
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
          "Lines for people or JSON objects"),
      Key("level", &LogConfig::level,
          OneOf<LogLevel>{{"trace", LogLevel::kTrace},
                          {"debug", LogLevel::kDebug},
                          {"info", LogLevel::kInfo},
                          {"warn", LogLevel::kWarn},
                          {"error", LogLevel::kError}},
          "The least severity that is written", kLive),
      Key("rate_limit", &LogConfig::rate_limit, Nested<LogRate>{"log.rate_limit", LogRateRows()},
          "How many lines of one kind of event are written"),
  };
  return rows;
}

const KeyRows<MemoryConfig>& MemoryRows() {
  using Key = KeyRow<MemoryConfig>;
  static const KeyRows<MemoryConfig> rows = {
      Key(
          "limit", [](auto& memory) -> auto& { return memory; }, MemoryLimitForm{},
          "auto: 80 % of the memory available to the process; none: no limit"),
      Key("spill", &MemoryConfig::spill, TextForm{kFolder, "the path of a folder", ParseFilePath},
          "The folder for a file with the edges of windows, so that windows may be larger than "
          "memory; on graphs with hubs, jobs are much slower (83 times with two thirds of the "
          "memory)"),
  };
  return rows;
}

const KeyRows<RecoveryConfig>& StateRows() {
  using Key = KeyRow<RecoveryConfig>;
  static const KeyRows<RecoveryConfig> rows = {
      Key("path", &RecoveryConfig::path, TextForm{kFolder, "the path of a folder", ParseFilePath},
          "The folder; no other process may use it"),
      Key("interval", &RecoveryConfig::interval, TimeSpan{.zero = false},
          "From one checkpoint to the next"),
      Key("mapping_changed", &RecoveryConfig::rebuilds,
          OneOf<bool>{{"refuse", false}, {"rebuild", true}},
          "If the edges of a checkpoint were made with another mapping: refuse to start, or read "
          "the windows again"),
  };
  return rows;
}

std::vector<SectionSpec> ProcessSections() {
  return {SectionFrom("log", LogRows()), SectionFrom("log.rate_limit", LogRateRows()),
          SectionFrom("memory", MemoryRows()), SectionFrom("state", StateRows())};
}

}  // namespace sash
