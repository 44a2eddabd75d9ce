// source.mappings: several mappings, each with the keys of source.format and its own topics.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/envelope_uses.h"
#include "connectors/codec/mapped_topics.h"
#include "daemon/config/mapping_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/source_topics.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/time_forms.h"
#include "daemon/config/topics_form.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::string_view kMapping = "source.mappings[]";
constexpr std::string_view kMappingTime = "source.mappings[].time";
constexpr std::string_view kMappingTopics = "source.mappings[].topics";

// MappingReader reads it, because a time of an edge may say the same.
KeyRow<FormatSpec> MappingTimeRow() {
  return {{"time",
           {SectionShape{kMappingTime}},
           "How the times of this mapping are written, in place of source.time."},
          nullptr,
          [](YamlPrinter& out, int depth, const FormatSpec& mapping) {
            out.Line(depth, "time");
            PrintRows(out, depth + 1, TimeTextRows(), mapping);
          },
          [](const FormatSpec& a, const FormatSpec& b) { return SameRows(TimeTextRows(), a, b); }};
}

KeyRows<FormatSpec> MakeMappingRows() {
  using Key = KeyRow<FormatSpec>;
  KeyRows<FormatSpec> rows = {
      Key("name", &FormatSpec::name,
          TextForm{kName, "a name that is unique in this list", ParseName},
          "Unique among the mappings; part of metric labels and dead letters.")
          .Default("none"),
      Key("topics", kWhole,
          TopicsForm{.pattern_section = kMappingTopics,
                     .example = "a list of topics, such as [payments]"},
          "The topics whose records the mapping takes: a list of names, or a pattern; without this "
          "key all. The topic of a replay is replay.")
          .Default("[]")
          .Range("topics of the source, each once; or a pattern"),
  };
  for (const KeyRow<FormatSpec>& row : FormatRows()) {
    const std::string_view key = row.key.name;
    rows.push_back(key == "keys"        ? row.Default("string")
                   : key == "tombstone" ? row.Default("ignore")
                                        : row);
  }
  rows.push_back(MappingTimeRow());
  return rows;
}

const KeyRows<FormatSpec>& MappingRows() {
  static const KeyRows<FormatSpec> rows = MakeMappingRows();
  return rows;
}

// Whether rows of files are found in the same way.
bool SameRowSyntax(const FormatSpec& a, const FormatSpec& b) {
  const auto* left = std::get_if<CsvMapping>(&a.mapping);
  const auto* right = std::get_if<CsvMapping>(&b.mapping);
  if (left == nullptr || right == nullptr) return left == right;
  return left->delimiter == right->delimiter && left->multiline == right->multiline &&
         left->quotes == right->quotes && left->comment == right->comment &&
         left->skip_rows == right->skip_rows && NamesColumns(*left) == NamesColumns(*right);
}

class MappingReader {
 public:
  MappingReader(bool replay, const SourceConfig& source) : replay_(replay), topics_(source) {}

  void Read(const Section& section) {
    const std::size_t number = specs_.size();
    FormatSpec& spec = specs_.emplace_back();
    const auto form =
        section.ExactlyOne({"json", "avro", "csv"},
                           "json: {source: /from, target: /to} or csv: {source: 1, target: 2}");
    ReadEdges edges = ReadMapped(section, form, MappingRows(), replay_, spec);
    if (form) CheckSchemas(section, *form, replay_);
    if (spec.name.empty()) spec.name = std::to_string(number);
    CheckName(section, number);
    CheckTopics(section, spec);
    ReadTime(section, spec, edges);
    says_how_.push_back(edges.says_how);
    if (edges.sections.empty()) return;
    CheckWithFirst(section, number, edges);
    if (!maps_time_) maps_time_ = edges.maps_time;
  }

  ReadFormatResult Take() && {
    ReadFormatResult result;
    if (specs_.empty()) return result;
    result.spec.mapping = specs_.front().mapping;
    result.spec.keys = specs_.front().keys;
    result.spec.tombstone = specs_.front().tombstone;
    for (const FormatSpec& spec : specs_) {
      if (!result.spec.registry) result.spec.registry = spec.registry;
    }
    result.spec.mappings = std::move(specs_);
    result.maps_time = maps_time_;
    result.say_how = std::move(says_how_);
    return result;
  }

 private:
  void CheckName(const Section& section, std::size_t number) const {
    const std::string& name = specs_[number].name;
    for (std::size_t i = 0; i < number; ++i) {
      if (specs_[i].name != name) continue;
      section.Fail("name",
                   fmt::format("`{}` is the name of an earlier mapping; give another name", name));
    }
  }

