// The keys of exports.
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/config/item_names.h"
#include "daemon/config/normal_path.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

struct ExportFolder {
  std::string path;  // in the normal form
  std::string key;   // of the section that uses it
};

struct ExportContext {
  std::vector<std::string> windows;        // their names, valid or not
  std::vector<ExportFolder> folders = {};  // of the exports before
};

// Whether one of the folders, in the normal form, is the other or lies in it.
bool AreNested(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.starts_with(a) && (a.size() == b.size() || a.ends_with('/') || b[a.size()] == '/');
}

void ReadExportFolder(const Section& section, ExportSpec& spec, ExportContext& context) {
  if (!section.Require("path", spec.path, "the path of a folder", ParseFilePath)) return;
  const std::string normal = NormalPath(spec.path);
  for (const ExportFolder& other : context.folders) {
    if (!AreNested(normal, other.path)) continue;
    return section.Fail(
        "path",
        fmt::format("`{}` is {} the folder of {}; give each export a folder of its own", spec.path,
                    normal == other.path ? "also" : "in, or around,", other.key));
  }
  context.folders.push_back({normal, section.path()});
}

using ExportKeyRow = KeyRow<ExportSpec, ExportContext>;

// False, after an error, if the key is given with `slices: true`.
bool GoesWithWindows(const Section& section, const ExportSpec& spec, std::string_view key) {
  if (!spec.slices || !section.Has(key)) return !spec.slices;
  section.Fail(key,
               "goes with windows, not with `slices: true`, which writes every slice; leave "
               "it out");
  return false;
}

ExportKeyRow ExportedWindowsRow(std::string_view about, Presence presence,
                                std::string_view remedy) {
  const KeySpec key{"windows", {Items{kAnyText, true}},      about, presence, Change::kRestart,
                    "",        "names of windows, each once"};
  return {key,
          [remedy](const Section& section, ExportSpec& spec, ExportContext& context) {
            if (!GoesWithWindows(section, spec, "windows")) return;
            if (!section.Has("windows")) return section.FailMissing("windows", remedy);
            ReadNamesOf(section, "windows", "a list of names of windows", context.windows,
                        spec.windows);
          },
          [](YamlPrinter& out, int depth, const ExportSpec& spec) {
            if (!spec.slices) out.Line(depth, "windows", QuoteAll(spec.windows));
          },
          [](const ExportSpec& a, const ExportSpec& b) { return a.windows == b.windows; }};
}

ExportKeyRow FolderRow(std::string_view about) {
  return ExportKeyRow("path", &ExportSpec::path,
                      TextForm{kFolder, "the path of a folder", ParseFilePath}, about, kRequired)
      .ReadBy(ReadExportFolder);
}

constexpr std::string_view kEveryText =
    "Writes an advance if its window end / slide is a multiple of this number.";
