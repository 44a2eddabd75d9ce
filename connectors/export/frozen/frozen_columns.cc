#include "connectors/export/frozen/frozen_columns.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "connectors/export/frozen/row_sorter.h"
#include "windows/base/fetch_step.h"

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
template <typename Graph>
struct OutLists {
  const Graph& graph;
  std::uint32_t degree(VertexId v) const { return graph.out_degree(v); }
  auto plain(VertexId v) const { return graph.out(v); }
  auto weighted(VertexId v) const { return graph.weighted_out(v); }
  void Fetch(VertexId v, FetchStep step) const { graph.FetchOut(v, step); }
};
template <typename Graph>
struct InLists {
  const Graph& graph;
  std::uint32_t degree(VertexId v) const { return graph.in_degree(v); }
  auto plain(VertexId v) const { return graph.in(v); }
  auto weighted(VertexId v) const { return graph.weighted_in(v); }
  void Fetch(VertexId v, FetchStep step) const { graph.FetchIn(v, step); }
};

template <typename Lists>
void ReadRow(const Lists& lists, VertexId v, const FrozenOutline& outline, RowSorter& row) {
  row.Begin(lists.degree(v), outline.are_alike(), outline.has_types());
  std::size_t i = 0;
  if (outline.are_alike()) {
    for (const VertexId neighbour : lists.plain(v)) row.Set(i++, outline.order.places[neighbour]);
    return;
  }
  for (const auto& neighbor : lists.weighted(v)) {
    row.Set(i, outline.order.places[neighbor.vertex]);
    row.SetWeight(i, neighbor.weight);
    if (outline.has_types()) row.SetType(i, outline.type_places[neighbor.type]);
    ++i;
  }
}

// The lists of the next vertices are anywhere in memory.
template <typename Lists>
void FetchAhead(const Lists& lists, const std::vector<VertexId>& vertices, std::size_t i) {
  constexpr std::size_t kState = 12;
  constexpr std::size_t kPlace = 8;
  constexpr std::size_t kFirst = 4;
  if (i + kState >= vertices.size()) return;
  lists.Fetch(vertices[i + kState], FetchStep::kState);
  lists.Fetch(vertices[i + kPlace], FetchStep::kPlace);
  lists.Fetch(vertices[i + kFirst], FetchStep::kFirst);
}

template <typename Lists>
Status WriteDirection(const Lists& lists, const FrozenDirection& columns,
                      const FrozenOutline& outline, int folder, const std::stop_token& stop,
                      WrittenColumns& written) {
  constexpr std::size_t kBetweenStops = 1024;  // rows
  Result<DirectionFiles> files = DirectionFiles::Create(folder, columns, outline.has_types());
  if (!files) return files.error();
  const std::optional<Weight> alike = outline.are_alike() ? outline.only_weight : std::nullopt;
  const std::vector<VertexId>& vertices = outline.order.by_place;
  RowSorter row;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (i % kBetweenStops == 0) {
      if (stop.stop_requested()) return Error{ErrorCode::kUnavailable, "was stopped"};
      if (const auto failure = files.value().failure()) return *failure;
    }
    FetchAhead(lists, vertices, i);
    ReadRow(lists, vertices[i], outline, row);
    row.Sort();
    files.value().PutRow(row, alike);
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
    return WriteDirection(OutLists{graph}, outline.out(), outline, folder, stop, written);
  });
  if (!done) return done.error();
  done = VisitView(view, [&](const auto& graph) {
    return WriteDirection(InLists{graph}, outline.in(), outline, folder, stop, written);
  });
  if (!done) return done.error();
  done = outline.kind == KeyKind::kInteger ? WriteIntegerKeys(keys, outline, folder, written)
                                           : WriteTextKeys(keys, outline, folder, written);
  if (!done) return done.error();
  return written;
}

}  // namespace sash
