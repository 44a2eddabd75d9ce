// The cost of a record from its bytes to an open slice: decoding, lateness, dictionary, slicer. In
// batches like those of the sources, with one thread; no slice closes meanwhile.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "daemon/generate/record_writer.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/engine_parts.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/stopwatch.h"
#include "windows/slide/window_engine.h"

namespace sash::bench {
namespace {

constexpr std::size_t kBatchRecords = 4096;  // like connectors/kafka and connectors/replay

// The stream's first records as text, one after the other.
class RecordTexts {
 public:
  RecordTexts(const BenchOptions& options, RecordFormat format, std::size_t count) {
    const EdgeStreamOptions stream_options = StreamOptions(options);
    EdgeStream stream(stream_options);
    RecordWriter writer({.format = format}, stream_options);
    header_ = writer.Header();
    for (std::size_t i = 0; i < count; ++i) {
      text_ += writer.Write(stream.Next());
      ends_.push_back(text_.size());
    }
  }

  std::size_t size() const { return ends_.size(); }
  std::size_t bytes() const { return text_.size(); }
  const std::string& header() const { return header_; }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string header_;
  std::string text_;
  std::vector<std::size_t> ends_;
};

class NewestAdvance final : public EngineListener {
 public:
  void OnAdvance(AdvancePtr advance) override { newest = std::move(advance); }

  AdvancePtr newest;
};

// A fresh engine with one window that is far longer than the stream, and its decoder.
class Intake {
 public:
  Intake(const FormatSpec& format, const std::string& header)
      : decoder_(MakeDecoder(format, header).value()), partition_(partitions_.Index("bench", 0)) {
    EventBatch batch;
    batch.start.emplace();
    batch.start->partitions.push_back(partition_);
    engine_.Process(batch);
  }

  struct Seconds {
    double decode = 0;
    double process = 0;
  };
  Seconds Take(const RecordTexts& records) {
    Seconds seconds;
    EventBatch batch;
    for (std::size_t begin = 0; begin < records.size(); begin += kBatchRecords) {
      const std::size_t end = std::min(records.size(), begin + kBatchRecords);
      seconds.decode += Time([&] {
        batch = EventBatch::AsLargeAs(batch);  // like BatchQueue
        for (std::size_t i = begin; i < end; ++i) Decode(records[i], i, batch);
      });
      seconds.process += Time([&] { engine_.Process(batch); });
    }
    return seconds;
  }

  std::optional<std::string> Difference(const CsrGraph& expected) {
    EventBatch batch;
    batch.end_of_source = true;
    engine_.Process(batch);
    if (refused_ > 0) return fmt::format("{} records were refused", refused_);
    if (!listener_.newest) return "no window was published";
    return bench::Difference(listener_.newest->view, expected);
  }

 private:
  void Decode(std::string_view record, std::size_t number, EventBatch& batch) {
    RecordPlace place;
    place.partition = partition_;
    place.offset = static_cast<std::int64_t>(number);
    if (decoder_->Decode(record, place, batch)) ++refused_;
  }

  static constexpr std::int64_t kYear = Duration(std::chrono::years(1)).count();

  std::unique_ptr<Decoder> decoder_;
  VertexDictionary keys_{KeyKind::kString};
  PartitionTable partitions_;
  const SystemClock clock_;
  NoRefusals refusals_;
  EngineStats stats_;
  StreamProgress progress_;
  NewestAdvance listener_;
  std::uint64_t refused_ = 0;
  PartitionIndex partition_;
  WindowEngine engine_{{{.name = "long", .length = 50 * kYear, .slide = 50 * kYear}},
                       {.check_ahead = false},
                       {keys_, partitions_, clock_, refusals_, stats_, progress_, listener_}};
};

void MeasureIngest(const Bench& bench, const std::string& name, const RecordTexts& records,
                   const FormatSpec& format) {
  const double per_record = 1e9 / static_cast<double>(records.size());
  Samples total;
  Samples decode;
  std::optional<std::string> difference;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    Intake intake(format, records.header());
    const Intake::Seconds seconds = intake.Take(records);
    total.Add((seconds.decode + seconds.process) * per_record);
    decode.Add(seconds.decode * per_record);
    if (i > 0) continue;
    // Ids are assigned in the order of first appearance, so even they are equal. The engine assigns
    // none to the vertices of later edges.
    difference = intake.Difference(
        *MakePlainCsr(DrawEdges(bench.options, records.size()), 0, records.size()));
  }
  bench.report.Add("ingest_" + name + "_ns", "ns a record", total);
  bench.report.Add("ingest_" + name + "_decode_ns", "ns a record", decode);
  bench.report.Verify("ingest_" + name + "_ns", difference);
}

}  // namespace

void RunIngest(const Bench& bench) {
  const std::size_t count = bench.options.edges / 4;
  JsonMapping json;
  json.source = "/from";
  json.target = "/to";
  json.time = "/ts";
  MeasureIngest(bench, "json", RecordTexts(bench.options, RecordFormat::kJson, count),
                {.mapping = json});
  CsvMapping csv;
  csv.source = "source";
  csv.target = "target";
  csv.time = "time";
  MeasureIngest(bench, "csv", RecordTexts(bench.options, RecordFormat::kCsv, count),
                {.mapping = csv});
}

}  // namespace sash::bench