constexpr WholeNumber kEvery{1, 1'000'000};
constexpr WholeNumber kKeep{1, 1'000};
constexpr TimeSpan kKeepFor{.zero = false};
constexpr WholeNumber kLeases{0, 10'000};
constexpr TimeSpan kLeaseTtl{.zero = false};

// Reads `keep`. What would be right for the other kind of export is said to be so.
template <typename Value>
void ReadKeep(const Section& section, const Shape& shape, const Shape& other,
              std::string_view remedy, Value& value) {
  section.Read("keep", value, Expected(shape), [&](std::string_view text) -> Result<Value> {
    const Result<Quantity> quantity = ParseQuantity(shape, text);
    if (quantity) return std::get<Value>(quantity.value());
    if (ParseQuantity(other, text)) return Wrong(fmt::format("is `{}`, which {}", text, remedy));
    return quantity.error();
  });
}

// Slices stay for a time, and snapshots by their number.
ExportKeyRow ParquetKeepRow() {
  const KeySpec key{"keep",
                    {kKeep, kKeepFor},
                    "The newest snapshots of each window that stay; with `slices: true`, how far "
                    "the slices that stay reach back from the newest one, 24h without the key. "
                    "A snapshot or slice that a reader has locked stays longer.",
                    kOptional,
                    Change::kRestart,
                    "",
                    "1 to 1000, or 1ns to 7300d with `slices: true`"};
  return {key,
          [](const Section& section, ExportSpec& spec, ExportContext& /*context*/) {
            if (spec.slices) {
              ReadKeep(section, kKeepFor, kKeep,
                       "goes with windows; with `slices: true` give a time, such as 24h",
                       spec.keep_for);
              return;
            }
            std::int64_t keep = spec.keep;
            ReadKeep(section, kKeep, kKeepFor,
                     "goes with `slices: true`; with windows give a number of snapshots, such as 2",
                     keep);
            spec.keep = static_cast<std::uint32_t>(keep);
          },
          [](YamlPrinter& out, int depth, const ExportSpec& spec) {
            out.Line(depth, "keep",
                     spec.slices ? FormatDuration(spec.keep_for) : std::to_string(spec.keep));
          },
          [](const ExportSpec& a, const ExportSpec& b) {
            return a.keep == b.keep && a.keep_for == b.keep_for;
          }};
}

ExportKeyRow ParquetEveryRow() {
  const KeySpec key{"every", {kEvery}, kEveryText};
  return {key,
          [](const Section& section, ExportSpec& spec, ExportContext& /*context*/) {
            if (GoesWithWindows(section, spec, "every")) section.Read("every", spec.every);
          },
          [](YamlPrinter& out, int depth, const ExportSpec& spec) {
            if (!spec.slices) out.Line(depth, "every", std::to_string(spec.every));
          },
          [](const ExportSpec& a, const ExportSpec& b) { return a.every == b.every; }};
}

ExportKeyRow LimitRow(std::string_view about) {
  return {"limit", &ExportSpec::limit_bytes, ByteSize{65'536}, about};
}

const KeyRows<ExportSpec, ExportContext>& FrozenRows() {
  static const KeyRows<ExportSpec, ExportContext> rows = {
      FolderRow("A folder that belongs to this export alone, such as /dev/shm/sash for shared "
                "memory; sashd "
                "creates the folder with mode 0750, but not its parent. It must belong to the user "
                "of sashd."),
      ExportedWindowsRow("The windows whose advances are written.", kRequired,
                         "give a list of windows"),
      {"every", &ExportSpec::every, kEvery, kEveryText},
      {"keep", &ExportSpec::keep, kKeep,
       "The newest snapshots of each window that stay. A snapshot that a reader has locked stays "
       "longer."},
      LimitRow("The most bytes that the snapshots of this export may take together. Snapshots in "
               "shared memory (/dev/shm) also count in memory.limit. If the next snapshot does not "
               "fit, older ones are removed; if that is not enough, because readers have locked "
               "them, it is not written."),
      {"leases", &ExportSpec::leases, kLeases,
       "The most leases at a time: each keeps a snapshot for a reader on another host, over HTTP "
       "(POST /api/v1/windows/{window}/leases). 0: none are given."},
      {"lease_ttl", &ExportSpec::lease_ttl, kLeaseTtl,
       "The longest time that a lease lasts without being renewed."},
      {"lease_limit", &ExportSpec::lease_limit_bytes, ByteSize{65'536},
       "The most bytes that leased snapshots may take together. They are part of `limit`. Keep "
       "this smaller than `limit`, by at least the size of two snapshots, so that writing goes "
       "on."}};
  return rows;
}

const KeyRows<ExportSpec, ExportContext>& ParquetRows() {
  static const KeyRows<ExportSpec, ExportContext> rows = {
      FolderRow("A folder that belongs to this export alone; sashd creates the folder with mode "
                "0750, but not its parent. It must belong to the user of sashd."),
      {"slices", &ExportSpec::slices, Flag{},
       "Whether the slices of event time are written as they close, in place of windows: every "
       "accepted edge with its time and its place in the stream. Commits and checkpoints wait "
       "until they are durable. connectors/export/slices/README.md describes the files."},
      ExportedWindowsRow("The windows whose advances are written. Not with `slices: true`; "
                         "otherwise required.",
                         Presence::kUnlessElsewhere, "give a list of windows, or `slices: true`"),
      ParquetEveryRow(),
      ParquetKeepRow(),
      LimitRow("The most bytes that the snapshots or slices of this export may take together. If "
               "the next one does not fit, older ones are removed, except the newest of each "
               "window; if that is not enough, a snapshot is not written, and a slice is tried "
               "again. So this should be more than twice the size of a snapshot or slice.")};
  return rows;
}

const KeyRows<ExportSpec, ExportContext>& RowsOf(ExportKind kind) {
  return kind == ExportKind::kFrozen ? FrozenRows() : ParquetRows();
}

KeyRow<ExportSpec> FormatRow(ExportKind kind, std::string_view section, std::string_view about) {
  return {{ExportWord(kind), {SectionShape{section}}, about},
          nullptr,
          [kind](YamlPrinter& out, int depth, const ExportSpec& spec) {
            if (spec.kind != kind) return;
            out.Line(depth, ExportWord(kind));
            PrintRows(out, depth + 1, RowsOf(kind), spec);
          },
          [](const ExportSpec& a, const ExportSpec& b) { return a == b; }};
}

}  // namespace

const KeyRows<ExportSpec>& ExportRows() {
  static const KeyRows<ExportSpec> rows = {
      FormatRow(ExportKind::kFrozen, "exports[].frozen",
                "Frozen snapshots: the graph of a window as arrays (CSR of both directions, .npy) "
                "that other processes map. connectors/export/README.md describes the files, and "
                "the lock that keeps them."),
      FormatRow(ExportKind::kParquet, "exports[].parquet",
                "Snapshots of windows as Parquet files: a table of vertices and one of edges, for "
                "DuckDB, polars, Spark and others; or the slices of the stream. "
                "connectors/export/parquet/README.md describes them."),
  };
  return rows;
}

std::vector<SectionSpec> ExportSections() {
  return {SectionFrom("exports[]", ExportRows(), {"frozen", "parquet"}),
          SectionFrom("exports[].frozen", FrozenRows()),
          SectionFrom("exports[].parquet", ParquetRows())};
}

std::vector<ExportSpec> ReadExports(const Section& root) {
  ExportContext context{WrittenNames(root, "windows")};
  std::vector<ExportSpec> exports;
  for (const Place& item : root.Items("exports", "a list of exports")) {
    const Section each(item, "exports[]", root.errors());
    if (item.node->kind != YamlNode::Kind::kMapping && item.node->kind != YamlNode::Kind::kEmpty) {
      continue;
    }
    const bool is_frozen = each.Has("frozen");
    if (!item.node->entries.empty() && !is_frozen && !each.Has("parquet")) continue;  // reported
    if (!each.ExactlyOne({"frozen", "parquet"},
                         "{frozen: {path: /dev/shm/sash, windows: [w]}} or {parquet: {path: "
                         "export, windows: [w]}}")) {
      continue;
    }
    ExportSpec spec{.kind = is_frozen ? ExportKind::kFrozen : ExportKind::kParquet};
    const std::string_view section = is_frozen ? "exports[].frozen" : "exports[].parquet";
    ReadRows(each.Child(ExportWord(spec.kind), section), RowsOf(spec.kind), spec, context);
    exports.emplace_back(std::move(spec));
  }
  return exports;
}

}  // namespace sash
