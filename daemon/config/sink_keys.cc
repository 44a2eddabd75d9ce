#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/config/item_names.h"
#include "daemon/config/normal_path.h"
#include "daemon/config/sections.h"
#include "daemon/config/sink_rows.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

void CheckCsv(const Section& file, const FileSinkSpec& spec) {
  if (spec.format != RowFormat::kCsv) return;
  if (spec.content != SinkContent::kRows) {
    file.Fail("format", "is `csv`, which only rows can be; add `content: rows`, or give json");
  }
  if (spec.jobs.size() != 1) {
    file.Fail("format",
              "is `csv`, where one header names the columns of all rows; name one job in `jobs`");
  }
  if (spec.checksum) {
    file.Fail("checksum", "adds a member to JSON, and `format: csv` has none; leave it out");
  }
}

const KeyRows<FileSinkSpec, SinkContext>& FileSinkRows() {
  using Key = KeyRow<FileSinkSpec, SinkContext>;
  static const TextForm path{kFile, "the path of a file to write", ParseFilePath};
  static const OneOf<RowFormat> formats{{"json", RowFormat::kJson}, {"csv", RowFormat::kCsv}};
  static const KeyRows<FileSinkSpec, SinkContext> rows = {
      Key("path", &FileSinkSpec::path, path,
          "The file; nothing else in the configuration may use it.", kRequired)
          .ReadBy([](const Section& file, FileSinkSpec& spec, SinkContext& context) {
            if (!file.Require("path", spec.path, path.expected, path.parse)) return;
            const auto [use, fresh] = context.uses.emplace(NormalPath(spec.path), file.path());
            if (fresh) return;
            file.Fail("path", fmt::format("`{}` is the file of {} already; give each its own file",
                                          spec.path, use->second));
          }),
      SinkNameRow<FileSinkSpec>(),
      JobNamesRow<FileSinkSpec>(),
      VerticesRow<FileSinkSpec>(),
      PartialRow<FileSinkSpec>(),
      ContentRow<FileSinkSpec>(),
      Key("checksum", &FileSinkSpec::checksum, Flag{},
          "Ends each line with a member \"crc32c\": the CRC-32C of the bytes before its comma, as "
          "eight hexadecimal digits. `sashd --verify results.jsonl` reports damaged lines."),
      Key("format", &FileSinkSpec::format, formats,
          "csv (only with `content: rows`, and for one job): rows as CSV (RFC 4180), under a "
          "header "
          "row at the beginning of the file.")
          .ReadBy([](const Section& file, FileSinkSpec& spec, SinkContext&) {
            file.Choose("format", spec.format, formats.choices);
            CheckCsv(file, spec);
          }),
  };
  return rows;
}

template <typename Spec>
KeyRow<SinkSpec> KindRow(std::string_view name, std::string_view section,
                         const KeyRows<Spec, SinkContext>& rows, std::string_view about) {
  return {{name, {SectionShape{section}}, about},
          nullptr,
          [name, &rows](YamlPrinter& out, int depth, const SinkSpec& sink) {
            const auto* spec = std::get_if<Spec>(&sink);
            if (spec == nullptr) return;
            out.Line(depth, name, rows.empty() ? "{}" : "");
            PrintRows(out, depth + 1, rows, *spec);
          },
          [&rows](const SinkSpec& a, const SinkSpec& b) {
            const auto* left = std::get_if<Spec>(&a);
            const auto* right = std::get_if<Spec>(&b);
            if (left == nullptr || right == nullptr) return left == right;
            return SameRows(rows, *left, *right);
          }};
}

const KeyRows<TerminalSinkSpec, SinkContext>& TerminalSinkRows() {
  static const KeyRows<TerminalSinkSpec, SinkContext> rows;
  return rows;
}

}  // namespace

