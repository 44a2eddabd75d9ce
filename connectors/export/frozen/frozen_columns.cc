#include "connectors/export/frozen/frozen_columns.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "connectors/export/edge_rows.h"
#include "connectors/export/frozen/edge_forms.h"
#include "connectors/export/frozen/frozen_arrays.h"
#include "connectors/export/frozen/placed_lists.h"
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

  // All lists, whose edges have this form.
  template <typename Form>
  void PutLists(const Form& form, const PlacedLists<typename Form::Edge>& lists,
                const std::optional<Weight>& only_weight) {
    const std::size_t count = lists.edges.size();
    for (std::size_t i = 0; i + 1 < lists.starts.size(); ++i) starts_.Put(lists.starts[i]);
    if constexpr (Form::kDiffer) {
      neighbours_.PutEach<std::int32_t>(
          count, [&](std::size_t i) { return form.PlaceOf(lists.edges[i]); });
    } else {
      neighbours_.PutPlaces({lists.edges.data(), count});
    }
    if (only_weight) {
      weights_.PutSame(*only_weight, count);
    } else if constexpr (Form::kDiffer) {
      PutWeights(form, lists.edges);
    }
    if constexpr (Form::kDiffer) {
      if (types_) PutTypes(form, lists.edges);
    }
    written_ = static_cast<std::int64_t>(count);
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

  template <typename Form>
  void PutWeights(const Form& form, const LargeArray<typename Form::Edge>& edges) {
    if (columns_.weights.type == NpyType::kInt64) {
      weights_.PutEach<std::int64_t>(edges.size(),
                                     [&](std::size_t i) { return form.IntegerOf(edges[i]); });
    } else {
      weights_.PutEach<double>(edges.size(), [&](std::size_t i) { return form.RealOf(edges[i]); });
    }
  }
  template <typename Form>
  void PutTypes(const Form& form, const LargeArray<typename Form::Edge>& edges) {
    const auto type_of = [&](std::size_t i) { return form.TypeOf(edges[i]); };
    switch (columns_.types.type) {
      case NpyType::kUint8:
        return types_->PutEach<std::uint8_t>(edges.size(), type_of);
      case NpyType::kUint16:
        return types_->PutEach<std::uint16_t>(edges.size(), type_of);
      default:
        return types_->PutEach<std::int32_t>(edges.size(), type_of);
    }
  }

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

template <typename Form>
Status WritePlacedDirection(const Form& form, const PlacedLists<typename Form::Edge>& lists,
                            const FrozenDirection& columns, const WindowOutline& outline,
                            int folder, WrittenColumns& written) {
  Result<DirectionFiles> files = DirectionFiles::Create(folder, columns, outline.has_types());
  if (!files) return files.error();
  files.value().PutLists(form, lists, outline.only_weight);
  return files.value().Finish(written);
}

template <typename Form>
Status WritePlacedEdges(const Form& form, const WindowView& view, const WindowOutline& outline,
                        int folder, const std::stop_token& stop, WrittenColumns& written) {
  auto lists = PlaceEdges(form, view, outline, stop);
  if (!lists) return StoppedExport();
  Status done =
      WritePlacedDirection(form, lists->out, OutArrays(outline), outline, folder, written);
  if (!done) return done;
  lists->out = {};
  if (stop.stop_requested()) return StoppedExport();
  return WritePlacedDirection(form, lists->in, InArrays(outline), outline, folder, written);
}

Status WriteEdges(const WindowView& view, const WindowOutline& outline, int folder,
                  const std::stop_token& stop, std::uint64_t most_placed, WrittenColumns& written) {
  if (outline.are_alike() && CanBePlaced<AlikeForm::Edge>(outline.edges, most_placed)) {
    return WritePlacedEdges(AlikeForm(), view, outline, folder, stop, written);
  }
  const std::optional<MarkedForm> marked = MarkedForm::Of(outline);
  if (marked && CanBePlaced<MarkedForm::Edge>(outline.edges, most_placed)) {
    return WritePlacedEdges(*marked, view, outline, folder, stop, written);
  }
  if (CanBePlaced<WholeForm::Edge>(outline.edges, most_placed)) {
    return WritePlacedEdges(WholeForm(outline), view, outline, folder, stop, written);
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
                                          const std::stop_token& stop, std::uint64_t most_placed) {
  WrittenColumns written;
  Status done = WriteEdges(view, outline, folder, stop, most_placed, written);
  if (!done) return done.error();
  done = outline.kind == KeyKind::kInteger ? WriteIntegerKeys(keys, outline, folder, written)
                                           : WriteTextKeys(keys, outline, folder, written);
  if (!done) return done.error();
  return written;
}

}  // namespace sash
