#include "daemon/control/top_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "daemon/control/answer_text.h"
#include "daemon/control/detail_text.h"
#include "daemon/control/printable.h"
#include "daemon/control/ranking.h"
#include "daemon/control/wording.h"

namespace sash {
namespace {

constexpr std::size_t kMostLeavers = 5;

std::string ScreenTitle(const TopState& state) {
  if (state.now.is_null()) return Printable(state.job) + ": no result yet";
  return fmt::format("{}: {} on {}, until {}, snapshot {}", FigureText(state.now["job"]),
                     FigureText(state.now["kernel"]), FigureText(state.now["window"]),
                     TimeText(state.now["window_end"]), FigureText(state.now["snapshot"]));
}

std::string Figures(const JsonValue& result) {
  std::string text =
      fmt::format("{}, {}, took {}", Plural(result["edges"], "edge", "edges"),
                  Plural(result["vertices"], "vertex", "vertices"), SecondsText(result["seconds"]));
  for (const std::string_view name : {"late", "refused"}) {
    if (result[name].AsNumber().value_or(0) > 0) {
      text += fmt::format(", {} {}", FigureText(result[name]), name);
    }
  }
  if (result["gap"].is_true()) text += ", gap: records are missing";
  return text;
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.emplace_back(text.substr(0, text[end] == '\n' ? end : end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Members of results without a list of vertices; those in the title are not repeated.
std::vector<std::string> OtherLines(const JsonValue& result) {
  JsonValue rest = result;
  std::erase_if(rest.members, [](const JsonMember& member) {
    for (const std::string_view known :
         {"schema", "job", "kernel", "window", "snapshot", "window_start", "window_end", "edges",
          "vertices", "late", "refused", "gap", "offsets", "parameters", "seconds", "top"}) {
      if (member.name == known) return true;
    }
    return false;
  });
  return LinesOf(DetailText(rest));
}

std::string LeaversText(const TopState& state) {
  if (state.before.is_null()) return "";
  const std::vector<std::string> leavers = LeaversOf(state.now, state.before);
  std::string text;
  for (std::size_t i = 0; i < std::min(leavers.size(), kMostLeavers); ++i) {
    text += (i > 0 ? ", " : "left: ") + leavers[i];
  }
  if (leavers.size() > kMostLeavers) {
    text += fmt::format(" and {} more", leavers.size() - kMostLeavers);
  }
  return text;
}

// The lines below the title.
std::vector<std::string> Body(const TopState& state, std::size_t rows) {
  if (state.now.is_null()) return {};
  std::vector<std::string> lines = {Figures(state.now), ""};
  const JsonValue& error = state.now["error"];
  if (state.now["top"].is_list() && error.is_null()) {
    const std::vector<std::string> table = RankingTable(state.now, state.before, rows).Lines();
    lines.insert(lines.end(), table.begin(), table.end());
  } else {
    const std::vector<std::string> other = OtherLines(state.now);
    lines.insert(lines.end(), other.begin(), other.end());
  }
  return lines;
}

std::int64_t SnapshotOf(const JsonValue& result) {
  return static_cast<std::int64_t>(result["snapshot"].AsNumber().value_or(0));
}

}  // namespace

void TakeResult(JsonValue result, TopState& state) {
  if (!state.now.is_null()) {
    if (SnapshotOf(result) < SnapshotOf(state.now)) return;
    if (SnapshotOf(result) > SnapshotOf(state.now)) state.before = std::move(state.now);
  }
  state.now = std::move(result);
}

std::string TopText(const TopState& state, std::size_t rows) {
  std::string text = ScreenTitle(state) + "\n";
  for (const std::string& line : Body(state, rows)) text += line + "\n";
  if (const std::string leavers = LeaversText(state); !leavers.empty()) text += leavers + "\n";
  return text;
}

std::vector<std::string> TopScreen(const TopState& state, std::size_t rows, std::size_t width,
                                   std::size_t height) {
  std::vector<std::string> lines = {ScreenTitle(state)};
  std::vector<std::string> last = {state.note.empty() ? "q: quit" : state.note};
  const std::string leavers = LeaversText(state);
  if (!leavers.empty()) last.insert(last.begin(), leavers);
  std::vector<std::string> body = Body(state, rows);
  // The table is shortened first, then the rest.
  const std::size_t room = height > 1 + last.size() ? height - 1 - last.size() : 0;
  body.resize(std::min(body.size(), room));
  lines.insert(lines.end(), body.begin(), body.end());
  lines.insert(lines.end(), last.begin(), last.end());
  if (lines.size() > height) lines.erase(lines.begin() + 1, lines.end() - 1);  // title and note
  lines.resize(std::min(lines.size(), height));
  for (std::string& line : lines) line = CutTo(line, width);
  return lines;
}

}  // namespace sash
