#include "connectors/export/snapshots/snapshot_manifest.h"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/export/parquet/parquet_text.h"
#include "connectors/export/stored_file.h"
#include "connectors/sinks/time_text.h"
#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using ManifestJson = nlohmann::json;

Error NotASnapshot(const std::string& why) {
  return {ErrorCode::kCorruption, "snapshot.json: it is not that of a snapshot in Parquet: " + why};
}

// The names of `files` ascend.
Status ReadTables(const ManifestJson& files, SnapshotManifest& manifest) {
  std::uint64_t edges = 0;
  for (const auto& [name, about] : files.items()) {
    const auto checksum = ChecksumIn(about.at("crc32c").get<std::string>());
    if (!checksum) return NotASnapshot("`crc32c` of " + name);
    WrittenTable table{.name = name,
                       .rows = about.at("rows").get<std::uint64_t>(),
                       .bytes = about.at("bytes").get<std::uint64_t>(),
                       .checksum = *checksum};
    if (name == "vertices.parquet") {
      manifest.vertices = std::move(table);
    } else if (name == fmt::format("edges-{:05}.parquet", manifest.edges.size())) {
      edges += table.rows;
      manifest.edges.push_back(std::move(table));
    } else {
      return NotASnapshot("`files` names " + name);
    }
  }
  if (manifest.vertices.name.empty() || manifest.edges.empty()) {
    return NotASnapshot("`files` lacks vertices.parquet or edges-00000.parquet");
  }
  if (edges != manifest.edge_count) {
    return NotASnapshot("`edges` is not the sum of the files' rows");
  }
  return Ok{};
}

}  // namespace

Result<SnapshotManifest> ParseSnapshotManifest(std::string_view text) try {
  if (IsNestedTooDeeply(text)) return NotASnapshot(std::string(kNestedTooDeeply));
  const ManifestJson json = ManifestJson::parse(text);
  if (!json.contains("parquet")) {
    return NotASnapshot(json.contains("frozen") ? "it is that of a frozen snapshot"
                                                : "it has no member `parquet`");
  }
  if (json.at("parquet") != kParquetFormat) {
    return NotASnapshot("its version is " + json.at("parquet").dump());
  }
  SnapshotManifest manifest{.window = json.at("window").get<std::string>(),
                            .snapshot = json.at("snapshot").get<std::uint64_t>(),
                            .gap = json.at("gap").get<bool>(),
                            .late = json.at("late").get<std::uint64_t>(),
                            .refused = json.at("refused").get<std::uint64_t>(),
                            .has_reals = json.at("weights") == "float64",
                            .has_types = json.at("types").get<bool>(),
                            .edge_count = json.at("edges").get<std::uint64_t>()};
  const auto end = ParseTimeText(json.at("window_end").get<std::string>());
  if (!end) return NotASnapshot("`window_end` is not a time");
  manifest.window_end = *end;
  const std::string kind = json.at("keys").at("kind").get<std::string>();
  if (kind != "integer" && kind != "string") return NotASnapshot("`keys.kind` is " + kind);
  manifest.keys = kind == "integer" ? KeyKind::kInteger : KeyKind::kString;
  if (Status read = ReadTables(json.at("files"), manifest); !read) return read.error();
  return manifest;
} catch (const std::exception& wrong) {
  return NotASnapshot(wrong.what());
}

}  // namespace sash
