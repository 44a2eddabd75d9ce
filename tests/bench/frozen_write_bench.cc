// What it takes to write a window as a frozen snapshot in shared memory, compared with writing as
// many bytes that are there already. Keys are integers in another order than ids. Edges are alike,
// have one of eight types, integer weights, or a real weight and a type.
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/export/export_file.h"
#include "connectors/export/frozen/frozen_arrays.h"
#include "connectors/export/frozen/frozen_columns.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/stopwatch.h"
#include "tests/bench/window_cases.h"
#include "tests/connectors/export/shared_folder.h"
#include "windows/base/check.h"

namespace sash::bench {
namespace {

constexpr std::size_t kWrittenSlices = 60;
constexpr std::uint64_t kWrittenTypes = 8;

// What the edges of a written window have.
struct WrittenCase {
  std::string_view name;
  bool has_types = false;
  WeightColumn::Kind weights = WeightColumn::Kind::kOnes;
};

constexpr std::array kWrittenCases = {
    WrittenCase{"frozen_write"}, WrittenCase{"frozen_write_types", true},
    WrittenCase{"frozen_write_weights", false, WeightColumn::Kind::kIntegers},
    WrittenCase{"frozen_write_reals_types", true, WeightColumn::Kind::kMixed}};

// A number that looks random, of edge `i` of a slice.
std::uint64_t DrawnNumber(std::uint64_t slice, std::uint64_t i) {
  return (slice << 32 | i) * 0x9E3779B97F4A7C15U >> 32;
}

// The same slices with what the edges have in this case.
std::vector<std::shared_ptr<const Slice>> Attributed(
    std::vector<std::shared_ptr<const Slice>> slices, const WrittenCase& written) {
  for (auto& each : slices) {
    auto slice = std::make_shared<Slice>(*each);
    slice->weights = WeightColumn(slice->size(), written.weights);
    slice->types =
        TypeColumn(slice->size(), written.has_types ? TypeWidth::kOne : TypeWidth::kNone);
    for (std::size_t i = 0; i < slice->size(); ++i) {
      const std::uint64_t drawn = DrawnNumber(slice->id.value, i);
      if (written.has_types) {
        slice->types.Set(i, static_cast<TypeNumber>(1 + drawn % kWrittenTypes));
      }
      if (written.weights == WeightColumn::Kind::kIntegers) {
        slice->weights.Set(i, Weight::Integer(static_cast<std::int64_t>(1 + drawn % 1'000)));
      } else if (written.weights == WeightColumn::Kind::kMixed) {
        slice->weights.Set(i, Weight::Real(static_cast<double>(drawn) / 7));
      }
    }
    each = std::move(slice);
  }
  return slices;
}

struct WriteTimes {
  double outline = 0;  // seconds of a processor
  double all = 0;
  double bytes_alone = 0;
};

class FrozenWriteBench {
 public:
  FrozenWriteBench(const Bench& bench, const WrittenCase& written)
      : window_(
            kKeepSpec,
            Attributed(CutIntoSlices(bench.edges, 0, bench.options.edges, kWrittenSlices), written),
            bench.edges.id_limit) {
    for (std::uint64_t type = 0; type < kWrittenTypes; ++type) {
      SASH_CHECK(keys_.types().Intern("type" + std::to_string(type)).has_value());
    }
    VertexDictionary::Writer writer(keys_);
    for (VertexId id = 0; id < bench.edges.id_limit; ++id) writer.Intern(KeyOf(id));
  }

  WriteTimes Write() {
    const testing::SharedFolder scratch;
    const WindowView& view = window_.published().view;
    const CpuWatch watch;
    const Result<WindowOutline> outline = OutlineOf(view, keys_, never_);
    SASH_CHECK(outline.ok());
    WriteTimes times{.outline = watch.Seconds()};
    const std::string folder = Made(scratch, "snapshot");
    SASH_CHECK(
        WriteFrozenColumns(view, keys_, outline.value(), Opened(folder).number(), never_).ok());
    times.all = watch.Seconds();
    times.bytes_alone = WriteBytes(FrozenArrays(outline.value()), Made(scratch, "bytes"));
    if (!is_compared_) Compare(view, outline.value(), folder);
    is_compared_ = true;
    return times;
  }

  const std::optional<std::string>& wrong() const { return wrong_; }

 private:
  // A bijection of 32 bits, so that the order of keys is not that of ids.
  static std::int64_t KeyOf(VertexId id) { return static_cast<std::uint32_t>(id * 2654435761U); }

  static std::string Made(const testing::SharedFolder& scratch, const std::string& name) {
    std::filesystem::create_directory(scratch.File(name));
    return scratch.File(name);
  }
  static OwnedDescriptor Opened(const std::string& folder) {
    return OwnedDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }

  static double WriteBytes(const std::vector<NpyColumn>& columns, const std::string& path) {
    const OwnedDescriptor folder = Opened(path);
    const std::string piece(256 << 10, 'x');
    const CpuWatch watch;
    for (const NpyColumn& column : columns) {
      Result<ExportFile> file = ExportFile::Create(folder.number(), column.name);
      SASH_CHECK(file.ok());
      for (std::uint64_t left = column.bytes(); left > 0;) {
        const std::uint64_t some = std::min<std::uint64_t>(left, piece.size());
        file.value().Append(std::string_view(piece).substr(0, some));
        left -= some;
      }
      SASH_CHECK(file.value().Finish().ok());
    }
    return watch.Seconds();
  }

  static std::vector<std::uint32_t> PlacesIn(const std::string& folder, const NpyColumn& column) {
    std::vector<std::uint32_t> places(column.rows);
    std::ifstream file(folder + "/" + std::string(column.name), std::ios::binary);
    file.seekg(static_cast<std::streamoff>(column.Header().size()));
    file.read(reinterpret_cast<char*>(places.data()),
              static_cast<std::streamsize>(places.size() * sizeof places[0]));
    return places;
  }

  // Each list has the places of its neighbours, ascending.
  void Compare(const WindowView& view, const WindowOutline& outline, const std::string& folder) {
    VisitView(view, [&](const auto& graph) {
      CompareLists(PlacesIn(folder, OutArrays(outline).neighbours), outline,
                   [&](VertexId v) { return graph.out(v); });
      CompareLists(PlacesIn(folder, InArrays(outline).neighbours), outline,
                   [&](VertexId v) { return graph.in(v); });
    });
  }
  template <typename ListOf>
  void CompareLists(const std::vector<std::uint32_t>& written, const WindowOutline& outline,
                    const ListOf& list_of) {
    std::size_t at = 0;
    std::vector<std::uint32_t> list;
    for (const VertexId v : outline.order.by_place) {
      list.clear();
      for (const VertexId neighbour : list_of(v)) list.push_back(outline.order.places[neighbour]);
      std::ranges::sort(list);
      if (at + list.size() > written.size() ||
          !std::equal(list.begin(), list.end(),
                      written.begin() + static_cast<std::ptrdiff_t>(at))) {
        wrong_ = "the list of vertex " + std::to_string(v);
        return;
      }
      at += list.size();
    }
  }

  const std::stop_token never_;
  VertexDictionary keys_{KeyKind::kInteger};
  MovingWindow window_;
  bool is_compared_ = false;
  std::optional<std::string> wrong_{};
};

}  // namespace

void RunFrozenWrite(const Bench& bench) {
  for (const WrittenCase& written : kWrittenCases) {
    FrozenWriteBench frozen(bench, written);
    Samples all, outline, bytes;
    for (int i = 0; i < bench.options.repetitions; ++i) {
      const WriteTimes times = frozen.Write();
      all.Add(times.all);
      outline.Add(times.outline);
      bytes.Add(times.bytes_alone);
    }
    const std::string name(written.name);
    bench.report.Add(name, "s", all, Ratios(all, bytes), "writing as many bytes");
    bench.report.Add(name + "_outline", "s", outline);
    bench.report.Verify(name, frozen.wrong());
  }
}

}  // namespace sash::bench
