#include "connectors/export/frozen/frozen_columns.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "connectors/export/frozen/row_sorter.h"

namespace sash {
namespace {

using WrittenColumns = std::vector<WrittenColumn>;

Status FinishColumn(const NpyColumn& column, NpyFile& file, WrittenColumns& written) {
  const Result<std::uint32_t> checksum = file.Finish();
  if (!checksum) return checksum.error();
  written.push_back({column, checksum.value()});
  return Ok{};
}

// The files of one direction.
class DirectionFiles {
 public:
  static Result<DirectionFiles> Create(int folder, const FrozenDirection& columns, bool has_types) {
    Result<NpyFile> starts = NpyFile::Create(folder, columns.starts);
    if (!starts) return starts.error();
    Result<NpyFile> neighbours = NpyFile::Create(folder, columns.neighbours);
    if (!neighbours) return neighbours.error();
    Result<NpyFile> weights = NpyFile::Create(folder, columns.weights);
    if (!weights) return weights.error();
    DirectionFiles files(columns, std::move(starts).value(), std::move(neighbours).value(),
                         std::move(weights).value());
    if (!has_types) return files;
    Result<NpyFile> types = NpyFile::Create(folder, columns.types);
    if (!types) return types.error();
    files.types_.emplace(std::move(types).value());
    return files;
  }

  // Rows are put in the order of places.
  void PutRow(const RowSorter& row) {
    starts_.Put(written_);
    written_ += static_cast<std::int64_t>(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) neighbours_.Put(row.place(i));
    if (columns_.weights.type == NpyType::kInt64) {
      for (std::size_t i = 0; i < row.size(); ++i) weights_.Put(row.weight(i).integer());
    } else {
      for (std::size_t i = 0; i < row.size(); ++i) weights_.PutReal(row.weight(i).AsDouble());
    }
    if (!types_) return;
    for (std::size_t i = 0; i < row.size(); ++i) types_->Put(row.type(i));
  }

  std::optional<Error> failure() const {
    for (const NpyFile* file : {&starts_, &neighbours_, &weights_, types_ ? &*types_ : nullptr}) {
      if (file != nullptr && file->failure()) return file->failure();
    }
    return std::nullopt;
  }

  Status Finish(WrittenColumns& written) {
    starts_.Put(written_);
    Status done = FinishColumn(columns_.starts, starts_, written);
    if (done) done = FinishColumn(columns_.neighbours, neighbours_, written);
    if (done) done = FinishColumn(columns_.weights, weights_, written);
    if (done && types_) done = FinishColumn(columns_.types, *types_, written);
    return done;
  }

 private:
  DirectionFiles(const FrozenDirection& columns, NpyFile starts, NpyFile neighbours,
                 NpyFile weights)
      : columns_(columns),
        starts_(std::move(starts)),
        neighbours_(std::move(neighbours)),
        weights_(std::move(weights)) {}

  FrozenDirection columns_;
  NpyFile starts_;
  NpyFile neighbours_;
  NpyFile weights_;
  std::optional<NpyFile> types_{};
  std::int64_t written_ = 0;  // edges
};

// `row_of(v)` gives the neighbours of a vertex.
template <typename RowOf>
Status WriteDirection(const FrozenDirection& columns, const FrozenOutline& outline, int folder,
                      const std::stop_token& stop, WrittenColumns& written, const RowOf& row_of) {
  constexpr std::size_t kBetweenStops = 1024;  // rows
  Result<DirectionFiles> files = DirectionFiles::Create(folder, columns, outline.has_types());
  if (!files) return files.error();
  RowSorter row;
  std::size_t rows = 0;
  for (const VertexId v : outline.order.by_place) {
    if (rows++ % kBetweenStops == 0) {
      if (stop.stop_requested()) return Error{ErrorCode::kUnavailable, "was stopped"};
      if (const auto failure = files.value().failure()) return *failure;
    }
    row.Clear();
    for (const auto& neighbor : row_of(v)) {
      row.Add(outline.order.places[neighbor.vertex], neighbor.weight);
      if (outline.has_types()) row.AddType(outline.type_places[neighbor.type]);
    }
    row.Sort();
    files.value().PutRow(row);
  }
  return files.value().Finish(written);
}

Status WriteIntegerKeys(const VertexDictionary& keys, const FrozenOutline& outline, int folder,
                        WrittenColumns& written) {
  const NpyColumn column = outline.integer_keys();
  Result<NpyFile> file = NpyFile::Create(folder, column);
  if (!file) return file.error();
  for (const VertexId v : outline.order.by_place) file.value().Put(keys.IntegerOf(v));
  return FinishColumn(column, file.value(), written);
}

Status WriteTextKeys(const VertexDictionary& keys, const FrozenOutline& outline, int folder,
                     WrittenColumns& written) {
  const NpyColumn places = outline.key_offsets();
  const NpyColumn texts = outline.key_texts();
  Result<NpyFile> offsets = NpyFile::Create(folder, places);
  if (!offsets) return offsets.error();
  Result<NpyFile> bytes = NpyFile::Create(folder, texts);
  if (!bytes) return bytes.error();
  std::int64_t end = 0;
  offsets.value().Put(end);
  for (const VertexId v : outline.order.by_place) {
    const std::string_view text = keys.TextOf(v);
    bytes.value().PutBytes(text);
    end += static_cast<std::int64_t>(text.size());
    offsets.value().Put(end);
  }
  if (Status done = FinishColumn(places, offsets.value(), written); !done) return done;
  return FinishColumn(texts, bytes.value(), written);
}

}  // namespace

Result<WrittenColumns> WriteFrozenColumns(const WindowView& view, const VertexDictionary& keys,
                                          const FrozenOutline& outline, int folder,
                                          const std::stop_token& stop) {
  WrittenColumns written;
  Status done = VisitView(view, [&](const auto& graph) {
    return WriteDirection(outline.out(), outline, folder, stop, written,
                          [&](VertexId v) { return graph.weighted_out(v); });
  });
  if (!done) return done.error();
  done = VisitView(view, [&](const auto& graph) {
    return WriteDirection(outline.in(), outline, folder, stop, written,
                          [&](VertexId v) { return graph.weighted_in(v); });
  });
  if (!done) return done.error();
  done = outline.kind == KeyKind::kInteger ? WriteIntegerKeys(keys, outline, folder, written)
                                           : WriteTextKeys(keys, outline, folder, written);
  if (!done) return done.error();
  return written;
}

}  // namespace sash
