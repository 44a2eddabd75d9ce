// What an advance costs beside the thread that writes snapshots, frozen ones or tables in Parquet,
// compared with an advance beside a thread that is equally busy: the same priority, and nothing but
// arithmetic. So the ratio is what the writer costs beyond its core: memory, caches and locks.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "connectors/export/frozen/frozen_format.h"
#include "connectors/export/lowest_priority.h"
#include "connectors/export/parquet/parquet_format.h"
#include "connectors/export/window_export.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/slice_stream.h"
#include "tests/bench/window_cases.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/support/kept_log.h"
#include "windows/base/check.h"

namespace sash::bench {
namespace {

constexpr std::size_t kFrozenSlices = 60;
constexpr std::size_t kSlicesOfEdges = 600;   // a slice has so small a part of the edges
constexpr std::size_t kFrozenAdvances = 150;  // a repetition

// Spins at the priority of the thread that writes snapshots.
class BusyThread {
 public:
  BusyThread()
      : thread_([this](const std::stop_token& stop) {
          TakeLowestPriority();
          std::uint64_t state = 1;
          while (!stop.stop_requested()) {
            for (int i = 0; i < 10'000; ++i) state = state * 6364136223846793005U + 1;
            spun_.store(state, std::memory_order_relaxed);
          }
        }) {}

 private:
  std::atomic<std::uint64_t> spun_ = 0;
  std::jthread thread_;
};

std::unique_ptr<SnapshotFormat> FormatOf(ExportKind kind) {
  if (kind == ExportKind::kParquet) return std::make_unique<ParquetFormat>();
  return std::make_unique<FrozenFormat>();
}

class WriterBench {
 public:
  explicit WriterBench(const Bench& bench)
      : stream_(DrawCase(bench, kKeepCase, bench.edges.size()),
                bench.options.edges / kSlicesOfEdges),
        window_(kKeepSpec, stream_.Range(0, kFrozenSlices), stream_.id_limit()),
        next_(kFrozenSlices) {
    VertexDictionary::Writer writer(keys_);
    for (VertexId id = 0; id < stream_.id_limit(); ++id) writer.Intern(std::int64_t{id});
  }

  // Milliseconds of each advance beside a busy thread.
  Samples BesideBusy() {
    const BusyThread busy;
    return Advances([] {});
  }
  // The same beside the writer, which always has the newest advance to write.
  Samples BesideWriter(ExportKind kind) {
    const testing::SharedFolder scratch;
    const SystemClock clock;
    KeptLog log;
    ExportSpec spec;
    spec.path = scratch.File("export");
    spec.kind = kind;
    spec.windows = {"w"};
    auto opened = WindowExport::Open(
        spec, FormatOf(kind),
        {.keys = keys_, .clock = clock, .log = log, .context = [](const std::string&) {
           return WindowContext();
         }});
    SASH_CHECK(opened.ok());
    WindowExport& writer = *opened.value();
    writer.Start();
    Samples times = Advances([&] { writer.Submit(Newest()); });
    writer.Finish();
    written_ += writer.Counts().windows.at(0).written;
    return times;
  }

  // Snapshots that were written meanwhile.
  std::uint64_t written() const { return written_; }

 private:
  template <typename AfterEach>
  Samples Advances(const AfterEach& after_each) {
    Samples times;
    for (std::size_t i = 0; i < kFrozenAdvances; ++i) {
      const auto slice = stream_.At(next_++);
      times.Add(window_.Advance([&] { return slice; }).wall_seconds * 1e3);
      after_each();
    }
    return times;
  }

  AdvancePtr Newest() {
    auto advance = std::make_shared<Advance>();
    advance->view = window_.published().view;
    advance->number = ++number_;
    advance->ordinal = static_cast<std::int64_t>(number_);
    Provenance& from = advance->provenance;
    from.window = "w";
    from.snapshot = SnapshotId{number_};
    VisitView(advance->view, [&](const auto& graph) {
      from.edges = graph.edge_count();
      from.vertices = graph.vertices().size();
    });
    return advance;
  }

  VertexDictionary keys_{KeyKind::kInteger};
  SliceStream stream_;
  MovingWindow window_;
  std::uint64_t next_;  // the slice to enter next
  std::uint64_t number_ = 0;
  std::uint64_t written_ = 0;
};

// Adds the rows <name>, <name>_p99 and <name>_written.
void AddRows(const Bench& bench, const std::string& name, ExportKind kind) {
  WriterBench writer(bench);
  Samples busy, beside, busy_p99, beside_p99;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    const Samples alone = writer.BesideBusy();
    const Samples with = writer.BesideWriter(kind);
    busy.Add(alone.Mean());
    beside.Add(with.Mean());
    busy_p99.Add(alone.Percentile(99));
    beside_p99.Add(with.Percentile(99));
  }
  bench.report.Add(name, "ms", beside, Ratios(beside, busy), "a busy thread");
  bench.report.Add(name + "_p99", "ms", beside_p99, Ratios(beside_p99, busy_p99), "a busy thread");
  bench.report.Add(name + "_written", "snapshots",
                   Samples({static_cast<double>(writer.written())}));
}

}  // namespace

void RunFrozen(const Bench& bench) { AddRows(bench, "frozen_advance", ExportKind::kFrozen); }

void RunParquet(const Bench& bench) { AddRows(bench, "parquet_advance", ExportKind::kParquet); }

}  // namespace sash::bench
