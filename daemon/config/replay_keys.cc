#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/config/scalar_text.h"
#include "daemon/config/source_keys.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

// Form of a percentage of records.
struct PercentageForm {
  std::vector<Shape> Shapes() const {
    return {Text{R"(^(100(\.0{1,4})?|0?[0-9]{1,2}(\.[0-9]{1,4})?) ?%$)", kNothing,
                 "a percentage such as 50%"}};
  }
  void Read(const Section& section, const KeySpec& key, double& percent) const {
    section.Read(key.name, percent, "a percentage such as 50%", ParsePercentage);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, double percent) const {
    out.Line(depth, key.name, FormatPercentage(percent));
  }
};

// Form of the files of a replay: one path, or a list.
struct PathsForm {
  static constexpr std::string_view kExpected =
      "the path of a file, \"-\" for standard input, or a list of paths";

  std::vector<Shape> Shapes() const { return {kAnyText, Items{kAnyText, true}}; }
  void Read(const Section& replay, const KeySpec& key, std::vector<std::string>& paths) const {
    if (!replay.Has(key.name))
      return replay.FailMissing(key.name, fmt::format("give {}", kExpected));
    const Place place = replay.At(key.name);
    if (place.node->kind != YamlNode::Kind::kList) {
      std::string path;
      if (ReadAt(place, path, kExpected, ParseNonEmpty, replay.errors())) paths = {path};
      return;
    }
    const std::vector<Place> items = replay.Items(key.name, kExpected);
    if (items.empty()) replay.Fail(key.name, "is empty; give at least one path");
    for (const Place& item : items) {
      std::string path;
      const auto parse = [&](std::string_view text) -> Result<std::string> {
        if (text == "-" && items.size() > 1) {
          return Wrong("is standard input, which cannot be one of several files; give it alone");
        }
        if (std::ranges::find(paths, text) == paths.end()) return ParseNonEmpty(text);
        return Wrong(fmt::format("`{}` is listed twice; keep one", text));
      };
      if (ReadAt(item, path, "the path of a file", parse, replay.errors())) paths.push_back(path);
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& paths) const {
    out.Line(depth, key.name, paths.size() == 1 ? Quote(paths.front()) : QuoteAll(paths));
  }
};

template <typename Member>
auto OfReplay(Member member) {
  return Of(
      [](auto& source) -> auto& { return std::get<ReplaySpec>(source.connector); }, member);
}

}  // namespace

const KeyRows<SourceConfig>& ReplayRows() {
  using Key = KeyRow<SourceConfig>;
  static const KeyRows<SourceConfig> rows = {
      Key("path", OfReplay(&ReplaySpec::paths), PathsForm{},
          "The path of a file; a pattern of glob(7), which reads its files in the order of the "
          "bytes of their names; or a list of both. Each file has its own header. \"-\" is "
          "standard input.",
          kRequired)
          .Range("any path, or a list of paths, each once"),
      Key("pace", OfReplay(&ReplaySpec::pace),
          OneOf<ReplayPace>{{"full", ReplayPace::kFull}, {"event_time", ReplayPace::kEventTime}},
          "full: as fast as possible; event_time: as fast as the events happened."),
      Key("at_end", OfReplay(&ReplaySpec::at_end),
          OneOf<SourceEnd>{{"exit", SourceEnd::kExit}, {"stay", SourceEnd::kStay}},
          "After the last window: exit, or stay until the process is stopped, so that the API and "
          "the console can be looked at."),
      Key("refuse_at_most", &SourceConfig::refuse_at_most, PercentageForm{},
          "If a greater share of the records is refused (late records do not count), the process "
          "exits with code 1 and reports why and where; the results remain. With sashd --replay, "
          "use the option --refuse-at-most instead.")
          .Range("0% to 100%"),
  };
  return rows;
}

}  // namespace sash
