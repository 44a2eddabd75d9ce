#include "connectors/codec/mapping_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/codec/quoted_text.h"

namespace sash {
namespace {

std::string_view UnwrapText(Unwrap unwrap) {
  switch (unwrap) {
    case Unwrap::kNone:
      break;
    case Unwrap::kConnect:
      return "connect";
    case Unwrap::kCloudEvents:
      return "cloudevents";
    case Unwrap::kDebezium:
      return "debezium";
  }
  return "none";
}

// Quotes distinguish a name from a number.
std::string FieldText(const std::string& pointer) { return Quoted(pointer); }

std::string FieldText(const CsvColumn& column) {
  if (const auto* number = std::get_if<std::uint32_t>(&column)) {
    return fmt::format("column {}", *number);
  }
  if (const auto* beside = std::get_if<EnvelopeName>(&column)) return Quoted(beside->text);
  return "column " + Quoted(std::get<std::string>(column));
}

std::string_view WordOf(KeyKind keys) { return keys == KeyKind::kString ? "string" : "integer"; }

std::string_view WordOf(TombstonePolicy tombstone) {
  switch (tombstone) {
    case TombstonePolicy::kIgnore:
      return "ignore";
    case TombstonePolicy::kRemove:
      return "remove";
    case TombstonePolicy::kDeadLetter:
      break;
  }
  return "dead_letter";
}

std::string_view WordOf(TimeOrigin origin) {
  switch (origin) {
    case TimeOrigin::kField:
      return "field";
    case TimeOrigin::kKafka:
      return "kafka";
    case TimeOrigin::kClock:
      break;
  }
  return "clock";
}

std::string_view WordOf(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds:
      return "s";
    case TimeUnit::kMilliseconds:
      return "ms";
    case TimeUnit::kMicroseconds:
      return "us";
    case TimeUnit::kNanoseconds:
      return "ns";
    case TimeUnit::kRfc3339:
      return "rfc3339";
    case TimeUnit::kIso8601:
      return "iso8601";
    case TimeUnit::kFormat:
      return "format";
    case TimeUnit::kStep:
      break;
  }
  return "step";
}

std::string_view WordOf(LetterCase letters) {
  return letters == LetterCase::kLower ? "lower" : "upper";
}

using Lines = std::map<std::string, std::string, std::less<>>;

// Settings that are not used have no line, so that the text is as in versions without them.
template <typename Field>
void AddKey(const std::string& name, const KeyParts<Field>& parts, Lines& lines) {
  for (const auto& field : parts.rest.more) {
    lines[name] += fmt::format(" + {} + {}", Quoted(parts.rest.separator), FieldText(field));
  }
  if (!parts.text.prefix.empty()) lines[name + ".prefix"] = Quoted(parts.text.prefix);
  if (parts.text.letters != LetterCase::kAsWritten) {
    lines[name + ".case"] = WordOf(parts.text.letters);
  }
  if (parts.text.trim) lines[name + ".trim"] = "true";
}

void AddWeight(const std::string& name, const WeightSpelling& weight, Lines& lines) {
  if (weight.decimal != '.') lines[name + ".decimal"] = Quoted({&weight.decimal, 1});
  if (!weight.group.empty()) lines[name + ".group"] = Quoted(weight.group);
  if (weight.invalid != InvalidWeight::kRefuse) {
    lines[name + ".invalid"] = weight.invalid == InvalidWeight::kOne ? "one" : "zero";
  }
}

void AddOperations(const std::string& name, const OperationWords& words, Lines& lines) {
  const auto add = [&](const char* meaning, std::vector<std::string> list) {
    std::ranges::sort(list);
    for (const std::string& word : list) lines[name + meaning] += Quoted(word);
  };
  add(".add", words.add);
  add(".remove", words.remove);
  add(".remove_vertex", words.remove_vertex);
  add(".skip", words.skip);
}

// `edge`: the name of the edge, as "edges[0]".
template <typename Mapping>
void AddFields(const std::string& edge, const Mapping& mapping, bool with_time, Lines& lines) {
  const auto add = [&](const char* name, const auto& field) {
    lines[edge + name] = field ? FieldText(*field) : "none";
  };
  add(".source", std::optional(mapping.source));
  add(".target", std::optional(mapping.target));
  add(".weight", mapping.weight);
  add(".operation", mapping.operation);
  AddKey(edge + ".source", mapping.source_parts, lines);
  AddKey(edge + ".target", mapping.target_parts, lines);
  AddWeight(edge + ".weight", mapping.weight_text, lines);
  AddOperations(edge + ".operation", mapping.operation_words, lines);
  if (mapping.both_directions) lines[edge + ".direction"] = "both";
  if (mapping.type) add(".type", mapping.type);
  if (!mapping.type_word.empty()) lines[edge + ".type"] = "word " + Quoted(mapping.type_word);
  AddKey(edge + ".type", mapping.type_parts, lines);
  if (mapping.id) add(".id", mapping.id);
  AddKey(edge + ".id", mapping.id_parts, lines);
  if (!with_time) return;
  add(".time", mapping.time);
  for (const auto& field : mapping.time_rest.more) {
    lines[edge + ".time"] +=
        fmt::format(" + {} + {}", Quoted(mapping.time_rest.separator), FieldText(field));
  }
}

void AddElements(const CsvMapping& /*mapping*/, bool /*with_time*/, Lines& /*lines*/) {}
void AddElements(const JsonMapping& mapping, bool with_time, Lines& lines) {
  if (mapping.each) lines["each"] = Quoted(*mapping.each);
  for (std::size_t i = 0; i < mapping.more_edges.size(); ++i) {
    AddFields(fmt::format("edges[{}]", i + 1), mapping.more_edges[i], with_time, lines);
  }
}

// Settings that are not used have no line, so that the text is as in versions without them.
void AddTime(const FormatSpec& format, Lines& lines) {
  const bool numbers = CountsIn(format.time_unit) || format.time_unit == TimeUnit::kStep;
  lines["time.unit"] = format.time_unit == TimeUnit::kStep
                           ? fmt::format("{}ns", format.time_step.count())
                           : std::string(WordOf(format.time_unit));
  if (numbers && format.time_base != EventTime()) {
    lines["time.base"] = fmt::format("{}ns", format.time_base.time_since_epoch().count());
  }
  if (format.time_unit == TimeUnit::kFormat) lines["time.format"] = Quoted(format.time_format);
  if (!numbers && !format.time_zone.empty()) lines["time.zone"] = format.time_zone;
}

Lines LinesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t colon = std::min(line.find(": "), line.size());
    lines[std::string(line.substr(0, colon))] = line.substr(std::min(colon + 2, line.size()));
  }
  return lines;
}

