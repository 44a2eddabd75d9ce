#include "daemon/check/named_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <map>
#include <string>
#include <variant>

#include "connectors/replay/replay_files.h"
#include "connectors/sinks/file_trail.h"
#include "connectors/sinks/letter_rotation.h"
#include "daemon/check/file_uses.h"
#include "daemon/config/error_list.h"
#include "daemon/recovery/recovery.h"

namespace sash {
namespace {

// Adds librdkafka's options that are file paths.
void AddFileOptions(const std::string& key, const std::map<std::string, std::string>& options,
                    FileUses& uses) {
  for (const auto& [option, value] : options) {
    const bool is_file = option.ends_with(".location") || option.ends_with(".keytab");
    if (is_file && !value.empty()) uses.Read(key + "." + option, value);
  }
}

// `at`: the key of the mapping.
void AddSchemaFiles(const std::string& at, const FormatSpec& format, FileUses& uses) {
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  if (json != nullptr && json->avro && !json->avro->path.empty()) {
    uses.Read(at + ".avro.schema", json->avro->path);
  }
  if (!format.registry) return;
  for (const auto& [key, path] : {std::pair("ca", format.registry->ca),
                                  std::pair("certificate", format.registry->certificate),
                                  std::pair("key", format.registry->key)}) {
    if (!path.empty()) uses.Read(fmt::format("{}.registry.{}", at, key), path);
  }
}

void AddSource(const SourceConfig& source, FileUses& uses) {
  if (const auto* replay = std::get_if<ReplaySpec>(&source.connector)) {
    const std::string key = "source.replay.path";
    for (const std::string& path : replay->paths) {
      if (path == "-") {
        uses.Stream(key, "standard input", STDIN_FILENO, false);
      } else if (IsPattern(path)) {
        uses.ReadPattern(key, path);
      } else {
        uses.Read(key, path);
      }
    }
  }
  if (source.slices() != nullptr) uses.Read("source.export.path", source.slices()->path);
  if (const auto* kafka = std::get_if<KafkaSpec>(&source.connector)) {
    AddFileOptions("source.kafka.options", kafka->options, uses);
  }
  const std::vector<FormatSpec>& mappings = source.format.mappings;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    AddSchemaFiles(JoinIndex("source.mappings", i), mappings[i], uses);
  }
  if (mappings.empty()) AddSchemaFiles("source.format", source.format, uses);
  const DeadLetterSpec& letters = source.dead_letters;
  uses.Write("source.dead_letters.path", letters.path,
             {letters.path + std::string(kRotatingEnding), FileTrail::PathFor(letters.path)});
  if (!letters.kafka) return;
  AddFileOptions("source.dead_letters.options", letters.kafka->options, uses);
  uses.Folder("source.dead_letters.outbox.path", letters.kafka->outbox.path,
              FileUses::FolderKind::kOutbox);
}

void AddSink(const std::string& key, const SinkSpec& sink, FileUses& uses) {
  if (const auto* file = std::get_if<FileSinkSpec>(&sink)) {
    uses.Write(key + ".file.path", file->path, {FileTrail::PathFor(file->path)});
  } else if (const auto* kafka = std::get_if<KafkaSinkSpec>(&sink)) {
    AddFileOptions(key + ".kafka.options", kafka->options, uses);
    uses.Folder(key + ".kafka.outbox.path", kafka->outbox.path, FileUses::FolderKind::kOutbox);
  } else if (const auto* webhook = std::get_if<WebhookSinkSpec>(&sink)) {
    for (const auto& [name, path] :
         {std::pair("ca", webhook->ca), std::pair("certificate", webhook->certificate),
          std::pair("key", webhook->key)}) {
      if (!path.empty()) uses.Read(fmt::format("{}.webhook.{}", key, name), path);
    }
    uses.Folder(key + ".webhook.outbox.path", webhook->outbox.path, FileUses::FolderKind::kOutbox);
  } else {
    uses.Stream(key + ".terminal", "standard output", STDOUT_FILENO, true);
  }
}

}  // namespace

void AddSharedFiles(ParsedConfig& parsed) {
  FileUses uses(parsed);
  for (std::size_t i = 0; i < parsed.files.size(); ++i) {
    uses.Read(i == 0 ? "" : "include", parsed.files[i]);
  }
  for (const auto& [key, file] : parsed.secret_files) uses.Read(key, file);
  const Config& config = parsed.config;
  if (config.http.tls) {
    uses.Read("http.tls.certificate", config.http.tls->certificate);
    uses.Read("http.tls.key", config.http.tls->key);
  }
  AddSource(config.source, uses);
  const bool keeps_alerts = !config.alerts.empty() && !config.source.is_finite();
  if (config.recovery.kind == RecoveryConfig::Kind::kCheckpoint || KeepsJournal(config) ||
      keeps_alerts) {
    uses.Folder("state.path", config.recovery.path, FileUses::FolderKind::kState);
  }
  if (!config.memory.spill.empty()) {
    uses.Folder("memory.spill", config.memory.spill, FileUses::FolderKind::kSpill);
  }
  for (std::size_t i = 0; i < config.sinks.size(); ++i) {
    AddSink(fmt::format("sinks[{}]", i), config.sinks[i], uses);
  }
  for (std::size_t i = 0; i < config.exports.size(); ++i) {
    uses.Folder(ExportKey(config.exports[i], i, "path"), config.exports[i].path,
                FileUses::FolderKind::kExport);
  }
  uses.FindIntruders();
}

}  // namespace sash
