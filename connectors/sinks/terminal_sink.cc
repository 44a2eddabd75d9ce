#include "connectors/sinks/terminal_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "connectors/sinks/time_text.h"
#include "windows/base/terminal_character.h"
#include "windows/base/utf8.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

constexpr std::size_t kListed = 5;  // rows, and lists, of a result
constexpr std::size_t kKeyCharacters = 24;
constexpr std::size_t kNameCharacters = 40;

std::string Shown(std::optional<std::uint32_t> code, std::string_view bytes) {
  if (!code) return fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
  if (*code == '\n') return "\\n";
  if (*code == '\t') return "\\t";
  if (*code == '\\') return "\\\\";
  if (!ActsOnTerminal(*code)) return std::string(bytes);
  if (*code < 0x80) return fmt::format("\\x{:02x}", *code);
  if (*code < 0x10000) return fmt::format("\\u{:04x}", *code);
  return fmt::format("\\U{:08x}", *code);
}

std::string KeyText(const VertexKey& key) {
  if (const auto* integer = std::get_if<std::int64_t>(&key)) return std::to_string(*integer);
  return TerminalText(std::get<std::string>(key), kKeyCharacters);
}

std::string Elapsed(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

// "2026-01-01 12:00:05–12:05:05"; a date equal to the last written one is left out.
std::string Bounds(const Provenance& from, std::optional<std::chrono::sys_days>& day) {
  const auto at = [&](EventTime time) {
    const std::chrono::sys_days its_day = DayOf(time);
    const bool says_day = std::exchange(day, its_day) != its_day;
    return (says_day ? DayText(time) + " " : std::string()) + TimeOfDayText(time);
  };
  std::string start = at(from.window_start);
  return std::move(start) + "–" + at(from.window_end);
}

std::string WeightText(Weight weight) {
  return weight.is_integer() ? std::to_string(weight.integer())
                             : fmt::format("{:.6g}", weight.AsDouble());
}

std::string RowText(const RankedVertex& row) {
  return fmt::format("{} {:.3g}", KeyText(row.key), row.score);
}
std::string RowText(const RatedVertex& row) {
  return fmt::format("{} {:.3g}", KeyText(row.key), row.score);
}
std::string RowText(const DistantVertex& row) {
  return fmt::format("{} {:.3g}", KeyText(row.key), row.distance);
}
std::string RowText(const ReachedVertex& row) {
  return fmt::format("{} {}", KeyText(row.key), row.depth);
}
std::string RowText(const CountedVertex& row) {
  return fmt::format("{} {}", KeyText(row.key), row.count);
}
std::string RowText(const WeighedVertex& row) {
  return fmt::format("{} {}", KeyText(row.key), WeightText(row.weight));
}
std::string RowText(const PairOfVertices& pair) {
  const std::string score = pair.score ? fmt::format(" {:.3g}", *pair.score) : "";
  return fmt::format("{}→{}{}", KeyText(pair.source), KeyText(pair.target), score);
}

// Ends with the vertex that it begins with.
std::string RowText(const CycleOfVertices& cycle) {
  std::string text;
  for (const VertexKey& key : cycle.vertices) text += KeyText(key) + "→";
  return text + KeyText(cycle.vertices.front());
}

std::string RowText(const PathOfVertices& path) {
  std::string text;
  for (const VertexKey& key : path.vertices) text += (text.empty() ? "" : "→") + KeyText(key);
  return text;
}

std::string RowText(const FeaturesOfPair& pair) {
  return fmt::format("{}→{}", KeyText(pair.source), KeyText(pair.target));
}

// " ×3.2": how surprising a row is, if its result has a baseline.
std::string SurpriseText(const ResultList& list, std::size_t row) {
  if (list.compared == nullptr || std::isnan((*list.compared)[row].surprise)) return {};
  return fmt::format(" ×{:.3g}", (*list.compared)[row].surprise);
}

// The first rows: "alice 0.0123, bob 0.01".
std::string RowsText(const ResultList& list) {
  return std::visit(
      [&](const auto* rows) {
        std::string text;
        for (std::size_t i = 0; i < std::min(kListed, rows->size()); ++i) {
          text += (text.empty() ? "" : ", ") + RowText((*rows)[i]) + SurpriseText(list, i);
        }
        return text;
      },
      list.rows);
}

struct FigureText {
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(std::optional<double> value) const {
    return value ? fmt::format("{:.3g}", *value) : "none";
  }
  std::string operator()(Weight value) const { return WeightText(value); }
  std::string operator()(const std::optional<EventTime>& time) const {
    return time ? TimeText(*time) : "none";
  }
};

// "5 reached, weight 3"
std::string FiguresText(const std::vector<ResultFigure>& figures) {
  std::string text;
  for (const ResultFigure& figure : figures) {
    if (figure.said == ResultFigure::Said::kNot) continue;
    text += text.empty() ? "" : ", ";
    const std::string value = std::visit(FigureText(), figure.value);
    if (figure.said == ResultFigure::Said::kAfterName) {
      text += fmt::format("{} {}", figure.name, value);
    } else {
      text += fmt::format("{} {}", value,
                          value == "1" && !figure.one.empty() ? figure.one : figure.name);
    }
  }
  return text;
}

// For a traversal: the number of reached vertices and of levels. For other kernels: the first rows.
std::string ListText(const ResultList& list) {
  if (list.levels == nullptr) return RowsText(list);
  std::string text = list.root != nullptr ? KeyText(*list.root) + " " : std::string();
  text += FiguresText(list.figures);
  if (!list.levels->empty()) {
    fmt::format_to(std::back_inserter(text), ", {} level{}", list.levels->size(),
                   list.levels->size() == 1 ? "" : "s");
  }
  return text;
}

std::string OutcomeText(const ResultTable& table) {
  if (!table.instead.empty()) return table.instead;
  std::string text = FiguresText(table.figures);
  for (std::size_t i = 0; i < std::min(kListed, table.lists.size()); ++i) {
    const std::string list = ListText(table.lists[i]);
    if (!text.empty() && !list.empty()) text += i == 0 ? ": " : "; ";
    text += list;
  }
  if (table.lists.size() > kListed) {
    fmt::format_to(std::back_inserter(text), "; {} more", table.lists.size() - kListed);
  }
  if (!table.error.empty()) text += "; " + table.error;
  return text;
}

void AppendNames(std::string_view what, const std::vector<std::string>& jobs, std::string& line) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    fmt::format_to(std::back_inserter(line), "{}{}", i == 0 ? what : ", ",
                   TerminalText(jobs[i], kNameCharacters));
  }
}

