#include "connectors/export/parquet/window_tables.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "connectors/export/edge_rows.h"
#include "connectors/export/snapshot_folder.h"

namespace sash {
namespace {

// The tables that are whole, and room for the next one.
struct TableSet {
  const SnapshotTask& task;
  std::vector<WrittenTable> written{};
  std::uint64_t bytes = 0;  // of these, in whole pages

  ParquetFile::MakeRoom room() {
    return [this](std::uint64_t more) { return task.make_room(bytes + InPages(more)); };
  }
  Status Finish(ParquetFile& file) {
    Result<WrittenTable> table = file.Finish();
    if (!table) return table.error();
    bytes += InPages(table.value().bytes);
    written.push_back(std::move(table).value());
    return Ok{};
  }
};

Status WriteVertexTable(TableSet& tables, const ParquetSizes& sizes) {
  constexpr std::size_t kBetweenStops = 1 << 14;  // rows
  const WindowOutline& outline = tables.task.outline;
  const VertexDictionary& keys = tables.task.keys;
  const bool are_integers = outline.kind == KeyKind::kInteger;
  Result<ParquetFile> created = ParquetFile::Create(
      tables.task.folder, "vertices.parquet",
      {{"id"}, {"key", are_integers ? ParquetType::kInteger : ParquetType::kText}}, sizes,
      tables.room());
  if (!created) return created.error();
  ParquetFile& file = created.value();
  for (std::size_t place = 0; place < outline.vertices(); ++place) {
    if (place % kBetweenStops == 0) {
      if (tables.task.stop.stop_requested()) return StoppedExport();
      if (file.failure()) return *file.failure();
    }
    const VertexId vertex = outline.order.by_place[place];
    file.column(0).PutInteger(static_cast<std::int64_t>(place));
    if (are_integers) {
      file.column(1).PutInteger(keys.IntegerOf(vertex));
    } else {
      file.column(1).PutText(keys.TextOf(vertex));
    }
    file.EndRow();
  }
  return tables.Finish(file);
}

// The edges of the window, in files of limited length.
class EdgeParts {
 public:
  EdgeParts(TableSet& tables, const ParquetSizes& sizes)
      : tables_(tables),
        sizes_(sizes),
        outline_(tables.task.outline),
        columns_{{"source"},
                 {"target"},
                 {"weight", outline_.has_reals ? ParquetType::kReal : ParquetType::kInteger}} {
    if (!outline_.has_types()) return;
    const std::vector<std::string_view> words(outline_.words.begin() + 1, outline_.words.end());
    columns_.push_back({"type", ParquetType::kWord, true, words});
  }

  // The edges of a vertex. Vertices come in the order of places.
  void PutRow(const RowSorter& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!file_ && !Begin()) return;
      file_->column(0).PutInteger(source_);
      file_->column(1).PutInteger(row.place(i));
      PutWeight(outline_.are_alike() ? *outline_.only_weight : row.weight(i));
      if (outline_.has_types()) PutType(row.type(i));
      file_->EndRow();
      if (file_->rows() == sizes_.part) End();
    }
    ++source_;
  }

  std::optional<Error> failure() const {
    if (failure_ || !file_) return failure_;
    return file_->failure();
  }

  // Without any edge there is one part, which is empty.
  Status Finish() {
    if (file_ || (parts_ == 0 && Begin())) End();
    if (failure_) return *failure_;
    return Ok{};
  }

 private:
  bool Begin() {
    if (failure_) return false;
    Result<ParquetFile> created =
        ParquetFile::Create(tables_.task.folder, fmt::format("edges-{:05}.parquet", parts_++),
                            columns_, sizes_, tables_.room());
    if (created) {
      file_.emplace(std::move(created).value());
    } else {
      failure_ = created.error();
    }
    return created.ok();
  }
  void End() {
    if (Status done = tables_.Finish(*file_); !done) failure_ = done.error();
    file_.reset();
  }
  void PutWeight(Weight weight) {
    if (outline_.has_reals) {
      file_->column(2).PutReal(weight.AsDouble());
    } else {
      file_->column(2).PutInteger(weight.integer());
    }
  }
  void PutType(std::uint32_t place) {  // in the outline's words; the first means no type
    if (place == 0) {
      file_->column(3).PutNull();
    } else {
      file_->column(3).PutWord(place - 1);
    }
  }

  TableSet& tables_;
  const ParquetSizes sizes_;
  const WindowOutline& outline_;
  std::vector<ParquetColumn> columns_;
  std::optional<ParquetFile> file_;  // the part that is being written
  std::optional<Error> failure_;
  std::size_t parts_ = 0;
  std::int64_t source_ = 0;
};

Status WriteEdgeTables(TableSet& tables, const ParquetSizes& sizes) {
  const SnapshotTask& task = tables.task;
  EdgeParts parts(tables, sizes);
  const bool is_whole = VisitView(task.advance.view, [&](const auto& graph) {
    return ReadEdgeRows(
        OutLists{graph}, task.outline, task.stop, [&] { return !parts.failure(); },
        [&](const RowSorter& row) { parts.PutRow(row); });
  });
  if (!is_whole) return parts.failure().value_or(StoppedExport());
  return parts.Finish();
}

}  // namespace

Result<std::vector<WrittenTable>> WriteWindowTables(const SnapshotTask& task,
                                                    const ParquetSizes& sizes) {
  TableSet tables{task};
  if (Status done = WriteVertexTable(tables, sizes); !done) return done.error();
  if (Status done = WriteEdgeTables(tables, sizes); !done) return done.error();
  return std::move(tables.written);
}

}  // namespace sash
