// The cost of a filter of two comparisons for each record, over the fields of a payment. Decoding
// the record is not included: the fields are those that a decoder has found, with numbers that are
// not read yet.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/filter/filter_run.h"
#include "connectors/codec/filter/filter_tree.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

namespace sash::bench {
namespace {

constexpr std::size_t kFilteredRecords = 1000;
constexpr std::size_t kRounds = 2000;
constexpr const char* kWhere = R"(/type in ["TRANSFER", "CASH_OUT"] && double(/amount) > 1000.0)";

// Payments of four types, one after the other; their amounts begin with small ones.
class Payments {
 public:
  Payments() {
    const char* const types[] = {"TRANSFER", "CASH_OUT", "PAYMENT", "DEBIT"};
    for (std::size_t i = 0; i < kFilteredRecords; ++i) {
      types_.emplace_back(types[i % std::size(types)]);
      amounts_.push_back(fmt::format("{}.{:02}", i * 2, i % 100));
    }
    for (std::size_t i = 0; i < kFilteredRecords; ++i) {
      values_.push_back(FilterValue::Text(types_[i]));
      values_.push_back(FilterValue::Numeral(amounts_[i]));
      const bool is_large = i * 2 > 1000 || (i * 2 == 1000 && i % 100 > 0);
      expected_ += i % std::size(types) < 2 && is_large ? 1 : 0;
    }
  }

  std::size_t Passing(FilterRun& run) const {
    std::size_t passing = 0;
    for (std::size_t i = 0; i < kFilteredRecords; ++i) {
      const FilterRun::Verdict verdict = run.Judge(std::span(values_).subspan(2 * i, 2));
      passing += verdict == FilterRun::Verdict::kPasses ? 1 : 0;
    }
    return passing;
  }
  std::size_t expected() const { return expected_; }

 private:
  std::vector<std::string> types_;
  std::vector<std::string> amounts_;
  std::vector<FilterValue> values_;
  std::size_t expected_ = 0;
};

}  // namespace

void RunWhere(const Bench& bench) {
  const Payments payments;
  FilterRun run(std::make_shared<const FilterTree>(
      std::move(FilterTree::Parse(kWhere, FilterFields::kPointers)).value()));
  const std::size_t rounds = bench.options.quick ? kRounds / 20 : kRounds;
  Samples nanoseconds;
  std::size_t passing = 0;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    passing = 0;
    const CpuWatch watch;
    for (std::size_t round = 0; round < rounds; ++round) passing += payments.Passing(run);
    nanoseconds.Add(watch.Seconds() * 1e9 / static_cast<double>(rounds * kFilteredRecords));
  }
  bench.report.Add("where_two_comparisons_ns", "ns a record", nanoseconds);
  std::optional<std::string> difference;
  if (passing != rounds * payments.expected()) difference = "other records pass than should";
  bench.report.Verify("where_two_comparisons_ns", difference);
}

}  // namespace sash::bench
