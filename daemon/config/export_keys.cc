// The keys of exports.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/config/nearest_key.h"
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

void ReadExportedWindows(const Section& section, const std::vector<std::string>& known,
                         std::vector<std::string>& windows) {
  static constexpr std::string_view kForm = "a list of names of windows";
  if (!section.Has("windows")) return section.FailMissing("windows", "give a list of windows");
  const Place place = section.At("windows");
  if (place.node->kind == YamlNode::Kind::kEmpty ||
      (place.node->kind == YamlNode::Kind::kList && place.node->items.empty())) {
    return section.Fail("windows", fmt::format("is empty; give {}", kForm));
  }
  for (const Place& item : section.Items("windows", kForm)) {
    const auto parse = [&](std::string_view text) -> Result<std::string> {
      if (std::ranges::find(windows, text) != windows.end()) {
        return Wrong(fmt::format("window `{}` is listed twice; keep one", text));
      }
      if (std::ranges::find(known, text) != known.end()) return std::string(text);
      const std::vector<std::string_view> words(known.begin(), known.end());
      return Wrong(fmt::format("there is no window `{}`{}; windows: {}", text,
                               Suggestion(text, words), SomeOf(known)));
    };
    std::string window;
    if (ReadAt(item, window, "the name of a window", parse, section.errors())) {
      windows.push_back(window);
    }
  }
}

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

KeyRow<ExportSpec, ExportContext> ExportedWindowsRow() {
  const KeySpec key{"windows",
                    {Items{kAnyText, true}},
                    "The windows whose advances are written.",
                    kRequired,
                    Change::kRestart,
                    "",
                    "names of windows, each once"};
  return {key,
          [](const Section& section, ExportSpec& spec, ExportContext& context) {
            ReadExportedWindows(section, context.windows, spec.windows);
          },
          [](YamlPrinter& out, int depth, const ExportSpec& spec) {
            out.Line(depth, "windows", QuoteAll(spec.windows));
          },
          [](const ExportSpec& a, const ExportSpec& b) { return a.windows == b.windows; }};
}

// The keys of both formats, with what there is to say about a folder and a limit of each.
KeyRows<ExportSpec, ExportContext> RowsOfFormat(std::string_view folder, std::string_view limit) {
  using Key = KeyRow<ExportSpec, ExportContext>;
  return {
      Key("path", &ExportSpec::path, TextForm{kFolder, "the path of a folder", ParseFilePath},
          folder, kRequired)
          .ReadBy(ReadExportFolder),
      ExportedWindowsRow(),
      Key("every", &ExportSpec::every, WholeNumber{1, 1'000'000},
          "Writes an advance if its window end / slide is a multiple of this number."),
      Key("keep", &ExportSpec::keep, WholeNumber{1, 1'000},
          "The newest snapshots of each window that stay. A snapshot that a reader has locked "
          "stays longer."),
      Key("limit", &ExportSpec::limit_bytes, ByteSize{65'536}, limit),
  };
}

const KeyRows<ExportSpec, ExportContext>& FrozenRows() {
  static const KeyRows<ExportSpec, ExportContext> rows = RowsOfFormat(
      "A folder that belongs to this export alone, such as /dev/shm/sash for shared memory; sashd "
      "creates the folder with mode 0750, but not its parent. It must belong to the user of sashd.",
      "The most bytes that the snapshots of this export may take together. Snapshots in shared "
      "memory (/dev/shm) also count in memory.limit. If the next snapshot does not fit, older ones "
      "are removed; if that is not enough, because readers have locked them, it is not written.");
  return rows;
}

const KeyRows<ExportSpec, ExportContext>& ParquetRows() {
  static const KeyRows<ExportSpec, ExportContext> rows = RowsOfFormat(
      "A folder that belongs to this export alone; sashd creates the folder with mode 0750, but "
      "not its parent. It must belong to the user of sashd.",
      "The most bytes that the snapshots of this export may take together. If the next snapshot "
      "does not fit, older ones are removed, except the newest of each window; if that is not "
      "enough, it is not written. So this should be more than twice a snapshot.");
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
                "DuckDB, polars, Spark and others. connectors/export/parquet/README.md describes "
                "them."),
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