const KeyRows<SinkSpec>& SinkRows() {
  static const KeyRows<SinkSpec> rows = {
      KindRow("file", "sinks[].file", FileSinkRows(), "One JSON object a line; rows also as CSV."),
      KindRow("terminal", "sinks[].terminal", TerminalSinkRows(),
              "One readable line for each advance."),
      KindRow(
          "kafka", "sinks[].kafka", KafkaSinkRows(),
          "One message for each result to a topic: the same JSON, with the key {\"job\", "
          "\"window\", \"window_end\"} (by events: \"accepted\"; rows also \"row\"), so that a "
          "result sent again replaces the first one in a compacted topic. All results of a job go "
          "to one partition."),
      KindRow("webhook", "sinks[].webhook", WebhookSinkRows(),
              "One POST request for each result, in order and through an outbox. A result is sent "
              "until the receiver answers 2xx; one that the receiver refuses (3xx, and 4xx other "
              "than 408, 425 and 429) is kept in the file `parked` of the outbox."),
  };
  return rows;
}

std::vector<SectionSpec> SinkSections() {
  return {SectionFrom("sinks[]", SinkRows(), {"file", "terminal", "kafka", "webhook"}),
          SectionFrom("sinks[].file", FileSinkRows()),
          SectionFrom("sinks[].terminal", TerminalSinkRows()),
          SectionFrom("sinks[].kafka", KafkaSinkRows()),
          SectionFrom("sinks[].kafka.outbox", SinkOutboxRows()),
          SectionFrom("sinks[].webhook", WebhookSinkRows()),
          SectionFrom("sinks[].webhook.outbox", WebhookOutboxRows())};
}

std::vector<SinkSpec> ReadSinks(const Section& root, const SourceConfig& source,
                                const std::vector<JobSpec>& specs) {
  Uses uses;
  if (const auto* replay = std::get_if<ReplaySpec>(&source.connector)) {
    for (const std::string& path : replay->paths) {
      if (path != "-") uses.emplace(NormalPath(path), "source.replay.path");
    }
  }
  uses.emplace(NormalPath(source.dead_letters.path), "source.dead_letters.path");
  if (const auto& letters = source.dead_letters.kafka) {
    uses.emplace(NormalPath(letters->outbox.path), "source.dead_letters");
    uses.emplace(letters->brokers + "//" + letters->topic, "source.dead_letters");
  }
  const SinkJobs jobs{WrittenNames(root, "jobs"), specs};
  std::vector<SinkSpec> sinks;
  std::vector<std::string> names;
  for (const Place& item : root.Items("sinks", "a list of sinks")) {
    const Section sink(item, "sinks[]", root.errors());
    if (item.node->kind != YamlNode::Kind::kMapping && item.node->kind != YamlNode::Kind::kEmpty) {
      continue;
    }
    const bool unknown_only = !item.node->entries.empty() && !sink.Has("file") &&
                              !sink.Has("terminal") && !sink.Has("kafka") && !sink.Has("webhook");
    if (unknown_only) continue;  // reported as unknown keys
    const auto kind = sink.ExactlyOne({"file", "terminal", "kafka", "webhook"},
                                      "{file: {path: results.jsonl}}, {kafka: {topic: results}}, "
                                      "{webhook: {name: hook, url: ...}} or {terminal: {}}");
    SinkContext context{jobs, std::get_if<KafkaSpec>(&source.connector), uses, names};
    const auto read = [&]<typename Spec>(const auto& rows, Spec spec) {
      const std::string section = fmt::format("sinks[].{}", *kind);
      ReadRows(sink.Child(*kind, section), rows, spec, context);
      sinks.emplace_back(std::move(spec));
    };
    if (kind == "file") read(FileSinkRows(), FileSinkSpec());
    if (kind == "kafka") read(KafkaSinkRows(), KafkaSinkSpec());
    if (kind == "webhook") read(WebhookSinkRows(), WebhookSinkSpec());
    if (kind == "terminal") read(TerminalSinkRows(), TerminalSinkSpec());
  }
  return sinks;
}

}  // namespace sash
