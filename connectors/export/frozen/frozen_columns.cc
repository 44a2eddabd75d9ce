#include "connectors/export/frozen/frozen_columns.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "connectors/export/edge_rows.h"
#include "connectors/export/frozen/alike_lists.h"
#include "connectors/export/frozen/frozen_arrays.h"
#include "connectors/export/snapshot_format.h"

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

  // All lists, whose edges have one weight.
  void PutAlike(const PlacedLists& lists, Weight weight) {
    for (std::size_t i = 0; i + 1 < lists.starts.size(); ++i) starts_.Put(lists.starts[i]);
    neighbours_.PutPlaces({lists.neighbours.data(), lists.neighbours.size()});
    weights_.PutSame(weight, lists.neighbours.size());
    written_ = static_cast<std::int64_t>(lists.neighbours.size());
  }

  // Rows are put in the order of places. `alike`: the weight of all edges, if the row itself has no
  // weights.
  void PutRow(const RowSorter& row, const std::optional<Weight>& alike) {
    starts_.Put(written_);
    written_ += static_cast<std::int64_t>(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) neighbours_.Put(row.place(i));
    const auto weight_of = [&](std::size_t i) { return alike ? *alike : row.weight(i); };
    if (columns_.weights.type == NpyType::kInt64) {
      for (std::size_t i = 0; i < row.size(); ++i) weights_.Put(weight_of(i).integer());
    } else {
      for (std::size_t i = 0; i < row.size(); ++i) weights_.PutReal(weight_of(i).AsDouble());
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

// One direction of a view.
template <typename Lists>
Status WriteDirection(const Lists& lists, const FrozenDirection& columns,
                      const WindowOutline& outline, int folder, const std::stop_token& stop,
                      WrittenColumns& written) {
  Result<DirectionFiles> files = DirectionFiles::Create(folder, columns, outline.has_types());
  if (!files) return files.error();
  const std::optional<Weight> alike = outline.are_alike() ? outline.only_weight : std::nullopt;
  const auto goes_on = [&] { return !files.value().failure(); };
  const auto put = [&](const RowSorter& row) { files.value().PutRow(row, alike); };
  if (!ReadEdgeRows(lists, outline, stop, goes_on, put)) {
    return files.value().failure().value_or(StoppedExport());
  }
  return files.value().Finish(written);
}

Status WriteAlikeDirection(const PlacedLists& lists, const FrozenDirection& columns,
                           const WindowOutline& outline, int folder, WrittenColumns& written) {
  Result<DirectionFiles> files = DirectionFiles::Create(folder, columns, false);
  if (!files) return files.error();
  files.value().PutAlike(lists, *outline.only_weight);
  return files.value().Finish(written);
}

Status WriteAlikeEdges(const WindowView& view, const WindowOutline& outline, int folder,
                       const std::stop_token& stop, WrittenColumns& written) {
  std::optional<AlikeLists> lists = PlaceAlikeEdges(view, outline, stop);
  if (!lists) return StoppedExport();
  Status done = WriteAlikeDirection(lists->out, OutArrays(outline), outline, folder, written);
  if (!done) return done;
  lists->out = {};
  if (stop.stop_requested()) return StoppedExport();
  return WriteAlikeDirection(lists->in, InArrays(outline), outline, folder, written);
}

Status WriteEdges(const WindowView& view, const WindowOutline& outline, int folder,
                  const std::stop_token& stop, WrittenColumns& written) {
  if (outline.are_alike() && outline.edges <= kMostAlikeEdges) {
    return WriteAlikeEdges(view, outline, folder, stop, written);
  }
  return VisitView(view, [&](const auto& graph) {
    Status done =
        WriteDirection(OutLists{graph}, OutArrays(outline), outline, folder, stop, written);
    if (!done) return done;
    return WriteDirection(InLists{graph}, InArrays(outline), outline, folder, stop, written);
  });
}

Status WriteIntegerKeys(const VertexDictionary& keys, const WindowOutline& outline, int folder,
                        WrittenColumns& written) {
  const NpyColumn column = IntegerKeys(outline);
  Result<NpyFile> file = NpyFile::Create(folder, column);
  if (!file) return file.error();
  for (const VertexId v : outline.order.by_place) file.value().Put(keys.IntegerOf(v));
  return FinishColumn(column, file.value(), written);
}

Status WriteTextKeys(const VertexDictionary& keys, const WindowOutline& outline, int folder,
                     WrittenColumns& written) {
  const NpyColumn places = KeyOffsets(outline);
  const NpyColumn texts = KeyTexts(outline);
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
                                          const WindowOutline& outline, int folder,
                                          const std::stop_token& stop) {
  WrittenColumns written;
  Status done = WriteEdges(view, outline, folder, stop, written);
  if (!done) return done.error();
  done = outline.kind == KeyKind::kInteger ? WriteIntegerKeys(keys, outline, folder, written)
                                           : WriteTextKeys(keys, outline, folder, written);
  if (!done) return done.error();
  return written;
}

}  // namespace sash