// What differs from mapping to mapping.
Lines LinesOf(const FormatSpec& format) {
  Lines lines;
  const bool with_time = format.time_origin == TimeOrigin::kField;
  if (!format.where.empty()) lines["where"] = Quoted(format.where);
  if (with_time) AddTime(format, lines);
  if (const auto* csv = std::get_if<CsvMapping>(&format.mapping)) {
    lines["records"] = "csv";
    lines["delimiter"] =
        csv->delimiter == kBlanks ? std::string("blanks") : Quoted({&csv->delimiter, 1});
    // Only where they differ from the default: texts of older versions have no such lines.
    if (!csv->quotes) lines["quotes"] = "off";
    if (!csv->comment.empty()) lines["comment"] = Quoted(csv->comment);
  } else {
    const auto& json = std::get<JsonMapping>(format.mapping);
    lines["records"] = json.avro ? "avro" : "json";
    if (json.avro && !json.avro->text.empty()) lines["schema"] = MappingDigest(json.avro->text);
    if (json.unwrap != Unwrap::kNone) lines["unwrap"] = UnwrapText(json.unwrap);
    if (json.text_at) lines["text_at"] = Quoted(*json.text_at);
  }
  std::visit(
      [&](const auto& mapping) {
        AddFields("edges[0]", mapping, with_time, lines);
        AddElements(mapping, with_time, lines);
      },
      format.mapping);
  for (const std::string& word : format.nulls) lines["nulls"] += Quoted(word);
  std::vector<std::string> topics = format.topics;
  std::ranges::sort(topics);
  for (const std::string& topic : topics) lines["topics"] += Quoted(topic);
  if (!format.topic_pattern.empty()) lines["topics"] = "pattern " + Quoted(format.topic_pattern);
  return lines;
}

}  // namespace

std::string MappingText(const FormatSpec& format, Duration dedupe_within) {
  Lines lines;
  if (dedupe_within > Duration::zero()) {
    lines["dedupe"] = fmt::format("{}ns", dedupe_within.count());
  }
  lines["keys"] = WordOf(format.keys);
  lines["tombstone"] = WordOf(format.tombstone);
  lines["time.from"] = WordOf(format.time_origin);
  if (format.mappings.empty()) lines.merge(LinesOf(format));
  const bool is_one = format.mappings.size() == 1 && format.mappings.front().topics.empty() &&
                      format.mappings.front().topic_pattern.empty();
  for (std::size_t i = 0; i < format.mappings.size(); ++i) {
    const std::string mapping = is_one ? "" : fmt::format("mappings[{}].", i);
    for (auto& [name, value] : LinesOf(format.mappings[i])) lines[mapping + name] = value;
  }
  std::string text;
  for (const auto& [name, value] : lines) text += fmt::format("{}: {}\n", name, value);
  return text;
}

std::string MappingDigest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a: the hash is not for security
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

std::string MappingDifference(std::string_view before, std::string_view now) {
  const Lines old_lines = LinesOf(before);
  const Lines new_lines = LinesOf(now);
  const auto value = [](const Lines& lines, const std::string& name) -> std::string {
    const auto found = lines.find(name);
    return found == lines.end() ? "none" : found->second;
  };
  Lines names = old_lines;
  names.insert(new_lines.begin(), new_lines.end());
  std::string difference;
  for (const auto& [name, ignored] : names) {
    const std::string was = value(old_lines, name);
    const std::string is = value(new_lines, name);
    if (was == is) continue;
    difference +=
        fmt::format("{}{} was {} and is {}", difference.empty() ? "" : "; ", name, was, is);
  }
  return difference;
}

}  // namespace sash