void AppendWindow(const Advance& advance, std::optional<std::chrono::sys_days>& day,
                  std::string& line) {
  const Provenance& from = advance.provenance;
  const auto out = std::back_inserter(line);
  line += TerminalText(from.window, kNameCharacters);
  if (from.accepted) fmt::format_to(out, " to event {}", *from.accepted);
  fmt::format_to(out, " {} · {} edges, {} vertices, {}", Bounds(from, day), from.edges,
                 from.vertices, Elapsed(advance.seconds));
  if (from.empty) line += ", empty";
  if (from.gap) line += ", gap";
  if (from.late > 0) fmt::format_to(out, ", {} late", from.late);
  if (from.refused > 0) fmt::format_to(out, ", {} refused", from.refused);
}

}  // namespace

std::string TerminalText(std::string_view text, std::size_t limit) {
  std::string shown;
  for (std::size_t count = 0; !text.empty(); ++count) {
    const Utf8Character first = FirstCharacter(text);
    // The last place is for the last character, or for "…" if more follow.
    if (count + 1 == limit && text.size() > first.length) return shown + "…";
    shown += Shown(first.code, text.substr(0, first.length));
    text.remove_prefix(first.length);
  }
  return shown;
}

std::string AdvanceLine(const AdvanceReport& report, std::optional<std::chrono::sys_days>& day) {
  std::string line;
  AppendWindow(*report.advance, day, line);
  for (const auto& result : report.results) {
    fmt::format_to(std::back_inserter(line), " · {} {}: {}",
                   TerminalText(result->job, kNameCharacters), Elapsed(result->seconds),
                   OutcomeText(DescribeResult(*result)));
  }
  AppendNames(" · skipped: ", report.skipped, line);
  AppendNames(" · cancelled: ", report.cancelled, line);
  std::vector<std::string> failed;
  for (const FailedRun& each : report.failed) failed.push_back(each.job);
  AppendNames(" · failed: ", failed, line);
  return line;
}

TerminalSink::TerminalSink(int descriptor) {
  Result<AppendFile> out = AppendFile::Over(descriptor, "terminal");
  if (out.ok()) out_ = std::move(out).value();
  if (out_) out_->SetPatience(std::chrono::milliseconds(0));
}

void TerminalSink::Complete(const AdvanceReport& report) {
  if (!out_) return;
  std::optional<std::chrono::sys_days> day = day_;
  std::string line = AdvanceLine(report, day);
  if (unsaid_ > 0) line = fmt::format("({} lines were left out) {}", unsaid_, line);
  if (!out_->Append(line + '\n')) {
    ++left_out_;
    ++unsaid_;
    return;
  }
  ++written_;
  day_ = day;
  unsaid_ = 0;
}

void TerminalSink::AddCounts(SinkCounts& counts) const {
  if (!counts.terminal) counts.terminal.emplace();
  counts.terminal->written += written_;
  counts.terminal->left_out += left_out_;
}

}  // namespace sash