  void CheckTopics(const Section& section, const FormatSpec& spec) const {
    for (const std::string& topic : spec.topics) {
      if (!topics_.MayHave(topic)) {
        section.Fail("topics", fmt::format("`{}` is not a topic of the source, which reads {}",
                                           topic, topics_.Text()));
      }
    }
    // A pattern of the source may match topics of any names.
    if (spec.topic_pattern.empty() || topics_.names().empty()) return;
    const Result<MappedTopics> mapped = MappedTopics::Of(spec);
    SASH_CHECK(mapped.ok());
    const bool takes_one = std::ranges::any_of(
        topics_.names(), [&](const std::string& topic) { return mapped.value().Take(topic); });
    if (takes_one) return;
    section.Fail("topics", fmt::format("`{}` matches no topic of the source, which reads {}",
                                       spec.topic_pattern, topics_.Text()));
  }

  static void ReadTime(const Section& section, FormatSpec& spec, ReadEdges& edges) {
    if (!section.Has("time")) return;
    if (edges.says_how) {
      return section.Fail("time",
                          "is given, but the time of an edge says how times are written; leave out "
                          "one of them");
    }
    const Section time = section.Child("time", kMappingTime);
    ReadRows(time, TimeTextRows(), spec);
    CheckTimeText(time, spec);
    edges.says_how = true;
    const Status unit = CheckTimestampUnit(spec);
    if (!unit.ok()) section.Fail("time", unit.error().message);
  }

  // What must be the same in all mappings.
  void CheckWithFirst(const Section& section, std::size_t number, const ReadEdges& edges) const {
    const FormatSpec& first = specs_.front();
    const FormatSpec& spec = specs_[number];
    constexpr const char* kSame = "must be that of the first mapping: a source has one `{}`";
    if (spec.keys != first.keys) section.Fail("keys", fmt::format(kSame, "keys"));
    if (spec.tombstone != first.tombstone) {
      section.Fail("tombstone", fmt::format(kSame, "tombstone"));
    }
    const auto with_registry = std::ranges::find_if(
        specs_, [](const FormatSpec& each) { return each.registry.has_value(); });
    if (spec.registry && *spec.registry != *with_registry->registry) {
      section.Fail("registry", fmt::format("must be that of mapping {}: a source has one registry",
                                           with_registry->name));
    }
    if (maps_time_ && edges.maps_time != *maps_time_) {
      edges.sections.front().Fail(
          "time", *maps_time_ ? "is required: the first mapping has a time ($timestamp is that of "
                                "the record in Kafka)"
                              : "must be left out: the first mapping has none");
    }
    if (replay_ && !SameRowSyntax(spec, first)) {
      section.Fail(std::holds_alternative<CsvMapping>(spec.mapping) ? "csv" : "json",
                   "reads the rows of a file otherwise than the first mapping: in a replay all "
                   "mappings are json, or all are csv with the same delimiter, quote, comment, "
                   "multiline and skip_rows, and with columns by name or by number");
    }
  }

  const bool replay_;
  const SourceTopics topics_;
  std::vector<FormatSpec> specs_;
  std::vector<bool> says_how_;
  std::optional<bool> maps_time_;
};

}  // namespace

ReadFormatResult ReadMappings(const Section& source, bool replay, const SourceConfig& config) {
  MappingReader reader(replay, config);
  const std::vector<Place> places = source.Items("mappings", "a list of mappings");
  for (std::size_t i = 0; i < places.size() && i < kMostMappings; ++i) {
    reader.Read(Section(places[i], kMapping, source.errors()));
  }
  const YamlNode::Kind kind = source.At("mappings").node->kind;
  const bool is_list = kind == YamlNode::Kind::kList || kind == YamlNode::Kind::kEmpty;
  if (is_list && places.empty()) {
    source.Fail("mappings", "must have a mapping, such as {json: {source: /from, target: /to}}");
  }
  if (places.size() > kMostMappings) {
    source.Fail("mappings", fmt::format("has {} mappings; at most {} are possible", places.size(),
                                        kMostMappings));
  }
  return std::move(reader).Take();
}

void PrintMappings(YamlPrinter& out, int depth, const FormatSpec& format) {
  if (format.mappings.empty()) return;
  out.Line(depth, "mappings");
  for (const FormatSpec& mapping : format.mappings) {
    out.BeginItem();
    PrintRows(out, depth + 2, MappingRows(), mapping);
  }
}

bool SameMappings(const FormatSpec& a, const FormatSpec& b) {
  return std::ranges::equal(a.mappings, b.mappings,
                            [](const FormatSpec& left, const FormatSpec& right) {
                              return SameRows(MappingRows(), left, right);
                            });
}

std::vector<SectionSpec> MappingSections() {
  SectionSpec time = SectionFrom(kMappingTime, TimeTextRows());
  for (KeySpec& key : time.keys) key.about = "As in source.time.";
  return {SectionFrom(kMapping, MappingRows(), {"json", "avro", "csv"}),
          PatternSection(kMappingTopics,
                         "A regular expression (RE2); any part of a name may match. Topics that "
                         "match later go to this mapping too."),
          std::move(time)};
}

}  // namespace sash
