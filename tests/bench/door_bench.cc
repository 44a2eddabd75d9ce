// The cost of decoding records that are not small and plain: wide ones, compared with simdjson,
// which is not ours; the same in Avro; records of several edges; and records in an envelope. The
// times are CPU times.
#include <fmt/format.h>
#include <simdjson.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/payment_texts.h"
#include "tests/bench/stopwatch.h"

namespace sash::bench {
namespace {

constexpr std::size_t kDoorRecords = 1000;
constexpr std::size_t kElements = 16;

JsonMapping PaymentFields() {
  JsonMapping fields;
  fields.source = "/payer";
  fields.target = "/payee";
  fields.time = "/at";
  return fields;
}

// What a reader makes of the records, to compare the readers.
struct Tally {
  std::size_t edges = 0;
  std::size_t key_bytes = 0;
  std::int64_t time = 0;  // sum of milliseconds, modulo 2^64
  friend bool operator==(const Tally&, const Tally&) = default;

  void Count(std::string_view source, std::string_view target, std::int64_t at) {
    ++edges;
    key_bytes += source.size() + target.size();
    time += at;
  }
};

// Reads all records once.
using Reader = std::function<Tally()>;

Reader Decoding(const FormatSpec& format, const std::vector<std::string>& records) {
  std::shared_ptr<Decoder> decoder = MakeDecoder(format).value();
  auto batch = std::make_shared<EventBatch>();
  return [=, &records] {
    *batch = EventBatch::AsLargeAs(*batch);  // like BatchQueue
    Tally tally;
    RecordPlace place;
    for (const std::string& record : records) {
      ++place.offset;
      if (decoder->Decode(record, place, *batch)) return Tally();
    }
    for (const EdgeEvent& event : batch->events()) {
      tally.Count(batch->Text(event.source.text()), batch->Text(event.target.text()),
                  event.time.time_since_epoch() / std::chrono::milliseconds(1));
    }
    return tally;
  };
}

// simdjson may read some bytes behind a text.
std::vector<simdjson::padded_string> Padded(const std::vector<std::string>& records) {
  std::vector<simdjson::padded_string> padded;
  for (const std::string& record : records) padded.emplace_back(record);
  return padded;
}

// The whole document is validated and kept.
Reader Dom(const std::vector<simdjson::padded_string>& records) {
  auto parser = std::make_shared<simdjson::dom::parser>();
  return [=, &records] {
    Tally tally;
    for (const simdjson::padded_string& record : records) {
      const simdjson::dom::object payment = parser->parse(record);
      tally.Count(std::string_view(payment["payer"]), std::string_view(payment["payee"]),
                  std::int64_t(payment["at"]));
    }
    return tally;
  };
}

// What the fields that are asked for do not need is not validated.
Reader OnDemand(const std::vector<simdjson::padded_string>& records) {
  auto parser = std::make_shared<simdjson::ondemand::parser>();
  return [=, &records] {
    Tally tally;
    for (const simdjson::padded_string& record : records) {
      simdjson::ondemand::document payment = parser->iterate(record);
      const std::string_view source = payment["payer"];
      const std::string_view target = payment["payee"];
      tally.Count(source, target, std::int64_t(payment["at"]));
    }
    return tally;
  };
}

// Readers that are measured in turn.
class ReaderContest {
 public:
  explicit ReaderContest(const Bench& bench)
      : bench_(bench), rounds_(bench.options.quick ? 5 : 100) {}

  void Add(std::string name, Reader reader) {
    tallies_.push_back(reader());
    names_.push_back(std::move(name));
    readers_.push_back(std::move(reader));
  }
  void Run() {
    times_.resize(readers_.size());
    for (int i = 0; i < bench_.options.repetitions; ++i) {
      for (std::size_t r = 0; r < readers_.size(); ++r) times_[r].Add(Measure(r));
    }
  }
  // `against`: the number of the reader with which it is compared, and its name for the table.
  void Report(std::size_t reader, std::optional<std::size_t> against = {},
              std::string_view against_name = {}) const {
    const std::string& name = names_[reader];
    if (against) {
      bench_.report.Add(name, "ns an edge", times_[reader],
                        Ratios(times_[reader], times_[*against]), against_name);
    } else {
      bench_.report.Add(name, "ns an edge", times_[reader]);
    }
    if (tallies_[reader] != tallies_[against.value_or(0)]) {
      bench_.report.Wrong(name, "the edges are not those of the other readers");
    }
  }

 private:
  double Measure(std::size_t reader) const {
    const CpuWatch watch;
    for (std::size_t round = 0; round < rounds_; ++round) readers_[reader]();
    return watch.Seconds() * 1e9 / static_cast<double>(rounds_ * tallies_[reader].edges);
  }

  const Bench& bench_;
  const std::size_t rounds_;
  std::vector<std::string> names_;
  std::vector<Reader> readers_;
  std::vector<Tally> tallies_;
  std::vector<Samples> times_;
};

void RunPayments(const Bench& bench) {
  const PaymentTexts payments(kDoorRecords);
  const std::vector<simdjson::padded_string> padded = Padded(payments.json);
  JsonMapping avro = PaymentFields();
  avro.avro = AvroSpec{.path = "", .text = payments.avro_schema};
  ReaderContest contest(bench);
  contest.Add(
      "payment_json_ns",
      Decoding({.mapping = PaymentFields(), .time_unit = TimeUnit::kMilliseconds}, payments.json));
  contest.Add("payment_dom_ns", Dom(padded));
  contest.Add("payment_on_demand_ns", OnDemand(padded));
  contest.Add("payment_avro_ns",
              Decoding({.mapping = avro, .time_unit = TimeUnit::kMilliseconds}, payments.avro));
  contest.Run();
  contest.Report(0, 1, "simdjson's DOM");
  contest.Report(1);
  contest.Report(2, 1, "simdjson's DOM");
  contest.Report(3, 0, "the JSON");
}

void RunEnvelopes(const Bench& bench) {
  const PaymentTexts payments(kDoorRecords);
  std::vector<std::string> wrapped;
  for (const std::string& payment : payments.json) {
    wrapped.push_back(R"({"schema":null,"payload":)" + payment + "}");
  }
  // The same payments, several in a record.
  std::vector<std::string> arrays;
  for (std::size_t i = 0; i < payments.json.size(); ++i) {
    if (i % kElements == 0) arrays.emplace_back("[");
    const bool is_last = (i + 1) % kElements == 0 || i + 1 == payments.json.size();
    arrays.back() += payments.json[i] + (is_last ? "]" : ",");
  }
  JsonMapping envelope = PaymentFields();
  envelope.unwrap = Unwrap::kConnect;
  JsonMapping each = PaymentFields();
  each.each = "";
  const auto format = [](const JsonMapping& mapping) {
    return FormatSpec{.mapping = mapping, .time_unit = TimeUnit::kMilliseconds};
  };
  ReaderContest contest(bench);
  contest.Add("payment_alone_ns", Decoding(format(PaymentFields()), payments.json));
  contest.Add("payment_in_envelope_ns", Decoding(format(envelope), wrapped));
  contest.Add("payment_of_sixteen_ns", Decoding(format(each), arrays));
  contest.Run();
  contest.Report(0);
  contest.Report(1, 0, "alone");
  contest.Report(2, 0, "alone");
}

}  // namespace

void RunDoor(const Bench& bench) {
  RunPayments(bench);
  RunEnvelopes(bench);
}

}  // namespace sash::bench
