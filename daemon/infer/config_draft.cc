#include "daemon/infer/config_draft.h"

#include <fmt/format.h>

#include <utility>

#include "connectors/codec/delimiter_guess.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

// "a: 1, b: 2" in the order in which they are added.
class FlowText {
 public:
  void Add(std::string_view key, std::string_view value) {
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", key, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void AddDialect(const CsvDialect& dialect, FlowText& csv) {
  if (dialect.delimiter != ',') csv.Add("delimiter", DelimiterText(dialect.delimiter));
  if (!dialect.quotes) csv.Add("quote", "none");
  if (!dialect.comment.empty()) csv.Add("comment", Quote(dialect.comment));
  if (dialect.skip_rows > 0) csv.Add("skip_rows", std::to_string(dialect.skip_rows));
}

std::string Connector(const SampleOrigin& origin, bool refuses_many) {
  if (origin.is_topic()) {
    return fmt::format("kafka: {{brokers: {}, topics: [{}]}}", Quote(origin.brokers),
                       YamlWord(origin.name));
  }
  return fmt::format("replay: {{path: {}{}}}", YamlWord(origin.name),
                     refuses_many ? ", refuse_at_most: 100%" : "");
}

}  // namespace

std::string DraftConfig(const SampleOrigin& origin, const SampleShape& shape,
                        const EdgeGuess& guess, const std::vector<std::string>& nulls,
                        const WindowPlan& plan, bool refuses_many) {
  const auto reference = [&](std::optional<std::size_t> field, std::string_view none) {
    return field ? shape.table.fields[*field].reference : std::string(none);
  };
  const auto key = [](const std::string& field, const std::string& prefix) {
    return prefix.empty() ? field : fmt::format("{{from: {}, prefix: {}}}", field, Quote(prefix));
  };
  FlowText mapping;
  if (!shape.unwrap.empty()) mapping.Add("unwrap", shape.unwrap);
  mapping.Add("source", key(reference(guess.source, "SOURCE"), guess.source_prefix));
  mapping.Add("target", key(reference(guess.target, "TARGET"), guess.target_prefix));
  if (guess.weight) {
    const std::string field = reference(guess.weight, "");
    mapping.Add("weight", guess.weight_keys.empty()
                              ? field
                              : fmt::format("{{from: {}, {}}}", field, guess.weight_keys));
  }
  const bool is_joined = guess.time_of_day.has_value();
  if (is_joined) {
    mapping.Add("time",
                fmt::format("{{from: [{}, {}], join: \" \", {}}}", reference(guess.time, ""),
                            reference(guess.time_of_day, ""), TimeKeysText(guess.time_guess->how)));
  } else if (guess.time) {
    mapping.Add("time", reference(guess.time, ""));
  }
  if (guess.operation) mapping.Add("operation", reference(guess.operation, ""));
  if (!shape.table.is_json) AddDialect(shape.dialect, mapping);

  std::string yaml =
      fmt::format("source:\n  {}\n  format:\n    {}: {{{}}}\n", Connector(origin, refuses_many),
                  shape.table.is_json ? "json" : "csv", mapping.text());
  yaml += fmt::format("    keys: {}\n", guess.keys == KeyKind::kInteger ? "integer" : "string");
  if (!nulls.empty()) yaml += fmt::format("    nulls: {}\n", QuoteAll(nulls));
  if (guess.time) {
    const std::string disorder = "disorder: " + FormatDuration(plan.disorder);
    yaml +=
        fmt::format("  time: {{{}}}\n",
                    is_joined ? disorder : TimeKeysText(guess.time_guess->how) + ", " + disorder);
  }
  const std::string window = WindowName(plan);
  yaml += fmt::format(
      "windows:\n  - {{{}}}\n"
      "jobs:\n  - {{name: ranks, kernel: pagerank, window: {}, top: 10}}\n"
      "  - {{name: shape, kernel: window, window: {}}}\n"
      "sinks:\n  - terminal: {{}}\n  - file: {{path: results.jsonl}}\n",
      WindowKeysText(plan), window, window);
  if (!origin.is_topic()) yaml += "http: off\n";
  return yaml;
}

}  // namespace sash
